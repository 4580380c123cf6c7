package rigid

import (
	"math"
	"unsafe"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/bvh"
	"ccd/core/geom"
	"ccd/core/rigid/triangle"
	"ccd/simd/solid"
)

// A leaf is two triangles at one time, seen from A's pivot.
type leaf struct {
	triangle.Pair
	va, vb [3]r3.Vec       // the corners' velocities
	wa, wb [3]float64      // bounds on the magnitudes of their accelerations, divided by the rate: |spin x r|
	low    float64         // the lowest gap of triangles within the tolerance at TMin: see lowest
	rows   solid.Triangles // the same triangles in the layout of the kernels
}

// set loads two triangles in the poses that were computed last.
func (l *leaf) set(q *query, ta, tb *bvh.Triangle) {
	solid.PlaceTriangles(&q.course, (*[9]float64)(unsafe.Pointer(ta)), (*[9]float64)(unsafe.Pointer(tb)), &l.rows)
	read(&l.A, l.rows[:solid.TriangleLen], &l.va, &l.wa)
	read(&l.B, l.rows[solid.TriangleLen:], &l.vb, &l.wb)
	l.choose()
	l.Settle()
}

// read copies a triangle from its rows.
func read(c *triangle.Corners, rows [][4]float64, v *[3]r3.Vec, w *[3]float64) {
	rows = rows[:solid.TriangleN2+1]
	for i := range 3 {
		c.P[i] = r3.Vec{X: rows[solid.TriangleP][i], Y: rows[solid.TriangleP+1][i], Z: rows[solid.TriangleP+2][i]}
		c.E[i] = r3.Vec{X: rows[solid.TriangleE][i], Y: rows[solid.TriangleE+1][i], Z: rows[solid.TriangleE+2][i]}
		v[i] = r3.Vec{X: rows[solid.TriangleV][i], Y: rows[solid.TriangleV+1][i], Z: rows[solid.TriangleV+2][i]}
		c.E2[i], w[i] = rows[solid.TriangleE2][i], rows[solid.TriangleW][i]
	}
	c.Normal = r3.Vec{X: rows[solid.TriangleN][0], Y: rows[solid.TriangleN+1][0], Z: rows[solid.TriangleN+2][0]}
	c.N2 = rows[solid.TriangleN2][0]
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
		l.Near = triangle.Near{
			D2: best, PA: r3.Add(l.A.P[at], geom.Scale(s, l.A.E[at])), PB: r3.Add(l.B.P[j], geom.Scale(u, l.B.E[j])),
			FA: triangle.OnEdge(at, s), FB: triangle.OnEdge(j, u),
		}
	case 1:
		p := l.A.P[at]
		foot := r3.Sub(p, geom.Scale(t[solid.TriangleHeight][at], l.B.Normal))
		l.Near = triangle.Near{D2: best, PA: p, PB: foot, FA: Feature(at), FB: Face}
	case 2:
		p := l.B.P[at]
		foot := r3.Sub(p, geom.Scale(t[solid.TriangleLen+solid.TriangleHeight][at], l.A.Normal))
		l.Near = triangle.Near{D2: best, PA: foot, PB: p, FA: Face, FB: Feature(at)}
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
	write(&l.A, l.rows[:solid.TriangleLen], &l.va, &l.wa)
	write(&l.B, l.rows[solid.TriangleLen:], &l.vb, &l.wb)
	return l.keep(q, f, n, h)
}

// write puts into the rows what keep reads of a triangle.
func write(c *triangle.Corners, rows [][4]float64, v *[3]r3.Vec, w *[3]float64) {
	rows = rows[:solid.TriangleW+1]
	for i := range 4 {
		p, v := &c.P[i%3], &v[i%3]
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
	fa, fb := l.Near.FA, l.Near.FB
	diff := r3.Sub(l.Near.PB, l.Near.PA)
	switch {
	case fa == Face:
		n.n0, ok = geom.Unit(l.A.Normal, diff)
		n.n1 = geom.Cross(q.a.spin, n.n0)
	case fb == Face:
		n.n0, ok = geom.Unit(l.B.Normal, diff)
		n.n1 = geom.Cross(q.b.spin, n.n0)
	case fa >= 3 && fb >= 3:
		return l.acrossEdges(q, int(fa-3), int(fb-3), diff)
	case fa >= 3:
		n.n0, ok = triangle.AcrossEdge(diff, &l.A.E[fa-3])
		n.n1 = geom.Cross(q.a.spin, n.n0)
	case fb >= 3:
		n.n0, ok = triangle.AcrossEdge(diff, &l.B.E[fb-3])
		n.n1 = geom.Cross(q.b.spin, n.n0)
	default:
		n.n0, ok = geom.Unit(diff, diff)
	}
	return n, ok
}

// acrossEdges returns the direction of the product of two edges, unless they are nearly parallel.
func (l *leaf) acrossEdges(q *query, i, j int, diff r3.Vec) (n turning, ok bool) {
	d, e := l.A.E[i], l.B.E[j]
	c := geom.Cross(d, e)
	c2 := geom.Dot(c, c)
	// Below this, the product is rounding, and n0 would be no unit vector.
	if !(c2 > 1e-10*l.A.E2[i]*l.B.E2[j] && c2 > 0x1p-900) {
		n.n0, ok = triangle.AcrossEdge(diff, &d)
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
	try(r3.Sub(l.Near.PB, l.Near.PA), r3.Vec{})
	try(l.A.Normal, q.a.spin)
	try(l.B.Normal, q.b.spin)
	for i := range 3 {
		try(geom.Cross(l.A.Normal, l.A.E[i]), q.a.spin)
		try(geom.Cross(l.B.Normal, l.B.E[i]), q.b.spin)
		for j := range 3 {
			try(geom.Cross(l.A.E[i], l.B.E[j]), q.a.spin)
		}
	}
}
