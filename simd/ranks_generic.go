package simd

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
