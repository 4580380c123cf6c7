package curved

import (
	"slices"

	"ccd/core/broad"
	"ccd/core/geom"
	"ccd/core/mesh"
)

// sift returns the positions of the pairs of a block that kernels do not prove apart up to tMax
// (laws X1 and X2 of docs/proofs/motions.md): those of the plain step on the midlines, or those for
// curved paths where the motion has them, then these on parts. The separation is the largest of the
// block, which is one place in the scene. If w.parts.piece is not empty it has the piece on which
// each of them may touch, in the order of time: a pair is there with each such piece.
func (p *Path) sift(w *Worker, k geom.Kind, pairs [][2]int32, tMax float64) []int32 {
	w.possible, w.parts.piece = w.possible[:0], w.parts.piece[:0]
	w.seen += len(pairs)
	d := p.largestSeparation(w, k, pairs, p.bands.Radii)
	levels := p.sieve.filters.levels(&p.sieve, k, !p.finds(k) && p.deepened(w))
	if d > geom.MaxCoordinate {
		levels = nil
	}
	how, pays := p.sieve.filters.onMidlines(p, w, levels)
	if pays && !p.Refines() && d <= geom.MaxCoordinate {
		far := p.largestSeparation(w, k, pairs, p.boxes)
		w.possible = w.Solver.MayTouch(k, p.mid, w.Idx, p.Share(tMax), far, how, w.possible)
		w.tested, w.passed = w.tested+len(pairs), w.passed+len(w.possible)
	} else {
		for i := range pairs {
			w.possible = append(w.possible, int32(i))
		}
	}
	if len(levels) > 0 {
		w.possible = p.siftParts(w, k, levels, w.possible, tMax, d)
	}
	return w.possible
}

// midlinesPay reports whether the midlines leave out enough pairs to test them before the kernels
// for curved paths: three of five, for these take about half as long again.
func (w *Worker) midlinesPay() bool {
	return w.tested < 4*broad.BlockLen || 5*w.passed < 2*w.tested
}

// largestSeparation is that of the pairs of a block with these radii.
func (p *Path) largestSeparation(w *Worker, k geom.Kind, pairs [][2]int32, radii *mesh.Radii) float64 {
	if radii.Uniform() {
		return radii.LargestSeparation(p.o.MinSeparation)
	}
	w.Each = radii.Pairs(k, pairs, p.o.MinSeparation, w.Each)
	return slices.Max(w.Each)
}
