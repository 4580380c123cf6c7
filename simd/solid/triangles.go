package solid

import (
	"math"

	"ccd/simd/internal/vec"
)

// Triangles are two triangles at a time: rows of four numbers, one for each corner or for the edge
// that begins there, and the first one again.
type Triangles [TrianglesLen][4]float64

// Rows of Triangles: of A, then the same of B, then what is between them.
const (
	TriangleP  = 0  // corners
	TriangleV  = 3  // their velocities
	TriangleW  = 6  // bounds on |spin x arm|
	TriangleE  = 7  // edges, to the next corner
	TriangleE2 = 10 // their squares
	TriangleN  = 11 // the normal, in all columns: the product of the first two edges
	TriangleN2 = 14 // its square
	// TriangleCorner is the square of a corner's distance from the inside of the other triangle;
	// +Inf where its foot is not inside.
	TriangleCorner = 15
	TriangleHeight = 16 // the corner is at its foot plus so many normals of the other triangle
	TriangleLen    = 17

	EdgesD2      = 34 // the square of the distance of edge i of A and the nearest of B's three edges
	EdgesS       = 35 // the nearest point of A's, in [0, 1]
	EdgesT       = 36 // that of B's, which is
	EdgesShift   = 37 // number i plus this, around
	TrianglesLen = 38
)

// Turn is a direction n0 + s n1 along which triangles are compared, with the margins.
type Turn struct {
	N0, N1 [3]float64
	Goal   float64 // what the gap must exceed at s = 0
	VLess  float64 // what its derivative may lose
	KMore  float64 // what its curvature may gain
	KA, KB float64 // the curvature of a corner for each unit of TriangleW
	Span   float64
}

// triangle is one of Triangles.
type triangle struct {
	p, v, e [3]vec.Vec3
	w, e2   [3]float64
	n       vec.Vec3
	n2      float64
}

func (t *triangle) place(m *RelativeMotion, lane int, of *[9]float64) {
	b := m.body(lane)
	for i := range t.p {
		arm := b.turn(vec.Minus(vec.Vec3{X: of[3*i], Y: of[3*i+1], Z: of[3*i+2]}, b.pivot))
		turn := vec.Cross(b.spin, arm)
		t.w[i] = math.Sqrt(vec.Dot(turn, turn)) * advanceStretch
		t.p[i], t.v[i] = arm, turn
		if lane > 0 { // A's pivot is the origin and stands still
			t.p[i], t.v[i] = vec.Plus(arm, b.x), vec.Plus(turn, b.v)
		}
	}
	for i := range t.e {
		t.e[i] = vec.Minus(t.p[(i+1)%3], t.p[i])
		t.e2[i] = vec.Dot(t.e[i], t.e[i])
	}
	t.n = vec.Cross(t.e[0], t.e[1])
	t.n2 = vec.Dot(t.n, t.n)
}

func (t *triangle) write(out *Triangles, from int) {
	for k := range 4 {
		i := k % 3
		for j, row := range [4]int{TriangleP, TriangleV, TriangleE, TriangleN} {
			v := [4]vec.Vec3{t.p[i], t.v[i], t.e[i], t.n}[j]
			out[from+row][k], out[from+row+1][k], out[from+row+2][k] = v.X, v.Y, v.Z
		}
		out[from+TriangleW][k], out[from+TriangleE2][k], out[from+TriangleN2][k] = t.w[i], t.e2[i], t.n2
	}
}

// placeTrianglesGeneric writes out for triangles given by nine numbers each, moved by m. Nearest
// points are about the nearest: rounding may choose others where edges are nearly parallel or
// triangles small. Edges whose distance is NaN are not chosen.
func placeTrianglesGeneric(m *RelativeMotion, a, b *[9]float64, out *Triangles) {
	var ta, tb triangle
	ta.place(m, 0, a)
	tb.place(m, 2, b)
	ta.write(out, 0)
	tb.write(out, TriangleLen)
	for i := range 3 {
		out[EdgesD2][i] = math.Inf(1)
		out[EdgesS][i], out[EdgesT][i], out[EdgesShift][i] = 0, 0, 0
		for shift := range 3 {
			d2, s, t := edges(&ta, &tb, i, (i+shift)%3)
			if d2 < out[EdgesD2][i] {
				out[EdgesD2][i], out[EdgesS][i], out[EdgesT][i], out[EdgesShift][i] = d2, s, t, float64(shift)
			}
		}
		out[TriangleCorner][i], out[TriangleHeight][i] = tb.corner(ta.p[i])
		out[TriangleLen+TriangleCorner][i], out[TriangleLen+TriangleHeight][i] = ta.corner(tb.p[i])
	}
	for row := range out {
		out[row][3] = out[row][0]
	}
}

// edges finds the nearest points of two edges; see Ericson, Real-Time Collision Detection, 5.1.9.
func edges(a, b *triangle, i, j int) (d2, s, t float64) {
	d, e := a.e[i], b.e[j]
	dd, ee := a.e2[i], b.e2[j]
	r := vec.Minus(a.p[i], b.p[j])
	de, dr, er := vec.Dot(d, e), vec.Dot(d, r), vec.Dot(e, r)
	if det, size := float64(dd*ee)-float64(de*de), float64(dd*ee); det > float64(1e-14*size) {
		s = unitClamp((float64(de*er) - float64(dr*ee)) / det)
	}
	if ee > 0 {
		t = (float64(de*s) + er) / ee
	}
	if c := unitClamp(t); c < t || c > t || !(ee > 0) {
		t = c
		if dd > 0 {
			s = unitClamp((float64(de*t) - dr) / dd)
		}
	}
	pa := vec.Vec3{X: a.p[i].X + float64(s*d.X), Y: a.p[i].Y + float64(s*d.Y), Z: a.p[i].Z + float64(s*d.Z)}
	pb := vec.Vec3{X: b.p[j].X + float64(t*e.X), Y: b.p[j].Y + float64(t*e.Y), Z: b.p[j].Z + float64(t*e.Z)}
	diff := vec.Minus(pb, pa)
	return vec.Dot(diff, diff), s, t
}

// unitClamp returns the number in [0, 1] nearest to x, 0 for NaN.
func unitClamp(x float64) float64 {
	if !(x > 0) {
		return 0
	}
	if x < 1 {
		return x
	}
	return 1
}

// corner returns the square of the distance of p from the inside of t, and its height in normals.
func (t *triangle) corner(p vec.Vec3) (d2, height float64) {
	h := vec.Dot(vec.Minus(p, t.p[0]), t.n)
	height = h / t.n2
	d2 = float64(h*h) / t.n2
	if !(t.n2 > 0) {
		d2 = math.Inf(1)
	}
	for i := range 3 { // the sides of the edges, in the plane
		if vec.Dot(vec.Cross(t.n, t.e[i]), vec.Minus(p, t.p[i])) < 0 {
			d2 = math.Inf(1)
		}
	}
	return d2, height
}

// keepTrianglesGeneric returns a time, at most the span, before which no corner of B comes as near
// as the goal to one of A along d: the least over the nine pairs of the roots of d + v s - k s^2,
// and 0 where one of the gaps is not positive to begin with; rigid's leaf derives d, v, k.
func keepTrianglesGeneric(t *Triangles, d *Turn) float64 {
	n0, n1 := vec.Vec3{X: d.N0[0], Y: d.N0[1], Z: d.N0[2]}, vec.Vec3{X: d.N1[0], Y: d.N1[1], Z: d.N1[2]}
	along := func(n vec.Vec3, row, i int) float64 {
		return vec.Dot(n, vec.Vec3{X: t[row][i], Y: t[row+1][i], Z: t[row+2][i]})
	}
	var da, ua, ca, db, ub, cb [3]float64
	for i := range 3 {
		const b = TriangleLen
		da[i] = along(n0, TriangleP, i)
		ua[i] = along(n0, TriangleV, i) + along(n1, TriangleP, i)
		ca[i] = float64(d.KA*t[TriangleW][i]) + along(n1, TriangleV, i)
		db[i] = along(n0, b+TriangleP, i) - d.Goal
		ub[i] = (along(n0, b+TriangleV, i) + along(n1, b+TriangleP, i)) - d.VLess
		cb[i] = (float64(d.KB*t[b+TriangleW][i]) - along(n1, b+TriangleV, i)) + d.KMore
	}
	best := d.Span
	for i := range 3 {
		for j := range 3 {
			best = min(best, keepRoot(db[j]-da[i], ub[j]-ua[i], greater(ca[i]+cb[j], 0), d.Span))
		}
	}
	return best
}

// keepRoot is advanceRoot for k >= 0.
func keepRoot(d, v, k, h float64) float64 {
	if d > 0 && v >= 0 && k == 0 {
		return h
	}
	return advanceRoot(d, v, k, h)
}
