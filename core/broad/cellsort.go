package broad

import (
	"math"
	"math/bits"

	"ccd/simd/box"
)

// cellSorter holds the working memory for sorting the entries of a cell.
type cellSorter struct {
	keys, ranks, ids []int32
	bins             []uint8
	order            [2][]keyed
	count            [4][256]int32
}

// fewEntries is the largest number of entries for which comparing all with all is the fastest way
// to sort.
const fewEntries = 240

// sort writes the ids of the entries to out in the order of their keys, and of their positions
// where keys are equal.
func (s *cellSorter) sort(entries []keyed, out []int32) {
	if len(entries) > fewEntries {
		if !s.spread(entries, out) {
			for i, e := range s.radix(entries) {
				out[i] = e.id
			}
		}
		return
	}
	s.reserve(len(entries))
	keys := s.keys[:len(entries)]
	for i := range entries {
		keys[i] = entries[i].key
	}
	box.Ranks(s.keys, s.ranks, len(entries))
	for i, r := range s.ranks[:len(entries)] {
		out[r] = entries[i].id
	}
}

// reserve grows the working memory for n entries.
func (s *cellSorter) reserve(n int) {
	if len(s.ids) < n {
		more := n + n/4
		s.keys, s.ranks = make([]int32, more+box.RankLanes), make([]int32, more+box.RankLanes)
		s.ids, s.bins = make([]int32, more), make([]uint8, more)
	}
}

// Bins have about binEntries entries. Those of at most spreadEntries entries, and spreadCompared
// comparisons an entry within them, are sorted so.
const (
	binEntries     = 32
	spreadEntries  = 1 << 12
	spreadCompared = 256
	mostBins       = 2 * spreadEntries / binEntries
)

// spread is sort by bins of equal width along the axis, and then by comparing all entries of a bin
// with all. It reports false, with nothing done, where the entries are too crowded for that.
func (s *cellSorter) spread(entries []keyed, out []int32) bool {
	n := len(entries)
	if n > spreadEntries {
		return false
	}
	least, most := extremeKeys(entries)
	bins := 1 << bits.Len(uint((n-1)/binEntries))
	lo := floatOf(least)
	scale := float32(bins-1) / (floatOf(most) - lo)
	if !(scale > 0 && scale < math.MaxFloat32) {
		return false
	}
	s.reserve(n)
	var start [mostBins + 1]int32
	of := s.bins[:n]
	for i := range entries {
		b := uint8((floatOf(entries[i].key) - lo) * scale)
		of[i] = b
		start[b]++
	}
	sum, compared := int32(0), int32(0)
	for b, k := range start[:bins+1] {
		start[b] = sum
		sum += k
		compared += k * k
	}
	if int(compared) > spreadCompared*n {
		return false
	}
	keys, numbers := s.keys[:n], s.ids[:n]
	for i, e := range entries {
		at := &start[of[i]]
		keys[*at], numbers[*at] = e.key, e.id
		*at++
	}
	from := int32(0)
	for _, end := range start[:bins] { // each is where the next begins
		k := int(end - from)
		box.Ranks(s.keys[from:], s.ranks, k)
		ids, to := s.ids[from:end], out[from:end]
		for i, r := range s.ranks[:k] {
			to[r] = ids[i]
		}
		from = end
	}
	return true
}

// extremeKeys returns the least and the largest key of at least four entries. Each number of a
// chain waits for the one before, so there are four chains.
func extremeKeys(entries []keyed) (least, most int32) {
	a, b, c, d := entries[0].key, entries[1].key, entries[2].key, entries[3].key
	e, f, g, h := a, b, c, d
	rest := entries[4:]
	for ; len(rest) >= 4; rest = rest[4:] {
		w, x, y, z := rest[0].key, rest[1].key, rest[2].key, rest[3].key
		a, b, c, d = min(a, w), min(b, x), min(c, y), min(d, z)
		e, f, g, h = max(e, w), max(f, x), max(g, y), max(h, z)
	}
	for i := range rest {
		a, e = min(a, rest[i].key), max(e, rest[i].key)
	}
	return min(a, b, c, d), max(e, f, g, h)
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
	return 4*(cap(s.keys)+cap(s.ranks)+cap(s.ids)) + cap(s.bins) + 8*(cap(s.order[0])+cap(s.order[1]))
}
