package rigid

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
	"ccd/core/rigid/triangle"
)

// touchingMost is how many pairs of triangles a normal is chosen by. Faces that are cut into many
// triangles touch in many pairs, of which few say along which directions the bodies are not apart.
const touchingMost = 128

// touching are pairs of triangles in contact at one time, some that are parallel and some that are
// not.
type touching struct {
	n, flat int
	a, b    [touchingMost][3]r3.Vec
	// crossed is true if some pass through each other by more than the rounding of their own
	// places, though by less than that of a caller's poses.
	crossed bool
	parting []r3.Vec // normals of the triangles along which all pairs are apart, but for rounding
}

// begin takes the reported pair of triangles.
func (c *touching) begin(l *leaf, rounding float64) {
	c.n, c.flat, c.crossed = 0, 0, false
	c.add(l, math.Sqrt(l.Near.D2), rounding)
}

// add takes a pair of triangles if they are within reach, and reports whether there is no room for
// another.
func (c *touching) add(l *leaf, reach, rounding float64) (full bool) {
	if math.Sqrt(l.Near.D2) > reach {
		return false
	}
	if !c.crossed {
		var a, b triangle.Sides
		a.Set(&l.A, &l.B, rounding)
		b.Set(&l.B, &l.A, rounding)
		near, out := l.Near, l.Out
		c.crossed = triangle.Pass(&l.Pair, &a, &b, rounding)
		l.Near, l.Out = near, out
	}
	if flat(l) {
		if c.flat == touchingMost/2 {
			return false
		}
		c.flat++
	}
	c.a[c.n], c.b[c.n] = l.A.P, l.B.P
	c.n++
	return c.n == touchingMost
}

// flat reports whether the triangles of a leaf lie in about parallel planes: those that touch do
// not say on which side of them the bodies are.
func flat(l *leaf) bool {
	a, okA := geom.Unit(l.A.Normal, l.A.Normal)
	b, okB := geom.Unit(l.B.Normal, l.B.Normal)
	return okA && okB && geom.Norm(geom.Cross(a, b)) < 0x1p-20
}

// side returns 1 if a pair of those that touch along n where the leaf does says that B is on the
// side of n, -1 if one says that it is on the other side, else 0.
func (c *touching) side(l *leaf, n r3.Vec, rounding float64) float64 {
	top := func(t *[3]r3.Vec, n r3.Vec) float64 {
		return max(geom.Dot(n, t[0]), geom.Dot(n, t[1]), geom.Dot(n, t[2]))
	}
	for k := range c.n {
		a, b, back := &c.a[k], &c.b[k], geom.Scale(-1, n)
		on := -top(b, back)-top(a, n) >= -rounding && math.Abs(top(a, n)-top(&l.A.P, n)) <= 4*rounding
		off := -top(b, n)-top(a, back) >= -rounding && math.Abs(top(a, back)-top(&l.A.P, back)) <= 4*rounding
		switch {
		case on && !off:
			return 1
		case off && !on:
			return -1
		}
	}
	return 0
}

// gap returns the least gap of the pairs along a unit n from A to B, or one that is below a bound.
func (c *touching) gap(n r3.Vec, bound float64) float64 {
	least := math.Inf(1)
	for k := range c.n {
		a, b := math.Inf(-1), math.Inf(1)
		for i := range 3 {
			a, b = max(a, geom.Dot(n, c.a[k][i])), min(b, geom.Dot(n, c.b[k][i]))
		}
		if least = min(least, b-a); least < bound {
			break
		}
	}
	return least
}

// part lists the normals along which the pairs are apart, but for rounding.
func (c *touching) part(rounding float64) {
	c.parting = c.parting[:0]
	c.normals(func(n r3.Vec) {
		if c.gap(n, -rounding) >= -rounding {
			c.parting = append(c.parting, n)
		}
	})
}

// rounding returns how far places at TMin are off where a caller has rounded the poses: surfaces
// that overlap by less touch.
func (s *search) rounding() float64 { return s.f.margin + s.grain }

// coincident reports whether the near points of the leaf are one but for rounding, at a time lo of
// contact.
func (s *search) coincident(lo float64) bool {
	d := math.Sqrt(s.leaf.Near.D2)
	return d <= max(4*s.f.margin, s.f.same) || lo == s.o.TMin && d <= s.rounding()
}

// around returns how near other triangles are that count as in contact too.
func (s *search) around() float64 { return math.Sqrt(s.leaf.Near.D2) + 2*s.rounding() }

// sided returns a direction turned to the side on which B is, if the near points are one but for
// rounding: their difference does not say it. Triangles that lie on each other do not either;
// others that touch there do.
func (s *search) sided(n turning, ok bool) (turning, bool) {
	l, rounding := &s.leaf, s.rounding()
	if !ok || math.Sqrt(l.Near.D2) > rounding {
		return n, ok
	}
	back := geom.Scale(-1, n.n0)
	on, off := l.gap(n.n0), l.gap(back)
	wrong := off > on
	if min(on, off) >= -rounding {
		wrong = s.over.start.side(l, n.n0, rounding) < 0
	}
	if wrong {
		return turning{back, geom.Scale(-1, n.n1)}, true
	}
	return n, true
}

// normals lists those of the triangles of all pairs, either way.
func (c *touching) normals(use func(n r3.Vec)) {
	for k := range c.n {
		for _, t := range [2]*[3]r3.Vec{&c.a[k], &c.b[k]} {
			v := geom.Cross(r3.Sub(t[1], t[0]), r3.Sub(t[2], t[0]))
			if n, ok := geom.Unit(v, v); ok {
				use(n)
				use(geom.Scale(-1, n))
			}
		}
	}
}

// chooseClosing does the work of chooseClosing of a leaf, along directions for which all triangles
// that touch are apart but for rounding.
//
// The features of one pair may not say where the bodies are: two sides of boxes that stand on each
// other lie in one plane. Along the normal of that plane their common corner comes nearer whenever
// it slides, either way, and no response ends that. The top and the bottom between them say that
// only their own normal counts.
func (c *touching) chooseClosing(l *leaf, limit, rounding float64) bool {
	nearest := l.Near
	best, least := nearest, math.Inf(1)
	limit = min(limit, rounding)
	var tried [16]r3.Vec
	m := 0
	for _, n := range c.parting {
		if m == len(tried) || l.gap(n) < -rounding || slices.ContainsFunc(tried[:m], func(other r3.Vec) bool {
			return geom.Dot(n, other) > 1-0x1p-20
		}) {
			continue
		}
		tried[m] = n
		m++
		l.pairsWithin(limit, func(pair triangle.Near) {
			l.Near = pair
			if rate := geom.Dot(n, l.nearVelocity()); rate < least {
				best, least = pair, rate
			}
		})
	}
	if least <= 0 {
		l.Near = best
		return true
	}
	l.Near = nearest
	return false
}

// settleNormal chooses the normal of a contact whose near points are one but for rounding: one pair
// of triangles does not say where the bodies are, as two sides of boxes that stand on each other.
// Of the directions of all pairs in contact it takes one along which all of these are apart, or
// overlap by no more than rounding; of several, the one along which the points come nearer fastest,
// of equal ones the first. If there is none, they overlap least along it.
//
// The normal is then turned against the motion of A's point relative to B's, as that of a pair
// without a separation is, if the points part along it faster than 2^-18 times the greatest speed
// of two points. With IgnoreSeparating it is left: what is reported does not part faster, and
// slower rates are rounding of a motion at rest, which must not turn it into the bodies.
func (s *search) settleNormal(n0 r3.Vec, ok bool) {
	l, im, c := &s.leaf, s.out, &s.over.touching
	away := l.nearVelocity()
	best, gap, rate := r3.Vec{}, math.Inf(-1), 0.0
	speed := s.speed + float64(s.a.rate*s.a.radius) + float64(s.b.rate*s.b.radius)
	d := r3.Sub(l.Near.PB, l.Near.PA)
	apart, one := geom.Norm(d), s.f.same
	if s.o.Flags&IgnoreSeparating != 0 && im.TOILo == s.o.TMin {
		one = s.rounding() // A loop has rounded the poses: what is apart by less may face any way.
	}
	s.candidates(n0, ok, func(n r3.Vec) {
		if gap == 0 && geom.Dot(n, best) > 1-0x1p-40 {
			return // The points come nearer along both at rates that are one.
		}
		g, v := c.gap(n, min(gap, -s.rounding())), geom.Dot(n, away)
		if g >= -s.rounding() {
			g = 0
		}
		if g > gap || g == gap && g == 0 && v < rate-float64(0x1p-18*speed) {
			best, gap, rate = n, g, v
		}
	})
	switch {
	case math.IsInf(gap, -1): // points: any direction will do
		best = against(away)
	case apart > one && geom.Dot(best, d) < 0.5*apart && !c.crossed:
		return // points that are apart say where the bodies are, unless some of these triangles cross
	case s.o.Flags&IgnoreSeparating != 0:
		if n, _ := s.sided(turning{n0: n0}, ok); ok && rate > 0x1p-40*speed && geom.Dot(n.n0, away) <= 0 {
			best = n.n0
		}
	case rate > 0x1p-18*speed && apart <= s.f.same:
		best = geom.Scale(-1, best)
	}
	im.Normal = geom.Scale(-1, best)
}

// candidates lists the directions that settleNormal chooses from.
func (s *search) candidates(n0 r3.Vec, ok bool, try func(r3.Vec)) {
	either := func(v r3.Vec) {
		if n, good := geom.Unit(v, v); good {
			try(n)
			try(geom.Scale(-1, n))
		}
	}
	if ok {
		either(n0)
	}
	s.over.touching.normals(try)
	s.leaf.directions(&s.query, func(n turning) { try(n.n0) }) // the first is along the difference of the points
	if d, e := s.leaf.spanned(); d != (r3.Vec{}) {
		either(geom.Cross(d, triangle.Across(e, d)))
	}
}

// against returns the unit from A to B against which the points move, whose relative velocity is
// away; that of the first axis if they do not.
func against(away r3.Vec) r3.Vec {
	if n, ok := geom.Unit(away, away); ok {
		return geom.Scale(-1, n)
	}
	return r3.Vec{X: -1}
}
