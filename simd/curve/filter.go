package curve

import (
	"math"

	"ccd/simd/internal/query"
	"ccd/simd/internal/vec"
)

// This file is the float filter of curved paths: the tests of simd/linear/filter.go on queries
// whose vertices move on polynomials of degree 2 or 3 in t.
//
// A path record of degree k is the 3(k+1) coordinates of a vertex's control points: x(t) = sum_l
// B_l(t) x_l. rec holds one number more behind the last record, which may be anything: kernels load
// four at a time. A query is F = A + u B + v C as in filter.go, with the control points A_l, B_l,
// C_l. docs/proofs/motions.md, "Kernels", derives every bound below; the tests hold them against
// math/big.
//
// Notation: U = 2^-53. M_A, M_B, M_C are the componentwise maxima of |A_l|, |B_l|, |C_l| over l, S
// their sum. Entries are off by U M; those of the part [0, tmax] by (1 + 3k) U M, 10U M at most.
const (
	// curvedSignBound: a scaled coefficient of A.(B x C) is a sum of terms that take three entries,
	// three products with a binomial, a product and a difference, k sums, a product, two sums and k
	// sums: (11 + 2k) U, 17U of C(3k,m) P. Of a part (44 + ...) U at k = 3.
	curvedSignBound     = 32 * 0x1p-53
	curvedPartSignBound = 64 * 0x1p-53
	// curvedNormBound: a scaled component of B x C takes two entries, two products with a binomial,
	// a product, a difference and k sums, and then a product with 1 / C(2k,m), which is rounded:
	// 11U of its permanent; of a part 29U.
	curvedNormBound = 40 * 0x1p-53
	// curvedRangeBound: the projection on a direction, taken as it is, adds a product, two sums of
	// the dot product and two of the range to the entries' U or 10U: 15U sum|d_k| S_k at most.
	curvedRangeBound = 18 * 0x1p-53
)

// AxesVF writes to out, in rising order, the positions of the vertex-face queries that no
// coordinate axis separates by more than sep at all control indices with the vertex on the same
// side, and returns how many there are. A query left out is a proof for all t: a component of F at
// fixed u and v is a polynomial with the components of its control points for Bernstein
// coefficients. Nothing is lost to rounding: see AxisCullVF. degree is 2 or 3, sep at least 0; out
// must hold len(idx) entries.
func AxesVF(rec []float64, degree int, idx [][4]int32, sep float64, out []int32) int {
	return curvedAxesVF(degree, rec, idx, sep, out[:len(idx)])
}

// AxesEE is AxesVF for edge-edge queries.
func AxesEE(rec []float64, degree int, idx [][4]int32, sep float64, out []int32) int {
	return curvedAxesEE(degree, rec, idx, sep, out[:len(idx)])
}

// FilterVF is FilterVF for paths of degree 2 or 3: a position that it leaves out is a proof that
// |F|max > sep throughout [0, tmax].
//
// A query is apart if A.(B x C), of degree 3k, keeps its sign in Bernstein form, by more than sep
// |B x C| and its bound; or if one of the directions u x v, v x t, t x u separates by more than sep
// and its bound at all control indices; or, where tmax < 1 or sep > 0, if a coordinate axis does.
// u, v and t are the derivatives of F by its parameters in the middle.
func FilterVF(rec []float64, degree int, idx [][4]int32, list []int32, tmax, sep float64, out []int32) int {
	return curvedVF(rec, degree, idx, list, tmax, sep, out)
}

// FilterEE is FilterVF for edge-edge queries.
func FilterEE(rec []float64, degree int, idx [][4]int32, list []int32, tmax, sep float64, out []int32) int {
	return curvedEE(rec, degree, idx, list, tmax, sep, out)
}

func curvedAxesGeneric(rec []float64, degree int, idx [][4]int32, sep float64, out []int32, face bool) int {
	n, stride := 0, 3*(degree+1)
	for i := range idx {
		q := &idx[i]
		p0, p1 := rec[stride*int(q[0]):][:stride], rec[stride*int(q[1]):][:stride]
		p2, p3 := rec[stride*int(q[2]):][:stride], rec[stride*int(q[3]):][:stride]
		keep := 1
		for k := 0; k < 3 && keep == 1; k++ {
			up, down := true, true
			for l := k; l < stride && (up || down); l += 3 {
				if face {
					up, down = up && query.Above(sep, p0[l], p1[l], p2[l], p3[l]), down && query.Below(sep,
						p0[l], p1[l], p2[l], p3[l])
				} else {
					up, down = up && query.Over(sep, p0[l], p1[l], p2[l], p3[l]), down && query.Over(sep,
						p2[l], p3[l], p0[l], p1[l])
				}
			}
			if up || down {
				keep = 0
			}
		}
		out[n] = int32(i)
		n += keep
	}
	return n
}

func curvedGeneric(rec []float64, degree int, idx [][4]int32, list []int32, bounds *[4]float64, out []int32,
	face bool) int {
	part := bounds[1] != 1 || bounds[2] != 0
	q := curvedQuery{face: face, degree: degree}
	n := 0
	for _, i := range list {
		q.load(rec, &idx[i])
		if part {
			q.cut(bounds[0], bounds[1])
		}
		apart := part && q.axesApart(bounds[2]) || q.signApart(bounds[2], part)
		if !apart {
			u, v, t := q.derivatives()
			apart = q.directionApart(vec.Cross(u, v), bounds[2]) ||
				q.directionApart(vec.Cross(v, t), bounds[2]) || q.directionApart(vec.Cross(t, u), bounds[2])
		}
		if !(apart && vec.Sum(q.scale) <= query.Largest) {
			out[n] = i
			n++
		}
	}
	return n
}

// curvedQuery is the control points of A, B, C on an interval, and the maxima over the whole
// motion.
type curvedQuery struct {
	face       bool
	degree     int
	a, b, c    [4]vec.Vec3
	ma, mb, mc vec.Vec3
	scale      vec.Vec3
}

func (q *curvedQuery) load(rec []float64, at *[4]int32) {
	stride := 3 * (q.degree + 1)
	var p [4][]float64
	for j := range p {
		p[j] = rec[stride*int(at[j]):][:stride]
	}
	pairs := [3][2]int{{0, 2}, {1, 0}, {2, 3}}
	if q.face {
		pairs = [3][2]int{{0, 1}, {1, 2}, {1, 3}}
	}
	q.ma, q.mb, q.mc = vec.Vec3{}, vec.Vec3{}, vec.Vec3{}
	for l := range q.degree + 1 {
		minus := func(pair [2]int) vec.Vec3 {
			x, y := p[pair[0]][3*l:3*l+3], p[pair[1]][3*l:3*l+3]
			return vec.Vec3{X: x[0] - y[0], Y: x[1] - y[1], Z: x[2] - y[2]}
		}
		q.a[l], q.b[l], q.c[l] = minus(pairs[0]), minus(pairs[1]), minus(pairs[2])
		q.ma, q.mb, q.mc = vec.LargestOf(q.ma, q.a[l]), vec.LargestOf(q.mb, q.b[l]), vec.LargestOf(q.mc, q.c[l])
	}
	q.scale = vec.Plus(vec.Plus(q.ma, q.mb), q.mc)
}

// cut restricts the query to the part up to the time whose weights are w0 and w1, by de Casteljau's
// algorithm.
func (q *curvedQuery) cut(w0, w1 float64) {
	for _, x := range []*[4]vec.Vec3{&q.a, &q.b, &q.c} {
		for step := 1; step <= q.degree; step++ {
			for l := q.degree; l >= step; l-- {
				x[l] = vec.Blend([2]vec.Vec3{x[l-1], x[l]}, w0, w1)
			}
		}
	}
}

// curvedChoose has the binomial coefficients of the degrees of paths and of their products.
var curvedChoose = [...][]float64{
	2: {1, 2, 1}, 3: {1, 3, 3, 1}, 4: {1, 4, 6, 4, 1}, 6: {1, 6, 15, 20, 15, 6, 1}, 9: {1, 9, 36, 84, 126, 126,
		84, 36, 9, 1},
}

// scaled returns the control points times their binomial coefficients.
func (q *curvedQuery) scaled(x *[4]vec.Vec3) [4]vec.Vec3 {
	s := *x
	for l := 1; l < q.degree; l++ {
		w := float64(q.degree)
		s[l] = vec.Vec3{X: w * x[l].X, Y: w * x[l].Y, Z: w * x[l].Z}
	}
	return s
}

func (q *curvedQuery) signApart(sep float64, part bool) bool {
	area := vec.Permanent(q.mb, q.mc)
	volume := vec.Dot(q.ma, area)
	if !(volume >= query.Smallest) {
		return false
	}
	f, n := q.bernstein()
	e := float64(volume * curvedSignBound)
	if part {
		e = float64(volume*curvedPartSignBound) + float64(sep*(vec.Sum(n)+float64(vec.Sum(area)*curvedNormBound)))
	}
	up := !math.Signbit(f[0])
	for m, w := range curvedChoose[3*q.degree] {
		y := f[m]
		if !up {
			y = -y
		}
		if !(y > float64(e*w)) {
			return false
		}
	}
	return true
}

// bernstein returns A.(B x C) in scaled Bernstein form, and the largest magnitudes of the
// coefficients of B x C, as computed.
func (q *curvedQuery) bernstein() (f [10]float64, largest vec.Vec3) {
	k := q.degree
	a, b, c := q.scaled(&q.a), q.scaled(&q.b), q.scaled(&q.c)
	var begun [10]bool
	choose := curvedChoose[2*k]
	for m := range 2*k + 1 {
		var n vec.Vec3
		for i := max(0, m-k); i <= min(k, m); i++ {
			if x := vec.Cross(b[i], c[m-i]); i == max(0, m-k) {
				n = x
			} else {
				n = vec.Plus(n, x)
			}
		}
		w := 1 / choose[m]
		largest = vec.LargestOf(largest, vec.Vec3{X: n.X * w, Y: n.Y * w, Z: n.Z * w})
		for i := range k + 1 {
			if x := vec.Dot(a[i], n); begun[i+m] {
				f[i+m] += x
			} else {
				f[i+m], begun[i+m] = x, true
			}
		}
	}
	return f, largest
}

// derivatives returns the derivatives of F by u, v and t in the middle, each times a positive
// number, because only their directions matter.
func (q *curvedQuery) derivatives() (u, v, t vec.Vec3) {
	k, middle := q.degree, 0.5
	if q.face {
		middle = 1.0 / 3
	}
	b, c := q.scaled(&q.b), q.scaled(&q.c)
	u, v = b[0], c[0]
	for l := 1; l <= k; l++ {
		u, v = vec.Plus(u, b[l]), vec.Plus(v, c[l])
	}
	at := func(l int) vec.Vec3 {
		s := vec.Plus(q.b[l], q.c[l])
		return vec.Vec3{X: q.a[l].X + float64(middle*s.X), Y: q.a[l].Y + float64(middle*s.Y), Z: q.a[l].Z +
			float64(middle*s.Z)}
	}
	t = vec.Minus(at(k), at(0))
	if k == 3 {
		t = vec.Plus(t, vec.Minus(at(2), at(1)))
	}
	return u, v, t
}

func (q *curvedQuery) axesApart(sep float64) bool {
	for k := range 3 {
		pick := func(x vec.Vec3) float64 { return [3]float64{x.X, x.Y, x.Z}[k] }
		if scale := pick(q.scale); scale >= query.Smallest && q.beyond(float64(scale*curvedRangeBound)+sep, pick) {
			return true
		}
	}
	return false
}

func (q *curvedQuery) directionApart(d vec.Vec3, sep float64) bool {
	m := vec.Vec3{X: math.Abs(d.X), Y: math.Abs(d.Y), Z: math.Abs(d.Z)}
	size := vec.Dot(m, q.scale)
	return size >= query.Smallest && q.beyond(float64(size*curvedRangeBound)+float64(sep*vec.Sum(m)),
		func(x vec.Vec3) float64 { return vec.Dot(d, x) })
}

// beyond reports whether the projections a + u b + v c, as computed, exceed e at all control
// indices or lie below -e at all.
func (q *curvedQuery) beyond(e float64, project func(vec.Vec3) float64) bool {
	above, below := true, true
	for l := 0; l <= q.degree && (above || below); l++ {
		lo, hi := q.reach(project(q.a[l]), project(q.b[l]), project(q.c[l]))
		above, below = above && lo > e, below && -hi > e
	}
	return above || below
}

// reach returns the range of a + u b + v c over the domain of u and v.
func (q *curvedQuery) reach(a, b, c float64) (lo, hi float64) {
	if q.face {
		return a + min(b, c, 0), a + max(b, c, 0)
	}
	return a + min(b, 0) + min(c, 0), a + max(b, 0) + max(c, 0)
}
