package step

import (
	"cmp"
	"slices"

	"ccd/core/geom"
)

// spot is where an impact is among what the crew found, with its time in steps of 2^-32.
type spot struct {
	time    uint32
	who, at int32
}

// gather merges what the crew found, in the order of impacts. A pair is found once, so the order is strict, and the
// list does not depend on who found what.
//
// Impacts are large, so spots are sorted in their stead, and each impact is moved once: a radix sort by the rounded
// time, which is monotone, and then the few with equal rounded times in full.
func (e *engine) gather() []geom.Impact {
	var spots []spot
	for i, w := range e.crew {
		spots = slices.Grow(spots, len(w.found))
		for j := range w.found {
			spots = append(spots, spot{uint32(w.found[j].TOILo * (1<<32 - 1)), int32(i), int32(j)})
		}
	}
	spots = byTime(spots)
	for i := 0; i < len(spots); {
		j := i + 1
		for j < len(spots) && spots[j].time == spots[i].time {
			j++
		}
		if j > i+1 {
			e.settle(spots[i:j])
		}
		i = j
	}
	all := make([]geom.Impact, len(spots))
	for i, s := range spots {
		all[i] = e.crew[s.who].found[s.at]
	}
	return all
}

// settle puts impacts in order.
func (e *engine) settle(spots []spot) {
	slices.SortFunc(spots, func(x, y spot) int {
		a, b := &e.crew[x.who].found[x.at], &e.crew[y.who].found[y.at]
		return cmp.Or(cmp.Compare(a.TOILo, b.TOILo), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.A, b.A), cmp.Compare(a.B, b.B))
	})
}

// byTime sorts by time, eleven bits at a time, and returns the sorted slice.
func byTime(a []spot) []spot {
	b := make([]spot, len(a))
	for shift := 0; shift < 32; shift += 11 {
		var first [2048]int32
		for i := range a {
			first[a[i].time>>shift&2047]++
		}
		sum := int32(0)
		for d, n := range first {
			first[d] = sum
			sum += n
		}
		for _, s := range a {
			to := &first[s.time>>shift&2047]
			b[*to] = s
			*to++
		}
		a, b = b, a
	}
	return a
}
