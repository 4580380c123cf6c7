package linear

import (
	"math"

	"ccd/simd/internal/level"
	"ccd/simd/internal/query"
	"ccd/simd/internal/vec"
)

// This file is the float filter in single precision. It tests twice as many queries in a register,
// and is as selective in most scenes. The differences of vertices are computed in double precision
// and rounded; the rest is the program of filter.go on float32.
//
// docs/proofs/kernels.md, "In single precision": the bounds are those of filter.go with U = 2^-24,
// and M is at least query.Least32.
const (
	axisBound32        = 7 * 0x1p-24
	directionBound32   = 10 * 0x1p-24
	cubicEndBound32    = 18 * 0x1p-24
	cubicMiddleBound32 = 60 * 0x1p-24
	normBound32        = 12 * 0x1p-24

	// separationSlack32 makes up for the roundings of a product of the separation, and of itself:
	// at most 12U of it.
	separationSlack32 = 1 + 0x1p-19
)

// Single reports whether there are kernels in single precision at the level in use: the reference
// is no faster than that of filter.go.
func Single() bool { return level.Now != level.Generic }

// Filter32VF is FilterVF in single precision: it writes to out, in the order of list, those
// positions of list whose vertex-face query may touch within sep at a time in [0, tmax], as far as
// single precision can tell, and returns how many there are. A position left out is a proof that
// |F|max > sep throughout. out may be list itself and must hold len(list) entries. The list may be
// longer or shorter than that of FilterVF.
func Filter32VF(rec []float64, idx [][4]int32, list []int32, tmax, sep float64, out []int32) int {
	return filter32VF(rec, idx, list, tmax, sep, out)
}

// Filter32EE is Filter32VF for edge-edge queries.
func Filter32EE(rec []float64, idx [][4]int32, list []int32, tmax, sep float64, out []int32) int {
	return filter32EE(rec, idx, list, tmax, sep, out)
}

// FilterBounds32 returns the weights of the two ends of the motion at a time not before tmax, and
// the separation with slack, once and three times. Where the separation overflows nothing is
// excluded. whole is true for the whole motion without a separation.
func FilterBounds32(tmax, sep float64) (bounds [4]float32, whole bool) {
	t, s := float32(tmax), float32(sep*separationSlack32)
	if float64(t) < tmax {
		t = math.Nextafter32(t, 2)
	}
	if sep > 0 {
		s = max(s, query.Least32)
	}
	return [4]float32{1 - t, t, s, float32(3 * s)}, t == 1 && s == 0
}

func filter32Generic(rec []float64, idx [][4]int32, list []int32, bounds *[4]float32, out []int32, face bool) int {
	part := bounds[1] != 1 || bounds[2] != 0
	var q filterQuery32
	n := 0
	for _, i := range list {
		q.load(rec, &idx[i], face)
		q.measure()
		if part {
			q.cut(bounds[0], bounds[1])
		}
		apart := part && q.axesApart(bounds[2]) || q.cubicApart(bounds[2], bounds[3])
		if !apart {
			u, v, t := q.derivatives()
			apart = q.directionApart(vec.Cross32(u, v), bounds[2]) ||
				q.directionApart(vec.Cross32(v, t), bounds[2]) || q.directionApart(vec.Cross32(t, u), bounds[2])
		}
		if !(apart && q.finite()) {
			out[n] = i
			n++
		}
	}
	return n
}

// filterQuery32 is filterQuery in single precision.
type filterQuery32 struct {
	face       bool
	a, b, c    [2]vec.Vec32
	ma, mb, mc vec.Vec32
	scale      vec.Vec32
}

func (q *filterQuery32) load(rec []float64, at *[4]int32, face bool) {
	var d filterQuery
	d.load(rec, at, face)
	q.face = face
	q.a, q.b, q.c = rounded(d.a), rounded(d.b), rounded(d.c)
}

// rounded returns a motion rounded to single precision.
func rounded(m [2]vec.Vec3) [2]vec.Vec32 {
	return [2]vec.Vec32{{X: float32(m[0].X), Y: float32(m[0].Y), Z: float32(m[0].Z)}, {X: float32(m[1].X),
		Y: float32(m[1].Y), Z: float32(m[1].Z)}}
}

func (q *filterQuery32) measure() {
	least := vec.Vec32{X: query.Least32, Y: query.Least32, Z: query.Least32}
	q.ma = vec.LargestOf32(vec.LargestOf32(q.a[0], q.a[1]), least)
	q.mb = vec.LargestOf32(vec.LargestOf32(q.b[0], q.b[1]), least)
	q.mc = vec.LargestOf32(vec.LargestOf32(q.c[0], q.c[1]), least)
	q.scale = vec.Plus32(vec.Plus32(q.ma, q.mb), q.mc)
}

// cut moves the second end to the time whose weights are w0 and w1.
func (q *filterQuery32) cut(w0, w1 float32) {
	q.a[1], q.b[1], q.c[1] = vec.Blend32(q.a, w0, w1), vec.Blend32(q.b, w0, w1), vec.Blend32(q.c, w0, w1)
}

func (q *filterQuery32) finite() bool { return vec.Sum32(q.scale) <= query.Largest32 }

func (q *filterQuery32) axesApart(sep float32) bool {
	return q.axisApart(q.scale.X, sep, q.a[0].X, q.b[0].X, q.c[0].X, q.a[1].X, q.b[1].X, q.c[1].X) ||
		q.axisApart(q.scale.Y, sep, q.a[0].Y, q.b[0].Y, q.c[0].Y, q.a[1].Y, q.b[1].Y, q.c[1].Y) ||
		q.axisApart(q.scale.Z, sep, q.a[0].Z, q.b[0].Z, q.c[0].Z, q.a[1].Z, q.b[1].Z, q.c[1].Z)
}

func (q *filterQuery32) axisApart(scale, sep, a0, b0, c0, a1, b1, c1 float32) bool {
	e := float32(scale*axisBound32) + sep
	return scale >= query.Smallest32 && q.beyond(e, a0, b0, c0, a1, b1, c1)
}

// beyond is filterQuery.beyond.
func (q *filterQuery32) beyond(e, a0, b0, c0, a1, b1, c1 float32) bool {
	if !(vec.Abs32(a0) > e) {
		return false // The range contains a0, so it is on neither side.
	}
	if a0 < 0 {
		a0, b0, c0, a1, b1, c1 = -a0, -b0, -c0, -a1, -b1, -c1
	}
	return q.least(a0, b0, c0) > e && q.least(a1, b1, c1) > e
}

// least returns the minimum of a + u b + v c over the domain of u and v.
func (q *filterQuery32) least(a, b, c float32) float32 {
	if q.face {
		return a + min(b, c, 0)
	}
	return a + min(b, 0) + min(c, 0)
}

func (q *filterQuery32) cubicApart(sep, sep3 float32) bool {
	area := vec.Permanent32(q.mb, q.mc)
	volume := vec.Dot32(q.ma, area)
	if !(volume >= query.Smallest32) {
		return false
	}
	f0, f1, f2, f3, n := q.bernstein()
	e, e3 := float32(volume*cubicEndBound32), float32(volume*cubicMiddleBound32)
	if sep > 0 {
		norm := vec.Sum32(n) + float32(vec.Sum32(area)*normBound32)
		e, e3 = e+float32(sep*norm), e3+float32(sep3*norm)
	}
	if f0 < 0 {
		f0, f1, f2, f3 = -f0, -f1, -f2, -f3
	}
	return f0 > e && f3 > e && f1 >= e3 && f2 >= e3
}

// bernstein is filterQuery.bernstein.
func (q *filterQuery32) bernstein() (f0, f1, f2, f3 float32, n vec.Vec32) {
	n0, n2 := vec.Cross32(q.b[0], q.c[0]), vec.Cross32(q.b[1], q.c[1])
	n1 := vec.Plus32(vec.Cross32(q.b[0], q.c[1]), vec.Cross32(q.b[1], q.c[0]))
	f0, f3 = vec.Dot32(q.a[0], n0), vec.Dot32(q.a[1], n2)
	f1 = vec.Dot32(q.a[1], n0) + vec.Dot32(q.a[0], n1)
	f2 = vec.Dot32(q.a[1], n1) + vec.Dot32(q.a[0], n2)
	return f0, f1, f2, f3, vec.LargestOf32(vec.LargestOf32(n0, vec.Vec32{X: n1.X * 0.5, Y: n1.Y * 0.5,
		Z: n1.Z * 0.5}), n2)
}

// derivatives is filterQuery.derivatives.
func (q *filterQuery32) derivatives() (u, v, t vec.Vec32) {
	middle := float32(0.5)
	if q.face {
		middle = 1.0 / 3
	}
	u, v = vec.Plus32(q.b[0], q.b[1]), vec.Plus32(q.c[0], q.c[1])
	a, s := vec.Minus32(q.a[1], q.a[0]), vec.Plus32(vec.Minus32(q.b[1], q.b[0]), vec.Minus32(q.c[1], q.c[0]))
	return u, v, vec.Vec32{X: a.X + float32(middle*s.X), Y: a.Y + float32(middle*s.Y), Z: a.Z + float32(middle*s.Z)}
}

func (q *filterQuery32) directionApart(d vec.Vec32, sep float32) bool {
	m := vec.Vec32{X: vec.Abs32(d.X), Y: vec.Abs32(d.Y), Z: vec.Abs32(d.Z)}
	size := vec.Dot32(m, q.scale)
	if !(size >= query.Smallest32) {
		return false
	}
	e := float32(size*directionBound32) + float32(sep*vec.Sum32(m))
	return q.beyond(e, vec.Dot32(d, q.a[0]), vec.Dot32(d, q.b[0]), vec.Dot32(d, q.c[0]), vec.Dot32(d, q.a[1]),
		vec.Dot32(d, q.b[1]), vec.Dot32(d, q.c[1]))
}
