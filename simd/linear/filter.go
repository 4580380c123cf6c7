package linear

import (
	"math"

	"ccd/simd/internal/query"
	"ccd/simd/internal/vec"
)

// This file is the float filter: tests on eight queries at once that prove most of them separate.
//
// A query is F(t,u,v) = A(t) + u B(t) + v C(t), with A, B, C linear in t: vertex-face A = v-f0, B =
// f0-f1, C = f0-f2 over u, v >= 0, u+v <= 1; edge-edge A = a0-b0, B = a1-a0, C = b0-b1 over
// [0,1]^2. Contact within sep means |F|max <= sep. docs/proofs/kernels.md, derives every bound
// below; the tests hold them against math/big.
//
// Notation: U = 2^-53. M_A, M_B, M_C are the componentwise maxima of |A|, |B|, |C| over the ends of
// the whole motion, S their sum. Entries at a time of the interval are off by at most 4U M.
const (
	// axisBound: A + min(B,0) + min(C,0) on an axis adds two roundings to the entries' 4U: 6U S,
	// and one for S itself.
	axisBound = 7 * 0x1p-53
	// directionBound: the projection of a whole primitive on a direction d, taken as it is, adds a
	// product, two additions of the dot product and two of the range to the entries' 4U: 9U
	// sum|d_k| S_k, and one for the computed sum.
	directionBound = 10 * 0x1p-53
	// cubicEndBound and cubicMiddleBound: a determinant whose entries are off by 4U M and which
	// takes a product, a difference, a product and two additions is off by 17U P, P the permanent
	// of M_A, M_B, M_C; the middle Bernstein coefficients, times three, are sums of three
	// determinants with two more additions: 3 x 19U P. The rest covers second order terms.
	cubicEndBound    = 18 * 0x1p-53
	cubicMiddleBound = 60 * 0x1p-53
	// normBound: a component of B x C in Bernstein form is off by at most 11U times its permanent.
	normBound = 12 * 0x1p-53

	// separationSlack makes up for the roundings of a product of the separation: at most 10U of it.
	separationSlack = 1 + 0x1p-48
	// leastSeparation: a positive separation is raised to it, so that its slack does not underflow.
	leastSeparation = 0x1p-900
)

// FilterVF writes to out, in the order of list, those positions of list whose vertex-face query may
// touch within sep at a time in [0, tmax], as far as floats can tell, and returns how many there
// are. A position left out is a proof that |F|max > sep throughout. out may be list itself and must
// hold len(list) entries.
//
// A query is apart if the cubic A.(B x C) keeps its sign in Bernstein form, by more than sep |B x
// C| and its bound; or if one of the directions u x v, v x t, t x u separates by more than sep and
// its bound at both ends; or, where tmax < 1 or sep > 0, if a coordinate axis does. u, v and t are
// the derivatives of F by its parameters at the middle of the motion. tmax lies in [0, 1], sep in
// [0, 1e150]. The result may be "may touch" for any query whose size is beyond 2^250, or whose
// volume or area is nearly zero.
func FilterVF(rec []float64, idx [][4]int32, list []int32, tmax, sep float64, out []int32) int {
	return filterVF(rec, idx, list, tmax, sep, out)
}

// FilterEE is FilterVF for edge-edge queries.
func FilterEE(rec []float64, idx [][4]int32, list []int32, tmax, sep float64, out []int32) int {
	return filterEE(rec, idx, list, tmax, sep, out)
}

// FilterBounds holds the weights of the two ends of the motion at tmax, and the separation with
// slack, once and three times.
func FilterBounds(tmax, sep float64) [4]float64 {
	if sep > 0 {
		sep = max(sep*separationSlack, leastSeparation)
	}
	return [4]float64{1 - tmax, tmax, sep, 3 * sep}
}

func filterGeneric(rec []float64, idx [][4]int32, list []int32, bounds *[4]float64, out []int32, face bool) int {
	part := bounds[1] != 1 || bounds[2] != 0
	var q filterQuery
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
			apart = q.directionApart(vec.Cross(u, v), bounds[2]) ||
				q.directionApart(vec.Cross(v, t), bounds[2]) || q.directionApart(vec.Cross(t, u), bounds[2])
		}
		if !(apart && q.finite()) {
			out[n] = i
			n++
		}
	}
	return n
}

// filterQuery is A, B, C at both ends of an interval, and the maxima over the whole motion.
type filterQuery struct {
	face       bool
	a, b, c    [2]vec.Vec3
	ma, mb, mc vec.Vec3
	scale      vec.Vec3
}

func (q *filterQuery) load(rec []float64, at *[4]int32, face bool) {
	q.face = face
	p0, p1, p2, p3 := query.Line(rec, at[0]), query.Line(rec, at[1]), query.Line(rec, at[2]), query.Line(rec, at[3])
	if face {
		q.a = [2]vec.Vec3{vec.Difference(p0, p1, 0), vec.Difference(p0, p1, 4)}
		q.b = [2]vec.Vec3{vec.Difference(p1, p2, 0), vec.Difference(p1, p2, 4)}
		q.c = [2]vec.Vec3{vec.Difference(p1, p3, 0), vec.Difference(p1, p3, 4)}
		return
	}
	q.a = [2]vec.Vec3{vec.Difference(p0, p2, 0), vec.Difference(p0, p2, 4)}
	q.b = [2]vec.Vec3{vec.Difference(p1, p0, 0), vec.Difference(p1, p0, 4)}
	q.c = [2]vec.Vec3{vec.Difference(p2, p3, 0), vec.Difference(p2, p3, 4)}
}

func (q *filterQuery) measure() {
	q.ma, q.mb, q.mc = vec.LargestOf(q.a[0], q.a[1]), vec.LargestOf(q.b[0], q.b[1]), vec.LargestOf(q.c[0], q.c[1])
	q.scale = vec.Plus(vec.Plus(q.ma, q.mb), q.mc)
}

// cut moves the second end to the time whose weights are w0 and w1.
func (q *filterQuery) cut(w0, w1 float64) {
	q.a[1], q.b[1], q.c[1] = vec.Blend(q.a, w0, w1), vec.Blend(q.b, w0, w1), vec.Blend(q.c, w0, w1)
}

func (q *filterQuery) finite() bool { return vec.Sum(q.scale) <= query.Largest }

func (q *filterQuery) axesApart(sep float64) bool {
	return q.axisApart(q.scale.X, sep, q.a[0].X, q.b[0].X, q.c[0].X, q.a[1].X, q.b[1].X, q.c[1].X) ||
		q.axisApart(q.scale.Y, sep, q.a[0].Y, q.b[0].Y, q.c[0].Y, q.a[1].Y, q.b[1].Y, q.c[1].Y) ||
		q.axisApart(q.scale.Z, sep, q.a[0].Z, q.b[0].Z, q.c[0].Z, q.a[1].Z, q.b[1].Z, q.c[1].Z)
}

func (q *filterQuery) axisApart(scale, sep, a0, b0, c0, a1, b1, c1 float64) bool {
	e := float64(scale*axisBound) + sep
	return scale >= query.Smallest && q.beyond(e, a0, b0, c0, a1, b1, c1)
}

// beyond reports whether a + u b + v c, as computed, exceeds e at both ends or lies below -e at
// both. It tests the side on which the first a lies, so that one range for each end is enough. A
// change of sign rounds nothing.
func (q *filterQuery) beyond(e, a0, b0, c0, a1, b1, c1 float64) bool {
	if !(math.Abs(a0) > e) {
		return false // The range contains a0, so it is on neither side.
	}
	if a0 < 0 {
		a0, b0, c0, a1, b1, c1 = -a0, -b0, -c0, -a1, -b1, -c1
	}
	return q.least(a0, b0, c0) > e && q.least(a1, b1, c1) > e
}

// least returns the minimum of a + u b + v c over the domain of u and v.
func (q *filterQuery) least(a, b, c float64) float64 {
	if q.face {
		return a + min(b, c, 0)
	}
	return a + min(b, 0) + min(c, 0)
}

func (q *filterQuery) cubicApart(sep, sep3 float64) bool {
	area := vec.Permanent(q.mb, q.mc)
	volume := vec.Dot(q.ma, area)
	if !(volume >= query.Smallest) {
		return false
	}
	f0, f1, f2, f3, n := q.bernstein()
	e, e3 := float64(volume*cubicEndBound), float64(volume*cubicMiddleBound)
	if sep > 0 {
		norm := vec.Sum(n) + float64(vec.Sum(area)*normBound)
		e, e3 = e+float64(sep*norm), e3+float64(sep3*norm)
	}
	if f0 < 0 {
		f0, f1, f2, f3 = -f0, -f1, -f2, -f3
	}
	return f0 > e && f3 > e && f1 >= e3 && f2 >= e3
}

// bernstein returns the coplanarity cubic A.(B x C) in Bernstein form on the interval, the middle
// coefficients times three, and a bound on the components of B x C, as computed.
func (q *filterQuery) bernstein() (f0, f1, f2, f3 float64, n vec.Vec3) {
	n0, n2 := vec.Cross(q.b[0], q.c[0]), vec.Cross(q.b[1], q.c[1])
	n1 := vec.Plus(vec.Cross(q.b[0], q.c[1]), vec.Cross(q.b[1], q.c[0]))
	f0, f3 = vec.Dot(q.a[0], n0), vec.Dot(q.a[1], n2)
	f1 = vec.Dot(q.a[1], n0) + vec.Dot(q.a[0], n1)
	f2 = vec.Dot(q.a[1], n1) + vec.Dot(q.a[0], n2)
	return f0, f1, f2, f3, vec.LargestOf(vec.LargestOf(n0, vec.Vec3{X: n1.X * 0.5, Y: n1.Y * 0.5, Z: n1.Z * 0.5}), n2)
}

// derivatives returns the derivatives of F by u, v and t at the middle, times two where that saves
// a product.
func (q *filterQuery) derivatives() (u, v, t vec.Vec3) {
	middle := 0.5
	if q.face {
		middle = 1.0 / 3
	}
	u, v = vec.Plus(q.b[0], q.b[1]), vec.Plus(q.c[0], q.c[1])
	a, s := vec.Minus(q.a[1], q.a[0]), vec.Plus(vec.Minus(q.b[1], q.b[0]), vec.Minus(q.c[1], q.c[0]))
	return u, v, vec.Vec3{X: a.X + float64(middle*s.X), Y: a.Y + float64(middle*s.Y), Z: a.Z + float64(middle*s.Z)}
}

func (q *filterQuery) directionApart(d vec.Vec3, sep float64) bool {
	m := vec.Vec3{X: math.Abs(d.X), Y: math.Abs(d.Y), Z: math.Abs(d.Z)}
	size := vec.Dot(m, q.scale)
	if !(size >= query.Smallest) {
		return false
	}
	e := float64(size*directionBound) + float64(sep*vec.Sum(m))
	return q.beyond(e, vec.Dot(d, q.a[0]), vec.Dot(d, q.b[0]), vec.Dot(d, q.c[0]), vec.Dot(d, q.a[1]),
		vec.Dot(d, q.b[1]), vec.Dot(d, q.c[1]))
}
