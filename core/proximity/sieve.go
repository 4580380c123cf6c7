package proximity

import (
	"slices"

	"ccd/core/geom"
	"ccd/core/kernel"
)

// sieveLen is the number of pairs that go through the kernel at a time, between two looks at the
// bound.
const sieveLen = 512

// sieved is the memory of a worker's sieve.
type sieved struct {
	idx     [sieveLen][4]int32
	left    [sieveLen]int32
	bounds  kernel.Enclosures
	current NearPair
}

// eachNear measures, in order, the pairs of a block, and calls found for those that are at most
// bound() apart, radii subtracted. Nearly all others are left out by a kernel, and another one
// measures the rest, eight pairs at a time each.
//
// What is left out changes no result: the centers of such a pair are farther apart than (1 + 2^-21)
// times r, the bound and twice the largest radius. Its enclosure would have Lo > r: it is within
// 2^-24 of the distance, or ends in neighboring doubles, and r counts as at least 2^-450 in the
// kernel. So measure drops the pair, whose cut is at most r.
//
// An enclosure of the kernel has the bits of enclose. Pairs that it does not enclose are measured
// one by one.
func (s *scan) eachNear(w *worker, k geom.Kind, pairs [][2]int32, bound func() float64, found func(n *NearPair)) {
	n := &w.sieve.current
	if s.o.BruteForce || !kernel.CPU.Supports(k) {
		for _, p := range pairs {
			if s.measure(w, k, p[0], p[1], bound(), n) {
				found(n)
			}
		}
		return
	}
	reach, bounds := s.radii.Largest(), &w.sieve.bounds
	for at := 0; at < len(pairs); at += sieveLen {
		part := pairs[at:min(at+sieveLen, len(pairs))]
		mo, idx := s.gatherBlock(w, k, part, at)
		left := w.sieve.left[:kernel.Near(k, mo, idx, centerDistance(reach, reach, bound()), w.sieve.left[:])]
		for list := range slices.Chunk(left, kernel.EncloseLen) {
			kernel.Enclose(k, mo, idx, list, bounds)
			d := bound()
			for j, i := range list {
				lo := bounds[kernel.EncloseLo][j]
				if s.radii == nil && lo > d {
					continue
				}
				*n = NearPair{Kind: k, A: int64(part[i][0]), B: int64(part[i][1]), Lo: lo}
				near := false
				if lo < 0 {
					near = s.measure(w, k, part[i][0], part[i][1], d, n)
				} else if lo <= s.cut(n, d) {
					n.Hi, n.U, n.V = bounds[kernel.EncloseHi][j], bounds[kernel.EncloseU][j], bounds[kernel.EncloseV][j]
					v, rec := &idx[i], mo.Rec
					n.place(&[4]*geom.Vec{(*geom.Vec)(rec[8*int(v[0]):]), (*geom.Vec)(rec[8*int(v[1]):]),
						(*geom.Vec)(rec[8*int(v[2]):]), (*geom.Vec)(rec[8*int(v[3]):])})
					near = s.radii == nil || s.thick(w, n, d)
				}
				if near {
					found(n)
					d = bound()
				}
			}
		}
	}
}

// gatherBlock returns the vertices of the pairs from number at on of the block at work, and the
// trajectories that they refer to.
func (s *scan) gatherBlock(w *worker, k geom.Kind, part [][2]int32, at int) (*geom.Trajectories, [][4]int32) {
	if w.places == nil {
		return &s.mo, s.m.Gather(k, part, w.sieve.idx[:0])
	}
	return &s.inside.ordered.Motion, s.inside.ordered.Order.Gather(k, w.places[at:at+len(part)], w.sieve.idx[:0])
}
