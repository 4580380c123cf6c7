package curve

import (
	"math"

	"ccd/simd/internal/query"
	"ccd/simd/internal/vec"
	"ccd/simd/linear"
)

// This file is the float filter of curved paths in single precision, with twice as many queries in
// a register. The differences of control points are computed in double precision and rounded; the
// rest is the program of filter.go on float32, and the axes. Axes, directions and signs are tested
// on each half of the time: a query is apart if a test proves it on the first half and a test on
// the second.
//
// docs/proofs/motions.md, "In single precision": the bounds are those of filter.go with U = 2^-24,
// and M is at least query.Least32.
const (
	// The bounds of filter.go. A coefficient of a half is off by 11U more: a product with a rounded
	// number, and 3k averages. curvedSignBound32 covers 28U, curvedPartSignBound32 55U,
	// curvedNormBound32 29U.
	curvedSignBound32     = 32 * 0x1p-24
	curvedPartSignBound32 = 64 * 0x1p-24
	curvedNormBound32     = 40 * 0x1p-24
	// curvedRangeBound32: a half takes k averages, each U of the size, behind the 15U of
	// curvedRangeBound.
	curvedRangeBound32 = 24 * 0x1p-24
)

// Filter32VF is FilterVF in single precision, with the coordinate axes: it writes to out, in the
// order of list, those positions of list whose vertex-face query may touch within sep at a time in
// [0, tmax], as far as single precision can tell, and returns how many there are. Control points
// may be off by off on each axis. A position left out is a proof that |F|max > sep throughout. out
// may be list itself and must hold len(list) entries.
func Filter32VF(rec []float64, degree int, idx [][4]int32, list []int32, tmax, sep, off float64, out []int32) int {
	return curved32VF(rec, degree, idx, list, tmax, sep, off, out)
}

// Filter32EE is Filter32VF for edge-edge queries.
func Filter32EE(rec []float64, degree int, idx [][4]int32, list []int32, tmax, sep, off float64, out []int32) int {
	return curved32EE(rec, degree, idx, list, tmax, sep, off, out)
}

// curvedBounds32 is filterBounds32 with the separation of computed paths: those of a query are
// nearer to each other by at most 2 off. The sum errs by U of doubles, which the slack covers.
// whole reports whether this is the whole motion without a separation.
func curvedBounds32(tmax, sep, off float64) (bounds [4]float32, whole bool) {
	bounds, _ = linear.FilterBounds32(tmax, sep+2*off)
	return bounds, bounds[1] == 1 && sep == 0
}

func curved32Generic(rec []float64, degree int, idx [][4]int32, list []int32, bounds *[4]float32, whole bool,
	out []int32, face bool) int {
	q := curvedQuery32{face: face, degree: degree}
	n := 0
	for _, i := range list {
		q.load(rec, &idx[i])
		if !whole {
			q.cut(bounds[0], bounds[1])
		}
		if !(q.apart(bounds[2], whole) && vec.Sum32(q.scale) <= query.Largest32) {
			out[n] = i
			n++
		}
	}
	return n
}

// curvedQuery32 is curvedQuery in single precision.
type curvedQuery32 struct {
	face       bool
	degree     int
	a, b, c    [4]vec.Vec32
	ma, mb, mc vec.Vec32
	scale      vec.Vec32
}

func (q *curvedQuery32) load(rec []float64, at *[4]int32) {
	d := curvedQuery{face: q.face, degree: q.degree}
	d.load(rec, at)
	least := vec.Vec32{X: query.Least32, Y: query.Least32, Z: query.Least32}
	q.ma, q.mb, q.mc = least, least, least
	for l := range q.degree + 1 {
		q.a[l], q.b[l], q.c[l] = narrowed(d.a[l]), narrowed(d.b[l]), narrowed(d.c[l])
		q.ma, q.mb, q.mc = vec.LargestOf32(q.ma, q.a[l]), vec.LargestOf32(q.mb, q.b[l]), vec.LargestOf32(q.mc, q.c[l])
	}
	q.scale = vec.Plus32(vec.Plus32(q.ma, q.mb), q.mc)
}

// narrowed returns a vector rounded to single precision.
func narrowed(x vec.Vec3) vec.Vec32 {
	return vec.Vec32{X: float32(x.X), Y: float32(x.Y), Z: float32(x.Z)}
}

// cut does what curvedQuery.cut does.
func (q *curvedQuery32) cut(w0, w1 float32) {
	for _, x := range []*[4]vec.Vec32{&q.a, &q.b, &q.c} {
		for step := 1; step <= q.degree; step++ {
			for l := q.degree; l >= step; l-- {
				x[l] = vec.Blend32([2]vec.Vec32{x[l-1], x[l]}, w0, w1)
			}
		}
	}
}

// scaled is curvedQuery.scaled.
func (q *curvedQuery32) scaled(x *[4]vec.Vec32) [4]vec.Vec32 {
	s := *x
	for l := 1; l < q.degree; l++ {
		w := float32(q.degree)
		s[l] = vec.Vec32{X: w * x[l].X, Y: w * x[l].Y, Z: w * x[l].Z}
	}
	return s
}

// apart reports whether on each half of the time a test proves the query apart.
func (q *curvedQuery32) apart(sep float32, whole bool) bool {
	apart := q.signsApart(sep, whole)
	test := func(size, e float32, project func(vec.Vec32) float32) {
		if size >= query.Smallest32 {
			for h, x := range q.least(project) {
				apart[h] = apart[h] || x > e
			}
		}
	}
	a := q.scaled(&q.a)
	middle := a[0]
	for l := 1; l <= q.degree; l++ {
		middle = vec.Plus32(middle, a[l])
	}
	for k := range 3 {
		pick := func(x vec.Vec32) float32 { return [3]float32{x.X, x.Y, x.Z}[k] }
		minus := math.Signbit(float64(pick(middle)))
		test(pick(q.scale), float32(pick(q.scale)*curvedRangeBound32)+sep, func(x vec.Vec32) float32 {
			if minus {
				return -pick(x)
			}
			return pick(x)
		})
	}
	u, v, t := q.derivatives()
	for _, d := range []vec.Vec32{vec.Cross32(u, v), vec.Cross32(v, t), vec.Cross32(t, u)} {
		m := vec.Vec32{X: vec.Abs32(d.X), Y: vec.Abs32(d.Y), Z: vec.Abs32(d.Z)}
		size := vec.Dot32(m, q.scale)
		if math.Signbit(float64(vec.Dot32(d, middle))) {
			d = vec.Vec32{X: -d.X, Y: -d.Y, Z: -d.Z}
		}
		test(size, float32(size*curvedRangeBound32)+float32(sep*vec.Sum32(m)),
			func(x vec.Vec32) float32 { return vec.Dot32(d, x) })
	}
	return apart[0] && apart[1]
}

// signsApart reports on which halves A.(B x C) keeps its sign.
func (q *curvedQuery32) signsApart(sep float32, whole bool) (apart [2]bool) {
	area := vec.Permanent32(q.mb, q.mc)
	volume := vec.Dot32(q.ma, area)
	if !(volume >= query.Smallest32) {
		return apart
	}
	f, n := q.bernstein()
	e := float32(volume*curvedSignBound32) + float32(sep*vec.Sum32(area))
	if !whole {
		e = float32(volume*curvedPartSignBound32) +
			float32(sep*(vec.Sum32(n)+float32(vec.Sum32(area)*curvedNormBound32)))
	}
	for h, x := range q.signs(&f) {
		above, below := true, true
		for _, y := range x[:3*q.degree+1] {
			above, below = above && y > e, below && -y > e
		}
		apart[h] = above || below
	}
	return apart
}

// signs returns the Bernstein coefficients on both halves of a polynomial in scaled Bernstein form.
func (q *curvedQuery32) signs(f *[10]float32) [2][10]float32 {
	var b [10]float32
	for m, w := range curvedChoose[3*q.degree] {
		b[m] = float32(f[m] * float32(1/w))
	}
	return halved32(b, 3*q.degree)
}

// halved32 returns the control points of both halves of a polynomial of degree k.
func halved32(x [10]float32, k int) (y [2][10]float32) {
	y[0][0], y[1][k] = x[0], x[k]
	for n := 1; n <= k; n++ {
		for l := range k + 1 - n {
			x[l] = float32(0.5 * (x[l] + x[l+1]))
		}
		y[0][n], y[1][k-n] = x[0], x[k-n]
	}
	return y
}

// least returns the least of the projections a + u b + v c at the control points of each half.
func (q *curvedQuery32) least(project func(vec.Vec32) float32) (least [2]float32) {
	var x [3][2][10]float32
	for v, from := range []*[4]vec.Vec32{&q.a, &q.b, &q.c} {
		var y [10]float32
		for l := range q.degree + 1 {
			y[l] = project(from[l])
		}
		x[v] = halved32(y, q.degree)
	}
	for h := range least {
		for l := range q.degree + 1 {
			a, b, c := x[0][h][l], x[1][h][l], x[2][h][l]
			low := a + min(b, 0) + min(c, 0)
			if q.face {
				low = a + min(b, c, 0)
			}
			if l == 0 || low < least[h] {
				least[h] = low
			}
		}
	}
	return least
}

// bernstein is curvedQuery.bernstein.
func (q *curvedQuery32) bernstein() (f [10]float32, largest vec.Vec32) {
	k := q.degree
	a, b, c := q.scaled(&q.a), q.scaled(&q.b), q.scaled(&q.c)
	var begun [10]bool
	choose := curvedChoose[2*k]
	for m := range 2*k + 1 {
		var n vec.Vec32
		for i := max(0, m-k); i <= min(k, m); i++ {
			if x := vec.Cross32(b[i], c[m-i]); i == max(0, m-k) {
				n = x
			} else {
				n = vec.Plus32(n, x)
			}
		}
		w := float32(1 / choose[m])
		largest = vec.LargestOf32(largest, vec.Vec32{X: n.X * w, Y: n.Y * w, Z: n.Z * w})
		for i := range k + 1 {
			if x := vec.Dot32(a[i], n); begun[i+m] {
				f[i+m] += x
			} else {
				f[i+m], begun[i+m] = x, true
			}
		}
	}
	return f, largest
}

// derivatives is curvedQuery.derivatives.
func (q *curvedQuery32) derivatives() (u, v, t vec.Vec32) {
	k, middle := q.degree, float32(0.5)
	if q.face {
		middle = 1.0 / 3
	}
	b, c := q.scaled(&q.b), q.scaled(&q.c)
	u, v = b[0], c[0]
	for l := 1; l <= k; l++ {
		u, v = vec.Plus32(u, b[l]), vec.Plus32(v, c[l])
	}
	at := func(l int) vec.Vec32 {
		s := vec.Plus32(q.b[l], q.c[l])
		return vec.Vec32{X: q.a[l].X + float32(middle*s.X), Y: q.a[l].Y + float32(middle*s.Y), Z: q.a[l].Z +
			float32(middle*s.Z)}
	}
	t = vec.Minus32(at(k), at(0))
	if k == 3 {
		t = vec.Plus32(t, vec.Minus32(at(2), at(1)))
	}
	return u, v, t
}
