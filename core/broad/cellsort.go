package broad

import (
	"math"
	"math/bits"
	"unsafe"

	"ccd/simd"
)

// cellSorter holds the working memory for sorting the entries of a cell.
type cellSorter struct {
	keys, ranks []int32
	order       [2][]keyed
	count       [4][256]int32
}

// fewEntries is the largest number of entries for which comparing all with all is the fastest way to sort.
const fewEntries = 192

// sort writes the ids of the entries to out in the order of their keys, and of their positions where keys are equal.
func (s *cellSorter) sort(entries []keyed, out []int32) {
	if len(entries) > fewEntries {
		if !s.spread(entries, out) {
			for i, e := range s.radix(entries) {
				out[i] = e.id
			}
		}
		return
	}
	if s.keys == nil {
		s.keys, s.ranks = make([]int32, fewEntries+simd.SweepPad), make([]int32, fewEntries)
	}
	n := len(entries)
	keys, ranks := s.keys[:n+simd.SweepPad], s.ranks[:n]
	for i := range entries {
		keys[i] = entries[i].key
	}
	for i := n; i < len(keys); i++ {
		keys[i] = math.MaxInt32
	}
	simd.Ranks(keys, ranks)
	for i, r := range ranks {
		out[r] = entries[i].id
	}
}

// Bins are for at most so many entries, and so many comparisons an entry within them.
const (
	spreadEntries = 1 << 12
	spreadMoves   = 12
)

// spread is sort by bins of equal width along the axis, about as many as entries, and then by insertion, which puts right whatever is left. It reports
// false, with nothing done, where the entries are too crowded for that.
func (s *cellSorter) spread(entries []keyed, out []int32) bool {
	n := len(entries)
	if n > spreadEntries {
		return false
	}
	least, most := entries[0].key, entries[0].key
	for i := range entries {
		least, most = min(least, entries[i].key), max(most, entries[i].key)
	}
	bins := 1 << bits.Len(uint(n-1))
	lo := floatOf(least)
	scale := float32(bins-1) / (floatOf(most) - lo)
	if !(scale > 0 && scale < math.MaxFloat32) {
		return false
	}
	// The second list of radix has room for two numbers an entry, and there are fewer than twice as many bins as entries.
	start := unsafe.Slice((*int32)(unsafe.Pointer(unsafe.SliceData(grow(&s.order[1], n)))), 2*n)[:bins+1]
	clear(start)
	binOf := func(key int32) int { return int(uint16((floatOf(key) - lo) * scale)) }
	for i := range entries {
		start[binOf(entries[i].key)]++
	}
	sum, moves := int32(0), int32(0)
	for b, k := range start {
		start[b] = sum
		sum += k
		moves += k * k
	}
	if int(moves) > spreadMoves*n {
		return false
	}
	sorted := grow(&s.order[0], n)
	for i := range entries {
		at := &start[binOf(entries[i].key)]
		sorted[*at] = entries[i]
		*at++
	}
	for i := 1; i < n; i++ {
		x, j := sorted[i], i
		for ; j > 0 && sorted[j-1].key > x.key; j-- {
			sorted[j] = sorted[j-1]
		}
		sorted[j] = x
	}
	for i := range sorted {
		out[i] = sorted[i].id
	}
	return true
}

// radix sorts from the lowest byte up and skips bytes that are equal in all keys.
func (s *cellSorter) radix(entries []keyed) []keyed {
	clear(s.count[:])
	const flip = math.MinInt32 // so that the order is that of unsigned numbers
	for _, e := range entries {
		k := uint32(e.key ^ flip)
		s.count[0][k&255]++
		s.count[1][k>>8&255]++
		s.count[2][k>>16&255]++
		s.count[3][k>>24]++
	}
	a, into := entries, 0
	for i := range s.count {
		shift, c := 8*i, &s.count[i]
		if int(c[uint32(entries[0].key^flip)>>shift&255]) == len(entries) {
			continue
		}
		sum := int32(0)
		for d, n := range c {
			c[d] = sum
			sum += n
		}
		b := grow(&s.order[into], len(entries))
		for _, e := range a {
			at := &c[uint32(e.key^flip)>>shift&255]
			b[*at] = e
			*at++
		}
		a, into = b, 1-into
	}
	return a
}

func (s *cellSorter) bytes() int {
	return 4*(cap(s.keys)+cap(s.ranks)) + 8*(cap(s.order[0])+cap(s.order[1]))
}
