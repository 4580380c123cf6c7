package narrow

import (
	"ccd/core/geom"
	"ccd/core/kernel"
)

// Sieve is a set of flags that say what MayTouch knows and does.
type Sieve uint8

// The flags of a Sieve.
const (
	// BoxesMet says that the boxes of all pairs at both ends met, so that the comparison along the
	// axes is left out.
	BoxesMet Sieve = 1 << iota
	InPieces       // test the remaining queries on eighths of the time, and in their planes
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
		alive := l.alive[:len(part)]
		if kernel.CPU.Supports(kind) {
			l.batch = kernel.Batch{Kind: kind, Step: m, Index: part, TMax: tMax, Separation: separation, Stages: stages}
			l.survivors = kernel.Survivors{List: alive, TimePieces: l.masks[:len(part)]}
			kernel.CPU.Filter(&l.batch, &l.survivors)
			alive = alive[:l.survivors.N]
		} else {
			alive = s.sieveCodim(kind, m, part, &Options{MinSeparation: separation})
		}
		for _, i := range alive {
			out = append(out, int32(first)+i)
		}
	}
	return out
}
