package rigid

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
	"ccd/simd/solid"
)

// turnedMargin times the distance of the pivots is what a gap seen from A errs by more than one in
// the world: the way between the pivots is turned, which errs by 80u of it, and by 3u for its inner
// products.
const turnedMargin = 96 * 0x1p-53

// boxes bounds the distances of the nodes of two bodies at one pose from below, as seen from A's
// pivot in coordinates of A: there B is turned by turn about its own pivot, which is at x.
//
// docs/proofs/body-distances.md derives that a gap errs by less than goal, and that a bound is one
// if it is lessened by 2^-43 of itself (lower).
type boxes struct {
	turn geom.Mat
	x    r3.Vec
	goal float64 // the error of a gap
	way  r3.Vec  // a unit from A to B that parts the nearest triangles known, or 0
}

// box is a node's box in coordinates of A.
type box struct {
	c, x, y, z, h r3.Vec
	r             float64
}

// load reads a box from a column.
func (p *box) load(t *solid.SiblingBoxes, k int32, pivot r3.Vec) {
	k &= 1
	p.c = r3.Sub(r3.Vec{X: t[solid.BoxC][k], Y: t[solid.BoxC+1][k], Z: t[solid.BoxC+2][k]}, pivot)
	p.x = r3.Vec{X: t[solid.BoxX][k], Y: t[solid.BoxX+1][k], Z: t[solid.BoxX+2][k]}
	p.y = r3.Vec{X: t[solid.BoxY][k], Y: t[solid.BoxY+1][k], Z: t[solid.BoxY+2][k]}
	p.z = r3.Vec{X: t[solid.BoxZ][k], Y: t[solid.BoxZ+1][k], Z: t[solid.BoxZ+2][k]}
	p.h = r3.Vec{X: t[solid.BoxH][k], Y: t[solid.BoxH+1][k], Z: t[solid.BoxH+2][k]}
	p.r = t[solid.BoxR][k]
}

// place reads a box of B.
func (m *boxes) place(p *box, t *solid.SiblingBoxes, k int32, pivot r3.Vec) {
	p.load(t, k, pivot)
	p.c = r3.Add(m.turn.Apply(p.c), m.x)
	p.x, p.y, p.z = m.turn.Apply(p.x), m.turn.Apply(p.y), m.turn.Apply(p.z)
}

// reach returns how far a box goes from its center along n.
func (p *box) reach(n r3.Vec) float64 {
	return float64(p.h.X*math.Abs(geom.Dot(n, p.x))) + float64(p.h.Y*math.Abs(geom.Dot(n, p.y))) +
		float64(p.h.Z*math.Abs(geom.Dot(n, p.z)))
}

// apart returns a lower bound of the distance of two boxes, or one of at least cut.
//
// The gaps along the three axes of one box are the components of any way from it to the other, at
// least, in an orthonormal frame: the root of the sum of their squares is a lower bound. So is the
// gap along any direction, such as the one that these components are, and m.way; and that of the
// balls.
func (m *boxes) apart(a, b *box, cut float64) float64 {
	d := r3.Sub(b.c, a.c)
	goal := m.goal
	balls := math.Sqrt(geom.Dot(d, d)) - (a.r + b.r) - goal
	if balls >= cut {
		return balls
	}
	low := max(0, balls)
	if g := geom.Dot(m.way, d) - (a.reach(m.way) + b.reach(m.way)) - goal; g > low {
		if low = g; low >= cut {
			return low
		}
	}
	abs := math.Abs
	xx, xy, xz := abs(geom.Dot(a.x, b.x)), abs(geom.Dot(a.x, b.y)), abs(geom.Dot(a.x, b.z))
	yx, yy, yz := abs(geom.Dot(a.y, b.x)), abs(geom.Dot(a.y, b.y)), abs(geom.Dot(a.y, b.z))
	zx, zy, zz := abs(geom.Dot(a.z, b.x)), abs(geom.Dot(a.z, b.y)), abs(geom.Dot(a.z, b.z))
	h, k := &a.h, &b.h
	gap := func(t, reach float64) float64 {
		if g := abs(t) - reach - goal; g > 0 {
			return math.Copysign(g, t)
		}
		return 0
	}
	sum := func(x, y, z, w float64) float64 { return w + (float64(x*k.X) + float64(y*k.Y) + float64(z*k.Z)) }
	u := r3.Vec{
		X: gap(geom.Dot(a.x, d), sum(xx, xy, xz, h.X)), Y: gap(geom.Dot(a.y, d), sum(yx, yy, yz, h.Y)),
		Z: gap(geom.Dot(a.z, d), sum(zx, zy, zz, h.Z)),
	}
	back := func(x, y, z, w float64) float64 { return w + (float64(x*h.X) + float64(y*h.Y) + float64(z*h.Z)) }
	v := r3.Vec{
		X: gap(geom.Dot(b.x, d), back(xx, yx, zx, k.X)), Y: gap(geom.Dot(b.y, d), back(xy, yy, zy, k.Y)),
		Z: gap(geom.Dot(b.z, d), back(xz, yz, zz, k.Z)),
	}
	u2, v2 := geom.Dot(u, u), geom.Dot(v, v)
	most := max(u2, v2)
	if most > float64(low*low) && most > 0x1p-900 { // else squares underflow
		low = math.Sqrt(most)
	}
	if low >= cut || !(most > 0x1p-900) {
		return low
	}
	from := a
	if v2 > u2 {
		u, from = v, b
	}
	n := r3.Add(r3.Add(geom.Scale(u.X, from.x), geom.Scale(u.Y, from.y)), geom.Scale(u.Z, from.z))
	n = geom.Scale(1/math.Sqrt(most), n)
	return max(low, geom.Dot(n, d)-(a.reach(n)+b.reach(n))-goal)
}
