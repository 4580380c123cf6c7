package proximity

import (
	"slices"

	"ccd/core/geom"
	"ccd/core/kernel"
)

// sieveLen is the number of pairs that go through the kernel at a time, between two looks at the bound.
const sieveLen = 512

// sieved is the memory of a worker's sieve.
type sieved struct {
	idx  [sieveLen][4]int32
	left [sieveLen]int32
}

// eachNear calls measure, in order, for the pairs of a block that may be at most bound() apart, radii subtracted. Nearly all others are
// left out by a kernel, eight pairs at a time.
//
// What it leaves out changes no result: the centres of such a pair are farther apart than (1 + 2^-21) times r, the bound and twice the
// largest radius. Its enclosure would have Lo > r: it is within 2^-24 of the distance, or ends in neighbouring doubles, and r counts as at
// least 2^-450 in the kernel. So measure drops the pair, whose cut is at most r.
func (s *scan) eachNear(w *worker, k geom.Kind, pairs [][2]int32, bound func() float64, measure func(p [2]int32)) {
	if s.o.BruteForce || !kernel.CPU.Supports(k) {
		for _, p := range pairs {
			measure(p)
		}
		return
	}
	reach := s.radii.Largest()
	for part := range slices.Chunk(pairs, sieveLen) {
		idx := s.m.Gather(k, part, w.sieve.idx[:0])
		n := kernel.Near(k, &s.mo, idx, centreDistance(reach, reach, bound()), w.sieve.left[:])
		for _, i := range w.sieve.left[:n] {
			measure(part[i])
		}
	}
}
