package hierarchy

import (
	"ccd/core/geom"
	"ccd/simd/box"
)

// A search that sieves is one for impacts up to a time that is short, because an impact bounds it:
// vertices hardly move, and nearly all pairs whose boxes touch are neighbors in the mesh. It has
// boxes around both ends alone, for boxes at both ends tell hardly more pairs apart, and leaves out
// pairs that are apart along a direction.
//
// Other searches take as long with a sieve as without, or longer: for near pairs 1.0 to 1.27 of the
// time, for the pairs of changed vertices in Sizes 1.02 to 1.10 (bench/order).
//
// Law 5. A pair that such a search leaves out is farther apart than twice the inflation, in the
// maximum norm too: throughout, or up to the time that Near is given.
//
// Proof. Boxes around both ends, be their rows the minima of those of both ends or made by one map
// of the larger and the smaller bounds, are apart at both ends where they are apart in floats. So
// law 4 has the first. box.SieveEE and box.SieveVF prove the second, of the real distance: they are
// given twice the inflation for the separation, scaled as coordinates are (docs/proofs/kernels.md,
// "The sieve at the start"). Time and separation are rounded up there.
//
// On paths the segments of the motion are midlines, and the inflation includes how far a path may
// be off its midline along an axis. Segments that are farther apart than twice the inflation in the
// maximum norm then leave paths that are farther apart than their separation, in both norms.

// columns fills what the sieve reads of a part.
func (s *Search) columns(p *part, corners []int32, width, count int) {
	b := &s.trees[p.tree]
	box.SieveBlocks(b.columns[p.from:p.to], s.in.Motion.Rec, corners, width, count, s.in.Space.Scale)
}

// sieved makes records of a pair of groups, as collect does, and returns the number of those of
// which the sieve leaves pairs.
func (w *Worker) sieved(f *family, a, b *boxes, p groupPair, m uint64) int {
	list := w.records[:w.resting(f, a, b, p, m)]
	switch f.kind {
	case geom.EdgeEdge:
		return box.SieveEE(list, a.columns, b.columns, &w.sieve, list)
	case geom.VertexFace:
		return box.SieveVF(list, a.columns, b.columns, &w.sieve, list)
	}
	return len(list)
}
