package curved

import (
	"math"

	"ccd/core/geom"
	"ccd/core/narrow"
)

// Decide sifts the pairs of a block, has kernels find the contacts of those that they can, and
// solves the rest pair by pair. It passes the impacts of those in contact to take.
func (p *Path) Decide(w *Worker, k geom.Kind, pairs [][2]int32, take Take) {
	w.options = *p.o
	uniform, d := p.radii.Uniform(), p.radii.LargestSeparation(p.o.MinSeparation)
	possible := p.sift(w, k, pairs, math.Min(w.Horizon, p.o.TMax))
	first, end := p.section.pieces()
	for n, i := range p.find(w, k, pairs, possible, take) {
		pair, key := pairs[i], keyOf(k, pairs[i])
		if !uniform {
			d = p.radii.Pair(k, pair[0], pair[1], p.o.MinSeparation)
		}
		if p.axes.apart(k, &w.Idx[i], d) {
			continue
		}
		from, to, touches := w.parts.piecesOf(n, i, first, end)
		if touches || p.solvedBefore(w, k, key) {
			continue
		}
		w.options.MinSeparation = d
		p.solve(w, k, &w.Idx[i], from, to)
		if w.impact.Verdict != geom.Separate {
			w.impact.A, w.impact.B = int64(pair[0]), int64(pair[1])
			p.touch(w, i, key)
			take(int(i), &w.impact)
		}
	}
}

// solve solves a pair on the pieces from to to-1, up to the horizon.
func (p *Path) solve(w *Worker, k geom.Kind, idx *[4]int32, from, to int) {
	until := math.Min(w.Horizon, p.o.TMax)
	if len(p.axes.control) > 0 {
		control := p.axes.gather(k, idx, &w.control)
		w.Solver.SolvePiece(p.motion, k, control, &w.options, until, &w.impact)
		return
	}
	p.solvePieces(w, k, idx[:k.Points()], from, to, until)
}

// solvePieces solves a pair on some pieces, up to a time. If it takes more than their share of
// MaxIterations, as it hardly ever does, the halvings of all pieces may be too many: then it solves
// the pair on all of them. As long as each piece takes its share at most, none of them is left
// undecided, and the result is that of all pieces.
func (p *Path) solvePieces(w *Worker, k geom.Kind, vertices []int32, first, end int, until float64) {
	halvings := w.Solver.SolveMotionPieces(p.motion, k, vertices, first, end, &w.options, until, &w.impact)
	if end-first < p.pieces && halvings > int64(end-first)*(p.o.MaxIterations/int64(p.pieces)) {
		w.Solver.SolveMotionUntil(p.motion, k, vertices, &w.options, until, &w.impact)
	}
}

// touch notes that a pair of a block is in contact, where it may be found on later pieces.
func (p *Path) touch(w *Worker, i int32, key uint64) {
	w.parts.touch(i)
	if p.solved.once && p.pieces > 1 {
		w.keys.touched = append(w.keys.touched, key)
	}
}

// Confirm solves the pair of an impact again, on all pieces.
func (p *Path) Confirm(solver *narrow.Solver, im *geom.Impact) {
	a, b, k := im.A, im.B, im.Kind
	o := *p.o
	o.MinSeparation = p.radii.Pair(k, int32(a), int32(b), o.MinSeparation)
	idx := p.m.Indices(k, int32(a), int32(b))
	solver.SolveMotionUntil(p.motion, k, idx[:k.Points()], &o, o.TMax, im)
	im.A, im.B = a, b
}
