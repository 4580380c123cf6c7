package box

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

// ranksGeneric sorts by insertion: order[:i] are the positions of the first i keys, sorted.
func ranksGeneric(keys, ranks []int32) {
	var few [256]int32
	order := few[:]
	if len(ranks) > len(few) {
		order = make([]int32, len(ranks))
	}
	for i := range ranks {
		k, j := keys[i], i
		for ; j > 0 && keys[order[j-1]] > k; j-- {
			order[j] = order[j-1]
		}
		order[j] = int32(i)
	}
	for r, i := range order[:len(ranks)] {
		ranks[i] = int32(r)
	}
}
