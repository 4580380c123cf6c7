package narrow

import (
	"ccd/core/geom"
	"ccd/core/kernel"
)

// Sieve says how much MayTouch does.
type Sieve uint8

// What a sieve knows and does, to be combined.
const (
	// BoxesMet says that the boxes of all pairs at both ends met, so that the comparison along the
	// axes is left out.
	BoxesMet Sieve = 1 << iota
	InPieces       // what is left is tested on eighths of the time, and in its plane
)

// MayTouch appends to out the positions in idx of the queries that floats cannot prove to keep more
// than separation, in the max norm, at all t in [0, tMax]. A position left out is a proof.
func (s *Solver) MayTouch(kind geom.Kind, m *geom.Trajectories, idx [][4]int32, tMax, separation float64, how Sieve,
	out []int32) []int32 {
	l, stages := &s.lists, kernel.Axes|kernel.Floats
	if how&BoxesMet != 0 {
		stages &^= kernel.Axes
	}
	if how&InPieces != 0 {
		stages |= kernel.InPlane | kernel.TimePieces
	}
	for first := 0; first < len(idx); first += block {
		part := idx[first:min(first+block, len(idx))]
		left := l.alive[:len(part)]
		if kernel.CPU.Supports(kind) {
			l.batch = kernel.Batch{Kind: kind, Step: m, Index: part, TMax: tMax, Separation: separation, Stages: stages}
			l.left = kernel.Survivors{List: left, TimePieces: l.masks[:len(part)]}
			kernel.CPU.Filter(&l.batch, &l.left)
			left = left[:l.left.N]
		} else {
			left = s.sieveCodim(kind, m, part, &Options{MinSeparation: separation})
		}
		for _, i := range left {
			out = append(out, int32(first)+i)
		}
	}
	return out
}
