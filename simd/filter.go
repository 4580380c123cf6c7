package simd

// The float filter: tests on eight queries at once that prove most of them separate.
//
// A query is F(t,u,v) = A(t) + u B(t) + v C(t), with A, B, C linear in t: vertex-face A = v-f0, B = f0-f1, C = f0-f2 over
// u, v >= 0, u+v <= 1; edge-edge A = a0-b0, B = a1-a0, C = b0-b1 over [0,1]^2. Contact within sep means |F|max <= sep.
// docs/proofs/kernels.md, derives every bound below; the tests hold them against math/big.
//
// Notation: U = 2^-53. M_A, M_B, M_C are the componentwise maxima of |A|, |B|, |C| over the ends of the whole motion, S
// their sum. Entries at a time of the interval are off by at most 4U M.
const (
	// axisBound: A + min(B,0) + min(C,0) on an axis adds two roundings to the entries' 4U: 6U S, and one for S itself.
	axisBound = 7 * 0x1p-53
	// directionBound: the projection of a whole primitive on a direction d, taken as it is, adds a product, two additions
	// of the dot product and two of the range to the entries' 4U: 9U sum|d_k| S_k, and one for the computed sum.
	directionBound = 10 * 0x1p-53
	// cubicEndBound and cubicMiddleBound: a determinant whose entries are off by 4U M and which takes a product, a
	// difference, a product and two additions is off by 17U P, P the permanent of M_A, M_B, M_C; the middle Bernstein
	// coefficients, times three, are sums of three determinants with two more additions: 3 x 19U P. The rest covers
	// second order terms.
	cubicEndBound    = 18 * 0x1p-53
	cubicMiddleBound = 60 * 0x1p-53
	// normBound: a component of B x C in Bernstein form is off by at most 11U times its permanent.
	normBound = 12 * 0x1p-53
	// Beyond largest nothing is excluded, so no test overflows; a test whose magnitude (S_k, sum|d_k| S_k, P) lies
	// below smallest excludes nothing, so that underflow, at most 2^-560 under the first condition, is far below the
	// slack of every bound.
	largest  = 0x1p250
	smallest = 0x1p-500
	// separationSlack makes up for the roundings of a product of the separation: at most 10U of it.
	separationSlack = 1 + 0x1p-48
	// leastSeparation: a positive separation is raised to it, so that its slack does not underflow.
	leastSeparation = 0x1p-900
)

// FilterVF writes to out, in the order of list, those positions of list whose vertex-face query may touch within sep at a
// time in [0, tmax], as far as floats can tell, and returns how many there are. A position left out is a proof that
// |F|max > sep throughout. out may be list itself and must hold len(list) entries.
//
// A query is apart if the cubic A.(B x C) keeps its sign in Bernstein form, by more than sep |B x C| and its bound; or if one
// of the directions u x v, v x t, t x u separates by more than sep and its bound at both ends; or, where tmax < 1 or sep > 0,
// if a coordinate axis does. u, v and t are the derivatives of F by its parameters at the middle of the motion. tmax lies in [0, 1], sep in [0,
// 1e150]. The result may be "may touch" for any query whose size is beyond 2^250, or whose volume or area is nearly
// zero.
func FilterVF(rec []float64, idx [][4]int32, list []int32, tmax, sep float64, out []int32) int {
	out = out[:len(list)]
	bounds := filterBounds(tmax, sep)
	if tmax == 1 && sep == 0 {
		return filterWholeVF(rec, idx, list, &bounds, out)
	}
	return filterPartVF(rec, idx, list, &bounds, out)
}

// FilterEE is FilterVF for edge-edge queries.
func FilterEE(rec []float64, idx [][4]int32, list []int32, tmax, sep float64, out []int32) int {
	out = out[:len(list)]
	bounds := filterBounds(tmax, sep)
	if tmax == 1 && sep == 0 {
		return filterWholeEE(rec, idx, list, &bounds, out)
	}
	return filterPartEE(rec, idx, list, &bounds, out)
}

// filterBounds are the weights of the two ends of the motion at tmax, and the separation with slack, once and three times.
func filterBounds(tmax, sep float64) [4]float64 {
	if sep > 0 {
		sep = max(sep*separationSlack, leastSeparation)
	}
	return [4]float64{1 - tmax, tmax, sep, 3 * sep}
}
