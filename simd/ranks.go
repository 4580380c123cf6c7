package simd

// Ranks writes the place of each of len(ranks) keys in their order, equal ones in the order in which they are. Behind
// the keys there must be SweepPad more, all of them the largest integer.
//
//	for i := range ranks {
//		ranks[i] = "how many j have keys[j] < keys[i], or keys[j] == keys[i] and j < i"
//	}
//
// Each is compared with all: for up to some hundred keys nothing is faster.
func Ranks(keys, ranks []int32) {
	n := len(ranks)
	if n == 0 {
		return
	}
	_ = keys[n+SweepPad-1]
	switch level {
	case avx512:
		ranks512(keys, ranks)
	case avx2:
		ranks256(keys, ranks)
	default:
		ranksGeneric(keys, ranks)
	}
}
