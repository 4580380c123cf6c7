package narrow

import (
	"ccd/core/geom"
	"ccd/core/kernel"
)

// MayTouch appends to out the positions in idx of the queries that floats cannot prove to keep more than separation, in the max norm, at all t in
// [0, tMax]. A position left out is a proof. Boxed says that boxes at both ends were compared already, quick that parts of time are not worth their cost.
func (s *Solver) MayTouch(kind geom.Kind, m *geom.Trajectories, idx [][4]int32, tMax, separation float64, boxed, quick bool, out []int32) []int32 {
	l := &s.lists
	for first := 0; first < len(idx); first += block {
		part := idx[first:min(first+block, len(idx))]
		left := l.alive[:len(part)]
		if kernel.CPU.Supports(kind) {
			l.batch = kernel.Batch{Kind: kind, Step: m, Index: part, TMax: tMax, Separation: separation, Stages: kernel.Axes | kernel.Floats | kernel.InPlane | kernel.TimePieces}
			if boxed {
				l.batch.Stages &^= kernel.Axes
			}
			if quick {
				l.batch.Stages &^= kernel.InPlane | kernel.TimePieces
			}
			l.left = kernel.Survivors{List: l.alive[:len(part)], TimePieces: l.masks[:len(part)]}
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
