package volume

import (
	"math"
	"slices"
	"unsafe"
)

// place is a contact's, with the first of what it is sorted by beside it: a small part of a contact's size.
type place struct {
	toi float64
	key uint64 // kind, and the two vertices of the first feature that come first in the order
	c   *Contact
}

const placeLen = int(unsafe.Sizeof(place{}))

func placeOf(c *Contact) place {
	order := &orders[c.Kind]
	first, second := c.Vertices[order[0]], c.Vertices[order[1]]
	return place{c.TOILo, uint64(c.Kind)<<62 | uint64(first)<<31 | uint64(second), c} // kinds are 1 and 2, vertices below 2^31
}

func comparePlaces(a, b place) int {
	switch { // nearly always settled here
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

// sort orders what a worker has found. A pair is found once, so the order is strict.
func (w *worker) sort() {
	w.places = slices.Grow(w.places[:0], w.found.n)
	for i := range w.found.n {
		w.places = append(w.places, placeOf(w.found.at(i)))
	}
	w.spare = sortPlaces(w.places, w.spare)
}

// highBits is the upper half of a time: for doubles that are not negative, bits are in their order.
func highBits(toi float64) uint64 { return math.Float64bits(toi+0) >> 32 } // +0 makes of a negative zero a positive one

// sortPlaces sorts by the upper halves of the times, digit by digit from the last, which moves no equals past each other, and
// then those with one upper half by comparing. It returns the spare room that it used.
func sortPlaces(list, spare []place) []place {
	if len(list) < 256 {
		slices.SortFunc(list, comparePlaces)
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
			slices.SortFunc(list[first:end], comparePlaces)
		}
		first = end
	}
	return spare
}
