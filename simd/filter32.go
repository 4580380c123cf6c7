package simd

import "math"

// The float filter in single precision: twice as many queries in a register, and as selective for most scenes. The differences of vertices are taken in
// double precision and rounded; the rest is the program of filter.go on float32.
//
// docs/proofs/kernels.md, "In single precision": the bounds are those of filter.go with U = 2^-24, and M is at least least32.
const (
	axisBound32        = 7 * 0x1p-24
	directionBound32   = 10 * 0x1p-24
	cubicEndBound32    = 18 * 0x1p-24
	cubicMiddleBound32 = 60 * 0x1p-24
	normBound32        = 12 * 0x1p-24
	// least32: a magnitude below it counts as this much, so that the error of an entry that underflows is far below U M.
	least32 = 0x1p-100
	// Beyond largest32 nothing is excluded, so no test overflows; a test whose magnitude lies below smallest32 excludes nothing, so that underflow, at
	// most 2^-110, is far below the slack of every bound, half of U smallest32.
	largest32  = 0x1p30
	smallest32 = 0x1p-60
	// separationSlack32 makes up for the roundings of a product of the separation, and of itself: at most 12U of it.
	separationSlack32 = 1 + 0x1p-19
)

// Single reports whether there are kernels in single precision at the level in use: the reference is no faster than that of filter.go.
func Single() bool { return level != generic }

// Filter32VF is FilterVF in single precision: it writes to out, in the order of list, those positions of list whose vertex-face query may touch within
// sep at a time in [0, tmax], as far as single precision can tell, and returns how many there are. A position left out is a proof that |F|max > sep
// throughout. out may be list itself and must hold len(list) entries. It may leave more or fewer than FilterVF.
func Filter32VF(rec []float64, idx [][4]int32, list []int32, tmax, sep float64, out []int32) int {
	out = out[:len(list)]
	bounds, whole := filterBounds32(tmax, sep)
	if whole {
		return filter32WholeVF(rec, idx, list, &bounds, out)
	}
	return filter32PartVF(rec, idx, list, &bounds, out)
}

// Filter32EE is Filter32VF for edge-edge queries.
func Filter32EE(rec []float64, idx [][4]int32, list []int32, tmax, sep float64, out []int32) int {
	out = out[:len(list)]
	bounds, whole := filterBounds32(tmax, sep)
	if whole {
		return filter32WholeEE(rec, idx, list, &bounds, out)
	}
	return filter32PartEE(rec, idx, list, &bounds, out)
}

// filterBounds32 are the weights of the two ends of the motion at a time not before tmax, and the separation with slack, once and three times. Where the separation
// overflows nothing is excluded. whole tells that this is the whole motion without a separation.
func filterBounds32(tmax, sep float64) (bounds [4]float32, whole bool) {
	t, s := float32(tmax), float32(sep*separationSlack32)
	if float64(t) < tmax {
		t = math.Nextafter32(t, 2)
	}
	if sep > 0 {
		s = max(s, least32)
	}
	return [4]float32{1 - t, t, s, float32(3 * s)}, t == 1 && s == 0
}
