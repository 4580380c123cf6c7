package simd

// RankLanes is the number of keys whose ranks are counted at once: Ranks reads and writes so many beyond those that there are.
const RankLanes = 32

// Ranks writes the place of each of the first n keys in their order, equal ones in the order in which they are. keys and ranks have RankLanes - 1 more
// numbers; those of keys do not matter, and what becomes of those of ranks is undefined.
//
//	for i := range n {
//		ranks[i] = "how many j < n have keys[j] < keys[i], or keys[j] == keys[i] and j < i"
//	}
//
// Each is compared with all: for up to some hundred keys nothing is faster.
func Ranks(keys, ranks []int32, n int) {
	if n == 0 {
		return
	}
	_, _ = keys[n+RankLanes-2], ranks[n+RankLanes-2]
	rank(keys, ranks, n)
}
