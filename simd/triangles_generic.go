package simd

import "math"

// triangle is one of Triangles.
type triangle struct {
	p, v, e [3]vec3
	w, e2   [3]float64
	n       vec3
	n2      float64
}

func (t *triangle) place(m *RelativeMotion, lane int, of *[9]float64) {
	b := m.body(lane)
	for i := range t.p {
		arm := b.turn(minus(vec3{of[3*i], of[3*i+1], of[3*i+2]}, b.pivot))
		turn := cross(b.spin, arm)
		t.w[i] = math.Sqrt(dot(turn, turn)) * advanceStretch
		t.p[i], t.v[i] = arm, turn
		if lane > 0 { // A's pivot is the origin and stands still
			t.p[i], t.v[i] = plus(arm, b.x), plus(turn, b.v)
		}
	}
	for i := range t.e {
		t.e[i] = minus(t.p[(i+1)%3], t.p[i])
		t.e2[i] = dot(t.e[i], t.e[i])
	}
	t.n = cross(t.e[0], t.e[1])
	t.n2 = dot(t.n, t.n)
}

func (t *triangle) write(out *Triangles, from int) {
	for k := range 4 {
		i := k % 3
		for j, row := range [4]int{TriangleP, TriangleV, TriangleE, TriangleN} {
			v := [4]vec3{t.p[i], t.v[i], t.e[i], t.n}[j]
			out[from+row][k], out[from+row+1][k], out[from+row+2][k] = v.x, v.y, v.z
		}
		out[from+TriangleW][k], out[from+TriangleE2][k], out[from+TriangleN2][k] = t.w[i], t.e2[i], t.n2
	}
}

// placeTrianglesGeneric writes out for triangles given by nine numbers each, moved by m. Nearest points are about the nearest: rounding may choose
// others where edges are nearly parallel or triangles small. Edges whose distance is NaN are not chosen.
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
	r := minus(a.p[i], b.p[j])
	de, dr, er := dot(d, e), dot(d, r), dot(e, r)
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
	pa := vec3{a.p[i].x + float64(s*d.x), a.p[i].y + float64(s*d.y), a.p[i].z + float64(s*d.z)}
	pb := vec3{b.p[j].x + float64(t*e.x), b.p[j].y + float64(t*e.y), b.p[j].z + float64(t*e.z)}
	diff := minus(pb, pa)
	return dot(diff, diff), s, t
}

// unitClamp is the number in [0, 1] nearest to x, 0 for NaN.
func unitClamp(x float64) float64 {
	if !(x > 0) {
		return 0
	}
	if x < 1 {
		return x
	}
	return 1
}

// corner is the square of the distance of p from the inside of t, and its height in normals.
func (t *triangle) corner(p vec3) (d2, height float64) {
	h := dot(minus(p, t.p[0]), t.n)
	height = h / t.n2
	d2 = float64(h*h) / t.n2
	if !(t.n2 > 0) {
		d2 = math.Inf(1)
	}
	for i := range 3 { // the sides of the edges, in the plane
		if dot(cross(t.n, t.e[i]), minus(p, t.p[i])) < 0 {
			d2 = math.Inf(1)
		}
	}
	return d2, height
}

// keepTrianglesGeneric is a time, at most the span, before which no corner of B comes as near as the goal to one of A along d: the least over the
// nine pairs of the roots of d + v s - k s^2, and 0 where one of the gaps is not positive to begin with; rigid's leaf derives d, v, k.
func keepTrianglesGeneric(t *Triangles, d *Turn) float64 {
	n0, n1 := vec3{d.N0[0], d.N0[1], d.N0[2]}, vec3{d.N1[0], d.N1[1], d.N1[2]}
	along := func(n vec3, row, i int) float64 { return dot(n, vec3{t[row][i], t[row+1][i], t[row+2][i]}) }
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
