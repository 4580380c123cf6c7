package simd

// The float filter of curved paths: the tests of filter.go on queries whose vertices move on polynomials of degree 2 or 3 in t.
//
// A path record of degree k is the 3(k+1) coordinates of a vertex's control points: x(t) = sum_l B_l(t) x_l. rec holds one number more behind the last
// record, which may be anything: kernels load four at a time. A query is F = A + u B + v C as in filter.go, with the control points A_l, B_l, C_l.
// docs/proofs/motions.md, "Kernels", derives every bound below; the tests hold them against math/big.
//
// Notation: U = 2^-53. M_A, M_B, M_C are the componentwise maxima of |A_l|, |B_l|, |C_l| over l, S their sum. Entries are off by U M; those of the
// part [0, tmax] by (1 + 3k) U M, 10U M at most.
const (
	// curvedSignBound: a scaled coefficient of A.(B x C) is a sum of terms that take three entries, three products with a binomial, a product and a
	// difference, k sums, a product, two sums and k sums: (11 + 2k) U, 17U of C(3k,m) P. Of a part (44 + ...) U at k = 3.
	curvedSignBound     = 32 * 0x1p-53
	curvedPartSignBound = 64 * 0x1p-53
	// curvedNormBound: a scaled component of B x C takes two entries, two products with a binomial, a product, a difference and k sums, and then a
	// product with 1 / C(2k,m), which is rounded: 11U of its permanent; of a part 29U.
	curvedNormBound = 40 * 0x1p-53
	// curvedRangeBound: the projection on a direction, taken as it is, adds a product, two sums of the dot product and two of the range to the
	// entries' U or 10U: 15U sum|d_k| S_k at most.
	curvedRangeBound = 18 * 0x1p-53
)

// CurvedAxesVF writes to out, in rising order, the positions of the vertex-face queries that no coordinate axis separates by more than sep at all control
// indices with the vertex on the same side, and returns how many there are. A query left out is a proof for all t: a component of F at fixed u and v is a
// polynomial with the components of its control points for Bernstein coefficients. Nothing is lost to rounding: see AxisCullVF. degree is 2
// or 3, sep at least 0; out must hold len(idx) entries.
func CurvedAxesVF(rec []float64, degree int, idx [][4]int32, sep float64, out []int32) int {
	out = out[:len(idx)]
	if degree == 2 {
		return curvedAxes2VF(rec, idx, sep, out)
	}
	return curvedAxes3VF(rec, idx, sep, out)
}

// CurvedAxesEE is CurvedAxesVF for edge-edge queries.
func CurvedAxesEE(rec []float64, degree int, idx [][4]int32, sep float64, out []int32) int {
	out = out[:len(idx)]
	if degree == 2 {
		return curvedAxes2EE(rec, idx, sep, out)
	}
	return curvedAxes3EE(rec, idx, sep, out)
}

// CurvedVF is FilterVF for paths of degree 2 or 3: a position that it leaves out is a proof that |F|max > sep throughout [0, tmax].
//
// A query is apart if A.(B x C), of degree 3k, keeps its sign in Bernstein form, by more than sep |B x C| and its bound; or if one of the directions u x v, v x
// t, t x u separates by more than sep and its bound at all control indices; or, where tmax < 1 or sep > 0, if a coordinate axis does. u, v and t
// are the derivatives of F by its parameters in the middle.
func CurvedVF(rec []float64, degree int, idx [][4]int32, list []int32, tmax, sep float64, out []int32) int {
	out = out[:len(list)]
	bounds := filterBounds(tmax, sep)
	whole := tmax == 1 && sep == 0
	switch {
	case degree == 2 && whole:
		return curved2VF(rec, idx, list, &bounds, out)
	case degree == 2:
		return curvedPart2VF(rec, idx, list, &bounds, out)
	case whole:
		return curved3VF(rec, idx, list, &bounds, out)
	}
	return curvedPart3VF(rec, idx, list, &bounds, out)
}

// CurvedEE is CurvedVF for edge-edge queries.
func CurvedEE(rec []float64, degree int, idx [][4]int32, list []int32, tmax, sep float64, out []int32) int {
	out = out[:len(list)]
	bounds := filterBounds(tmax, sep)
	whole := tmax == 1 && sep == 0
	switch {
	case degree == 2 && whole:
		return curved2EE(rec, idx, list, &bounds, out)
	case degree == 2:
		return curvedPart2EE(rec, idx, list, &bounds, out)
	case whole:
		return curved3EE(rec, idx, list, &bounds, out)
	}
	return curvedPart3EE(rec, idx, list, &bounds, out)
}
