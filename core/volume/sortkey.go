package volume

import (
	"math"
	"slices"
	"unsafe"
)

// sortKey is a pointer to a contact with the first fields that it is sorted by: a small part of a
// contact's size.
type sortKey struct {
	toi float64
	key uint64 // kind, and the two vertices of the first feature that come first in the order
	c   *Contact
}

const sortKeyBytes = int(unsafe.Sizeof(sortKey{}))

func sortKeyOf(c *Contact) sortKey {
	order := &orders[c.Kind]
	first, second := c.Vertices[order[0]], c.Vertices[order[1]]
	// Kinds are 1 and 2, and vertices are below 2^31.
	return sortKey{c.TOILo, uint64(c.Kind)<<62 | uint64(first)<<31 | uint64(second), c}
}

func compareKeys(a, b sortKey) int {
	switch { // nearly always decided here
	case a.toi < b.toi:
		return -1
	case a.toi > b.toi:
		return 1
	case a.key < b.key:
		return -1
	case a.key > b.key:
		return 1
	}
	return compare(a.c, b.c)
}

// sort sorts the contacts of a worker. A pair is found once, so the order is strict.
func (w *worker) sort() {
	w.keys = slices.Grow(w.keys[:0], w.found.Len())
	for i := range w.found.Len() {
		w.keys = append(w.keys, sortKeyOf(w.found.At(i)))
	}
	w.spare = sortByKey(w.keys, w.spare)
}

// highBits returns the upper half of a time: non-negative doubles are in the order of their bits.
func highBits(toi float64) uint64 { return math.Float64bits(toi+0) >> 32 } // -0 + 0 is +0

// sortByKey sorts by the upper halves of the times, with a stable radix sort, and then the keys
// with equal upper halves by comparison. It returns the scratch memory that it used.
func sortByKey(list, spare []sortKey) []sortKey {
	if len(list) < 256 {
		slices.SortFunc(list, compareKeys)
		return spare
	}
	const digit, digits = 11, 3
	var counts [digits][1 << digit]int32
	for i := range list {
		h := highBits(list[i].toi)
		for d := range counts {
			counts[d][h>>(digit*d)&(1<<digit-1)]++
		}
	}
	spare = resized(spare, len(list))
	from, to := list, spare
	for d := range counts {
		if counts[d][highBits(list[0].toi)>>(digit*d)&(1<<digit-1)] == int32(len(list)) {
			continue // all have the same
		}
		next := int32(0)
		for i, n := range counts[d] {
			counts[d][i] = next
			next += n
		}
		for i := range from {
			at := &counts[d][highBits(from[i].toi)>>(digit*d)&(1<<digit-1)]
			to[*at] = from[i]
			*at++
		}
		from, to = to, from
	}
	if &from[0] != &list[0] {
		copy(list, from)
	}
	for first := 0; first < len(list); {
		end := first + 1
		for h := highBits(list[first].toi); end < len(list) && highBits(list[end].toi) == h; {
			end++
		}
		if end > first+1 {
			slices.SortFunc(list[first:end], compareKeys)
		}
		first = end
	}
	return spare
}
