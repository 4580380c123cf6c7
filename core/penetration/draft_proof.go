package penetration

import (
	"math"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
	"ccd/core/num"
)

// load computes the rotations, and the way between the origins, as balls.
func (d *draft) load() {
	if d.known {
		return
	}
	d.known = true
	for i := range d.side {
		if b := &d.side[i]; !b.isOrigin() {
			b.rows = rotationOf(b.pose.Rotation)
		}
	}
	d.way = d.between()
}

// between returns the way between the origins, scaled.
func (d *draft) between() (way num.BallVec) {
	from, to := d.side[0].pose.Position, d.side[1].pose.Position
	for k, x := range [3][2]float64{{from.X, to.X}, {from.Y, to.Y}, {from.Z, to.Z}} {
		way[k] = num.BallScaled(x[1], d.exponent).Sub(num.BallScaled(x[0], d.exponent))
	}
	return way
}

// rotationOf returns the rows of the rotation q/|q|.
func rotationOf(q quat.Number) [3]num.BallVec {
	_, e := math.Frexp(max(math.Abs(q.Real), math.Abs(q.Imag), math.Abs(q.Jmag), math.Abs(q.Kmag)))
	w, x := num.BallScaled(q.Real, e), num.BallScaled(q.Imag, e)
	y, z := num.BallScaled(q.Jmag, e), num.BallScaled(q.Kmag, e)
	ww, xx, yy, zz := w.Mul(w), x.Mul(x), y.Mul(y), z.Mul(z)
	per := num.BallOf(1).Div(ww.Add(xx).Add(yy.Add(zz)))
	twice := per.Add(per)
	xy, wz, xz, wy, yz, wx := x.Mul(y), w.Mul(z), x.Mul(z), w.Mul(y), y.Mul(z), w.Mul(x)
	return [3]num.BallVec{
		{ww.Add(xx).Sub(yy.Add(zz)).Mul(per), xy.Sub(wz).Mul(twice), xz.Add(wy).Mul(twice)},
		{xy.Add(wz).Mul(twice), ww.Add(yy).Sub(xx.Add(zz)).Mul(per), yz.Sub(wx).Mul(twice)},
		{xz.Sub(wy).Mul(twice), yz.Add(wx).Mul(twice), ww.Add(zz).Sub(xx.Add(yy)).Mul(per)},
	}
}

// ball returns a corner of C.
func (d *draft) ball(c corner) num.BallVec {
	b := d.ballAt(1, c.b)
	a := d.ballAt(0, c.a)
	return b.Minus(&a)
}

// outward returns the way from the nearest point to the origin, from balls: perpendicular to what
// the corners of the simplex span.
func (d *draft) outward() (m num.BallVec, ok bool) {
	s := &d.near
	from := d.ball(s.c[0])
	m = num.BallVec{from[0].Neg(), from[1].Neg(), from[2].Neg()}
	if s.n > 1 {
		e := d.ball(s.c[1])
		e = e.Minus(&from)
		if s.n == 2 {
			m = from.Cross(&e)
			m = m.Cross(&e)
		} else {
			f := d.ball(s.c[2])
			f = f.Minus(&from)
			m = e.Cross(&f)
			if m.Dot(&from).Sign() > 0 {
				m = num.BallVec{m[0].Neg(), m[1].Neg(), m[2].Neg()}
			}
		}
	}
	for k := range m {
		m[k] = m[k].Center()
	}
	return m, s.n < 4
}

// own returns a corner in the axes of its body, scaled.
func (d *draft) own(b *drafted, i int32) num.BallVec {
	v := b.shape.Corners[i]
	return num.BallVec{num.BallScaled(v.X, d.exponent), num.BallScaled(v.Y, d.exponent),
		num.BallScaled(v.Z, d.exponent)}
}

// ballAt returns where a corner of a body is about A's origin.
func (d *draft) ballAt(side int, i int32) (at num.BallVec) {
	d.load()
	for k := range d.cache {
		if c := &d.cache[k]; c.side == side && c.i == i {
			return c.at
		}
	}
	b := &d.side[side]
	if !b.isOrigin() {
		v := d.own(b, i)
		for k := range at {
			at[k] = b.rows[k].Dot(&v)
		}
	}
	if side == 1 {
		for k := range at {
			at[k] = at[k].Add(d.way[k])
		}
	}
	d.cache = append(d.cache, ballCorner{side, i, at})
	return at
}

// leastSquare is how long the square of a normal is, at least: below, underflow is not small beside
// it.
const leastSquare = 0x1p-900

// prove writes the answer with a lower bound and a way out along m, a vector without an error, if
// the bracket is narrow: at most open more than 2^-47 of it, or the tolerance. top is the corner
// that is the farthest along m.
//
// m.T > h + r |m| puts A's body on one side of a plane and B's on the other, whatever m is; h is
// the greatest product of m with a corner of C. All of it is in balls.
func (s *Solver) prove(m *num.BallVec, lo, open float64, out *Depth) (top corner, ok bool) {
	d := &s.draft
	top = corner{a: -1, b: -1}
	d.load()
	square := m.Dot(m)
	if !(square.H > leastSquare && square.E < math.Inf(1)) {
		return top, false
	}
	length := square.Sqrt()
	var need num.Ball
	top.a, need = d.reach(0, m, length.H)
	b, h := d.reach(1, m, length.H)
	top.b = b
	radii := num.BallScaled(s.a.Outer(), d.exponent).Add(num.BallScaled(s.b.Outer(), d.exponent))
	need = need.Add(h).Add(d.way.Dot(m)).Add(radii.Mul(length))
	if !(need.Sign() > 0) {
		return corner{a: -1}, false
	}
	t, ok := outOf(m, need, square)
	if !ok {
		return corner{a: -1}, false
	}
	out.Translation = r3.Vec{X: math.Ldexp(t.X, d.exponent), Y: math.Ldexp(t.Y, d.exponent),
		Z: math.Ldexp(t.Z, d.exponent)}
	if geom.Scale(d.unit, out.Translation) != t {
		return corner{a: -1}, false
	}
	out.Hi = lengthUp(out.Translation)
	out.Lo = min(lo, out.Hi)
	if !(out.Hi-out.Lo <= max(float64(0x1p-47*out.Hi)+open, s.o.Tolerance)) {
		return top, false
	}
	out.Normal = r3.Vec{X: m[0].Div(length).H + 0, Y: m[1].Div(length).H + 0, Z: m[2].Div(length).H + 0} // No -0.
	if lo > 0 {
		out.Flags |= Overlapping
	}
	return top, true
}

// outOf returns the shortest T along m, up to rounding, for which m.T is surely more than need.
func outOf(m *num.BallVec, need, square num.Ball) (t r3.Vec, ok bool) {
	n := r3.Vec{X: m[0].H, Y: m[1].H, Z: m[2].H}
	f := need.H / square.H
	for range 16 {
		t = geom.Scale(f, n)
		v := num.BallVec{num.BallOf(t.X), num.BallOf(t.Y), num.BallOf(t.Z)}
		if m.Dot(&v).Sub(need).Sign() > 0 {
			return t, true
		}
		f = num.Up(f)
	}
	return t, false
}

// reach returns a ball that holds the greatest product of m with a corner of B about its own
// origin, or of -m with one of A, and which corner it is.
//
// In floats, in the axes of a body, a product with a corner v errs by less than 38u |m| |v|: each
// component of the turned m by 9 sqrt(3) u |m| for the entries of the rotation, 3u |m| for its
// roundings, u |m| for that of m, which is less than 20u |m|, and the vector by sqrt(3) of it, less
// than 35u |m|; the product rounds by 3u |m| |v|. So corners whose products are within 76u |m| |v|
// of the greatest may be the farthest, where |v| < 1/2. Scaling is exact.
func (d *draft) reach(side int, m *num.BallVec, length float64) (at int32, most num.Ball) {
	b := &d.side[side]
	if b.isOrigin() {
		return 0, num.Ball{}
	}
	var g num.BallVec
	for k := range g {
		g[k] = b.rows[0][k].Mul(m[0]).Add(b.rows[1][k].Mul(m[1])).Add(b.rows[2][k].Mul(m[2]))
		if side == 0 {
			g[k] = g[k].Neg()
		}
	}
	n := geom.Scale(d.unit, r3.Vec{X: g[0].H, Y: g[1].H, Z: g[2].H})
	own := b.shape.Corners
	_, top := farthestOf(own, n)
	least := top - float64(64*u*length) - 0x1p-140
	at = -1
	for i := range own {
		if geom.Dot(n, own[i]) < least {
			continue
		}
		v := d.own(b, int32(i))
		x := g.Dot(&v)
		if at < 0 {
			at, most = int32(i), x
			continue
		}
		switch x.Sub(most).Sign() {
		case 1:
			at, most = int32(i), x
		case 0:
			most = most.Union(x)
		}
	}
	return at, most
}
