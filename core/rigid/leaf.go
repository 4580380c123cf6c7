package rigid

import (
	"math"
	"unsafe"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/bvh"
	"ccd/core/geom"
	"ccd/simd/solid"
)

// A leaf is two triangles at one time, seen from A's pivot.
type leaf struct {
	a, b   corners
	va, vb [3]r3.Vec  // the corners' velocities
	wa, wb [3]float64 // bounds on the magnitudes of their accelerations, divided by the rate: |spin x r|
	near   near
	out    r3.Vec          // the way out, for triangles that intersect: see intersects
	low    float64         // the lowest gap of triangles within the tolerance at TMin: see lowest
	rows   solid.Triangles // the same triangles in the layout of the kernels
}

// set loads two triangles in the poses that were computed last.
func (l *leaf) set(q *query, ta, tb *bvh.Triangle) {
	solid.PlaceTriangles(&q.course, (*[9]float64)(unsafe.Pointer(ta)), (*[9]float64)(unsafe.Pointer(tb)), &l.rows)
	l.a.read(l.rows[:solid.TriangleLen], &l.va, &l.wa)
	l.b.read(l.rows[solid.TriangleLen:], &l.vb, &l.wb)
	l.choose()
	l.settle()
}

// read copies a triangle from its rows.
func (c *corners) read(rows [][4]float64, v *[3]r3.Vec, w *[3]float64) {
	rows = rows[:solid.TriangleN2+1]
	for i := range 3 {
		c.p[i] = r3.Vec{X: rows[solid.TriangleP][i], Y: rows[solid.TriangleP+1][i], Z: rows[solid.TriangleP+2][i]}
		c.e[i] = r3.Vec{X: rows[solid.TriangleE][i], Y: rows[solid.TriangleE+1][i], Z: rows[solid.TriangleE+2][i]}
		v[i] = r3.Vec{X: rows[solid.TriangleV][i], Y: rows[solid.TriangleV+1][i], Z: rows[solid.TriangleV+2][i]}
		c.e2[i], w[i] = rows[solid.TriangleE2][i], rows[solid.TriangleW][i]
	}
	c.normal = r3.Vec{X: rows[solid.TriangleN][0], Y: rows[solid.TriangleN+1][0], Z: rows[solid.TriangleN+2][0]}
	c.n2 = rows[solid.TriangleN2][0]
}

// choose makes the near points the nearest of the pairs of points in the rows.
func (l *leaf) choose() {
	t := &l.rows
	best, at, kind := math.Inf(1), 0, 0
	for k, row := range [3]int{solid.EdgesD2, solid.TriangleCorner, solid.TriangleLen + solid.TriangleCorner} {
		for i := range 3 {
			if d2 := t[row][i]; d2 < best {
				best, at, kind = d2, i, k
			}
		}
	}
	switch kind {
	case 0:
		s, u, j := t[solid.EdgesS][at], t[solid.EdgesT][at], (at+int(t[solid.EdgesShift][at]))%3
		l.near = near{best, r3.Add(l.a.p[at], geom.Scale(s, l.a.e[at])), r3.Add(l.b.p[j], geom.Scale(u, l.b.e[j])),
			onEdge(at, s), onEdge(j, u)}
	case 1:
		p := l.a.p[at]
		l.near = near{best, p, r3.Sub(p, geom.Scale(t[solid.TriangleHeight][at], l.b.normal)), Feature(at), Face}
	case 2:
		p := l.b.p[at]
		l.near = near{best, r3.Sub(p, geom.Scale(t[solid.TriangleLen+solid.TriangleHeight][at], l.a.normal)), p,
			Face, Feature(at)}
	}
}

// A turning is a direction n0 + s n1, from A to B, with n0 a unit up to 2^-45.
type turning struct{ n0, n1 r3.Vec }

// advance returns a time, at most h, before which the triangles keep more than the separation,
// found along one direction.
//
// For every choice of n0 and n1, with |n1| h <= 1/2, a corner b of B and a corner a of A have
//
//	(n0 + s n1).(b - a)(s) >= d + v s - k s^2,  d = n0.(b - a),  v = n0.(b' - a') + n1.(b - a),
//	k = (|n0 x Wb||Wb x rb| + |n0 x Wa||Wa x ra|)/2 - n1.(b' - a')
//	    + h |n1| (|Wb||Wb x rb| + |Wa||Wa x ra|)/2
//
// since n.(W x (W x r)) = (n x W).(W x r) and |W x r| does not change. The gap of the triangles
// along a direction is the least over the nine pairs of corners. It must exceed the separation
// times |n0 + s n1| <= |n0| + s |n0.n1| + s^2 |n1|^2/2, for which the goal grows with s, and so do
// the margins.
func (l *leaf) advance(q *query, f *posePair, n *turning, h float64) float64 {
	l.a.write(l.rows[:solid.TriangleLen], &l.va, &l.wa)
	l.b.write(l.rows[solid.TriangleLen:], &l.vb, &l.wb)
	return l.keep(q, f, n, h)
}

// write puts into the rows what keep reads of a triangle.
func (c *corners) write(rows [][4]float64, v *[3]r3.Vec, w *[3]float64) {
	rows = rows[:solid.TriangleW+1]
	for i := range 4 {
		p, v := &c.p[i%3], &v[i%3]
		rows[solid.TriangleP][i], rows[solid.TriangleP+1][i], rows[solid.TriangleP+2][i] = p.X, p.Y, p.Z
		rows[solid.TriangleV][i], rows[solid.TriangleV+1][i], rows[solid.TriangleV+2][i] = v.X, v.Y, v.Z
		rows[solid.TriangleW][i] = w[i%3]
	}
}

// keep does the work of advance for a leaf that set has loaded.
func (l *leaf) keep(q *query, f *posePair, n *turning, h float64) float64 {
	t := l.turn(q, f, n, h)
	return solid.KeepTriangles(&l.rows, &t)
}

// turn returns a direction with the margins along it, for a time of at most h.
func (l *leaf) turn(q *query, f *posePair, n *turning, h float64) solid.Turn {
	turn := geom.Norm(n.n1) * stretch
	if turn*h > 0.5 {
		h = 0.5 / turn
	}
	across := math.Abs(geom.Dot(n.n0, n.n1)) + float64(0x1p-45*turn)
	vLess := q.vMargin + float64(turn*f.margin) + float64(q.separation*across)
	kMore := q.kMargin + float64(turn*q.vMargin) + float64(q.separation*float64(turn*turn))
	ka := 0.5 * stretch * (geom.Norm(geom.Cross(n.n0, q.a.spin)) + float64(h*turn*q.a.rate))
	kb := 0.5 * stretch * (geom.Norm(geom.Cross(n.n0, q.b.spin)) + float64(h*turn*q.b.rate))
	return solid.Turn{N0: geom.Components(n.n0), N1: geom.Components(n.n1), Goal: f.goal, VLess: vLess, KMore: kMore,
		KA: ka, KB: kb, Span: h}
}

// direction returns the one that the nearest features give, with the rate at which it turns with
// them.
//
// The difference of two near points is a poor direction: its error, that of the points by their
// distance, grows without bound. The normal of a face and the product of two edges keep their
// accuracy, and a difference that is made perpendicular to an edge, twice, is as good as needed
// across that edge.
func (l *leaf) direction(q *query) (n turning, ok bool) {
	fa, fb := l.near.fa, l.near.fb
	diff := r3.Sub(l.near.pb, l.near.pa)
	switch {
	case fa == Face:
		n.n0, ok = geom.Unit(l.a.normal, diff)
		n.n1 = geom.Cross(q.a.spin, n.n0)
	case fb == Face:
		n.n0, ok = geom.Unit(l.b.normal, diff)
		n.n1 = geom.Cross(q.b.spin, n.n0)
	case fa >= 3 && fb >= 3:
		return l.acrossEdges(q, int(fa-3), int(fb-3), diff)
	case fa >= 3:
		n.n0, ok = acrossEdge(diff, &l.a.e[fa-3])
		n.n1 = geom.Cross(q.a.spin, n.n0)
	case fb >= 3:
		n.n0, ok = acrossEdge(diff, &l.b.e[fb-3])
		n.n1 = geom.Cross(q.b.spin, n.n0)
	default:
		n.n0, ok = geom.Unit(diff, diff)
	}
	return n, ok
}

// acrossEdges returns the direction of the product of two edges, unless they are nearly parallel.
func (l *leaf) acrossEdges(q *query, i, j int, diff r3.Vec) (n turning, ok bool) {
	d, e := l.a.e[i], l.b.e[j]
	c := geom.Cross(d, e)
	c2 := geom.Dot(c, c)
	// Below this, the product is rounding, and n0 would be no unit vector.
	if !(c2 > 1e-10*l.a.e2[i]*l.b.e2[j] && c2 > 0x1p-900) {
		n.n0, ok = acrossEdge(diff, &d)
		n.n1 = geom.Cross(q.a.spin, n.n0)
		return n, ok
	}
	scale := math.Copysign(1/math.Sqrt(c2), geom.Dot(c, diff))
	n.n0 = geom.Scale(scale, c)
	// The derivative of the product, without its part along n0.
	c1 := r3.Add(geom.Cross(geom.Cross(q.a.spin, d), e), geom.Cross(d, geom.Cross(q.b.spin, e)))
	n.n1 = geom.Scale(scale, c1)
	n.n1 = r3.Sub(n.n1, geom.Scale(geom.Dot(n.n0, n.n1), n.n0))
	return n, true
}

// acrossEdge returns the unit of v without its part along e.
func acrossEdge(v r3.Vec, e *r3.Vec) (r3.Vec, bool) {
	along, ok := geom.Unit(*e, *e)
	if !ok {
		return along, false
	}
	for range 2 {
		if v, ok = geom.Unit(v, v); !ok {
			return v, false
		}
		v = r3.Sub(v, geom.Scale(geom.Dot(v, along), along))
	}
	return geom.Unit(v, v)
}

// search tries every direction that may separate two triangles: that of the nearest points, the
// normals, the products of the edges, and those across an edge in its triangle's plane. It is
// called where the nearest features' own direction fails, which is rare.
func (l *leaf) search(q *query, f *posePair, h float64) float64 {
	best := 0.0
	l.directions(q, func(n turning) { best = max(best, l.advance(q, f, &n, h)) })
	return best
}

// directions lists, either way, those that may separate two triangles: if they are apart, but for
// rounding, one of these does.
func (l *leaf) directions(q *query, use func(n turning)) {
	try := func(v, turn r3.Vec) {
		for _, sign := range []float64{1, -1} {
			if n0, ok := geom.Unit(v, v); ok {
				n0 = geom.Scale(sign, n0)
				use(turning{n0, geom.Cross(turn, n0)})
			}
		}
	}
	try(r3.Sub(l.near.pb, l.near.pa), r3.Vec{})
	try(l.a.normal, q.a.spin)
	try(l.b.normal, q.b.spin)
	for i := range 3 {
		try(geom.Cross(l.a.normal, l.a.e[i]), q.a.spin)
		try(geom.Cross(l.b.normal, l.b.e[i]), q.b.spin)
		for j := range 3 {
			try(geom.Cross(l.a.e[i], l.b.e[j]), q.a.spin)
		}
	}
}

// settle makes the near point of a face one of its inside, up to rounding of its corners, and the
// distance that of the points.
func (l *leaf) settle() {
	switch {
	case l.near.fa == Face:
		l.near.pa = inside(&l.a, l.near.pa)
	case l.near.fb == Face:
		l.near.pb = inside(&l.b, l.near.pb)
	default:
		return
	}
	d := r3.Sub(l.near.pb, l.near.pa)
	l.near.d2 = geom.Dot(d, d)
}

// inside returns the convex combination of the corners with the weights that p has.
func inside(c *corners, p r3.Vec) r3.Vec {
	r := r3.Sub(p, c.p[0])
	x := clamp(geom.Dot(geom.Cross(r, r3.Scale(-1, c.e[2])), c.normal) / c.n2)
	y := clamp(geom.Dot(geom.Cross(c.e[0], r), c.normal) / c.n2)
	if s := x + y; s > 1 {
		x, y = x/s, y/s
	}
	return r3.Add(c.p[0], r3.Sub(geom.Scale(x, c.e[0]), geom.Scale(y, c.e[2])))
}

// size bounds how far apart two points of a triangle are.
func (c *corners) size() float64 { return math.Sqrt(c.e2[0] + c.e2[1] + c.e2[2]) }
