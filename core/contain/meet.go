package contain

import (
	"ccd/core/geom"
	"ccd/core/num"
)

// answer is No, Yes, or Maybe where neither is known.
type answer int8

const (
	maybe answer = iota
	no
	yes
)

// placed is a triangle of a solid in the coordinates of another.
type placed struct {
	at  Triangle
	err float64 // each coordinate of the true corners is within err of at
	of  *Triangle
	by  *Placement
}

// place writes where a triangle of the placed solid is.
func (p *Placement) place(t *Triangle, out *placed) {
	*out = placed{of: t, by: p, err: p.Err}
	for c := range t {
		out.at[c] = p.at(&t[c])
	}
}

// exact returns the true corners, or false where they are not known.
func (p *placed) exact() (c [3]exactPoint, ok bool) {
	for i := range c {
		if p.err == 0 {
			c[i].at = p.at[i]
		} else if p.by.Exact == nil {
			return c, false
		} else {
			c[i].rat = p.by.Exact(&p.of[i])
		}
	}
	return c, true
}

// meet decides whether two closed triangles share a point. If they do, an edge of one of them meets
// the other one.
func meet(a, b *placed) answer {
	if oneSide(a, b) || oneSide(b, a) {
		return no
	}
	sure := no
	for c := range 3 {
		for _, s := range [2]answer{pierces(a, c, b), pierces(b, c, a)} {
			if s == yes {
				return yes
			} else if s == maybe {
				sure = maybe
			}
		}
	}
	if sure == no {
		return no
	}
	x, known := a.exact()
	y, also := b.exact()
	if !known || !also {
		return maybe
	}
	z := integers(x[0], x[1], x[2], y[0], y[1], y[2])
	if meetExactly([3]num.IntVec(z[:3]), [3]num.IntVec(z[3:])) {
		return yes
	}
	return no
}

// oneSide reports whether all corners of b are certainly on one side of the plane of a.
func oneSide(a, b *placed) bool {
	s := a.side(&b.at[0], b.err)
	return s != unsure && s != 0 && a.side(&b.at[1], b.err) == s && a.side(&b.at[2], b.err) == s
}

// side returns the sign of the volume of the triangle and a point within e of p.
func (a *placed) side(p *geom.Vec, e float64) sign {
	u, w, d := geom.Sub3(&a.at[1], &a.at[0]), geom.Sub3(&a.at[2], &a.at[0]), geom.Sub3(p, &a.at[0])
	return volume(&u, &w, &d, 2*a.err, 2*a.err, a.err+e)
}

// pierces decides in floats whether the edge of a that begins at its corner c meets b. If its ends
// are strictly on either side of the plane, its line passes the three sides of b on the same side,
// all strictly, or passes two of them on different sides.
func pierces(a *placed, c int, b *placed) answer {
	p, q := &a.at[c], &a.at[(c+1)%3]
	sp, sq := b.side(p, a.err), b.side(q, a.err)
	if sp == unsure || sq == unsure {
		return maybe
	}
	if sp == sq {
		return no
	}
	e, apart := 2*a.err, a.err+b.err
	way := geom.Sub3(q, p)
	var s [3]sign
	for i := range s {
		u, w := geom.Sub3(&b.at[i], p), geom.Sub3(&b.at[(i+1)%3], p)
		s[i] = volume(&u, &w, &way, apart, apart, e)
	}
	switch {
	case opposite(s[:]...):
		return no
	case s[0] == unsure || s[1] == unsure || s[2] == unsure:
		return maybe
	}
	return yes
}

// meetExactly reports whether two closed triangles share a point.
func meetExactly(a, b [3]num.IntVec) bool {
	for c := range 3 {
		if segmentMeets(a[c], a[(c+1)%3], b) || segmentMeets(b[c], b[(c+1)%3], a) {
			return true
		}
	}
	return false
}

// segmentMeets reports whether the closed segment from p to q meets a closed triangle, which may be
// a segment or a point.
func segmentMeets(p, q num.IntVec, t [3]num.IntVec) bool {
	n, k := normal(t[0], t[1], t[2])
	if k < 0 {
		for c := range 3 {
			if segmentsMeet(p, q, t[c], t[(c+1)%3]) {
				return true
			}
		}
		return false
	}
	hp, hq := n.Dot(p.Minus(t[0])), n.Dot(q.Minus(t[0]))
	switch {
	case hp.Sign()*hq.Sign() > 0:
		return false
	case hp.Sign() == 0 && within(p, t[0], t[1], t[2], k) || hq.Sign() == 0 && within(q, t[0], t[1], t[2], k):
		return true
	case hp.Sign() == 0 && hq.Sign() == 0:
		for c := range 3 {
			if segmentsMeet(p, q, t[c], t[(c+1)%3]) {
				return true
			}
		}
		return false
	case hp.Sign() == 0 || hq.Sign() == 0:
		return false
	}
	// The ends are strictly on either side: the line passes the sides of the triangle on these
	// sides.
	way := q.Minus(p)
	var s [3]sign
	for i := range s {
		s[i] = sign(t[i].Minus(p).Cross(t[(i+1)%3].Minus(p)).Dot(way).Sign())
	}
	return !opposite(s[:]...)
}

// segmentsMeet reports whether two closed segments share a point; they may be points.
func segmentsMeet(p, q, a, b num.IntVec) bool {
	if onSegment(p, a, b) || onSegment(q, a, b) || onSegment(a, p, q) || onSegment(b, p, q) {
		return true
	}
	// No end is on the other segment: they meet where, in one plane, the ends of each are strictly
	// on either side of the other's line.
	u, v := q.Minus(p), b.Minus(a)
	n := u.Cross(v)
	if n.Dot(a.Minus(p)).Sign() != 0 {
		return false
	}
	side := func(way, from, to num.IntVec) int { return way.Cross(to.Minus(from)).Dot(n).Sign() }
	return side(u, p, a)*side(u, p, b) < 0 && side(v, a, p)*side(v, a, q) < 0
}
