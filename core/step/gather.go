package step

import (
	"cmp"
	"slices"

	"ccd/core/engine"
	"ccd/core/geom"
)

// spot is where an impact is among what the crew found, with its time in steps of 2^-32.
type spot struct {
	time    uint32
	who, at int32
}

// blockSpots is how many impacts are worth a thread of their own.
const blockSpots = 4096

// gather merges what the crew found, in the order of impacts. A pair is found once, so the order is strict, and the
// list does not depend on who found what.
//
// Impacts are large, so spots are sorted in their stead, and each impact is moved once: a radix sort by the rounded
// time, which is monotone, and then the few with equal rounded times in full. All but the radix sort is shared out.
func (c *call) gather() ([]geom.Impact, error) {
	spots, err := c.spots()
	if err != nil {
		return nil, err
	}
	n := len(spots)
	spots = byTime(spots)
	all := make([]geom.Impact, n)
	blocks := max(1, min(int(c.Stats.Threads), n/blockSpots))
	err = engine.Parallel(blocks, func(i int) {
		from, to := runBegin(spots, n*i/blocks), runBegin(spots, n*(i+1)/blocks)
		c.settleRuns(spots[from:to])
		for j, s := range spots[from:to] {
			all[from+j] = *c.crew[s.who].found.At(int(s.at))
		}
	})
	return all, err
}

// spots lists what the crew found, worker by worker.
func (c *call) spots() ([]spot, error) {
	first := make([]int, len(c.crew)+1)
	for i, w := range c.crew {
		first[i+1] = first[i] + w.found.Len()
	}
	n := first[len(c.crew)]
	spots, workers := make([]spot, n), 1
	if n > blockSpots {
		workers = int(c.Stats.Threads)
	}
	return spots, engine.Parallel(workers, func(k int) {
		for i := k; i < len(c.crew); i += workers {
			found, out := &c.crew[i].found, spots[first[i]:first[i+1]]
			for j := range out {
				out[j] = spot{uint32(found.At(j).TOILo * (1<<32 - 1)), int32(i), int32(j)}
			}
		}
	})
}

// runBegin is the first position from i on at which another rounded time begins.
func runBegin(spots []spot, i int) int {
	for 0 < i && i < len(spots) && spots[i].time == spots[i-1].time {
		i++
	}
	return i
}

// settleRuns puts spots of equal rounded times in order.
func (c *call) settleRuns(spots []spot) {
	for i := 0; i < len(spots); {
		j := i + 1
		for j < len(spots) && spots[j].time == spots[i].time {
			j++
		}
		if j > i+1 {
			c.settle(spots[i:j])
		}
		i = j
	}
}

// settle puts impacts in order.
func (c *call) settle(spots []spot) {
	slices.SortFunc(spots, func(x, y spot) int {
		a, b := c.crew[x.who].found.At(int(x.at)), c.crew[y.who].found.At(int(y.at))
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
