package step

import (
	"slices"

	"ccd/core/geom"
	"ccd/core/narrow"
)

// until solves a block of pairs, whose vertices are in w.idx: each with its own separation, that of the options being the minimum
// separation. The rest is as in narrow.Solver.Until; with radii that differ, impacts are emitted in another order.
func (w *worker) until(c *call, k geom.Kind, pairs [][2]int32, o narrow.Options, tMax *float64, emit func(i int, im *geom.Impact)) {
	if c.moves() {
		w.untilMotion(c, k, pairs, tMax, emit)
		return
	}
	if c.radii.Uniform() {
		o.MinSeparation = c.radii.LargestSeparation(o.MinSeparation)
		w.solver.Until(k, w.motion(c), w.idx, &o, tMax, emit)
		return
	}
	w.each = c.radii.Pairs(k, pairs, o.MinSeparation, w.each)
	if w.sift(k, *tMax) {
		known := w.solver.Remote
		w.solver.Remote = nil // what is left is of many separations, a few pairs of each
		defer func() { w.solver.Remote = known }()
		w.solver.UntilEach(k, w.motion(c), w.sifted.idx, w.sifted.each, &o, tMax, func(i int, im *geom.Impact) { emit(int(w.sifted.at[i]), im) })
		return
	}
	w.solver.UntilEach(k, w.motion(c), w.idx, w.each, &o, tMax, emit)
}

// sifted are the pairs of a block with separations of their own that a device could not prove apart.
type sifted struct {
	idx  [][4]int32
	each []float64
	at   []int32 // positions in the block
}

// sift lets the device, where it takes the block, prove pairs apart by the block's largest separation: a pair that keeps more than that keeps
// more than its own. It reports whether it did; the others are in w.sifted.
func (w *worker) sift(k geom.Kind, tMax float64) bool {
	if len(w.each) == 0 {
		return false
	}
	r := w.solver.Remote
	if !r.First(k, w.idx, tMax, slices.Max(w.each)) {
		return false
	}
	s := &w.sifted
	s.idx, s.each, s.at = s.idx[:0], s.each[:0], s.at[:0]
	for j, i := range r.List {
		if r.Masks[j] != 0 {
			s.idx, s.each, s.at = append(s.idx, w.idx[i]), append(s.each, w.each[i]), append(s.at, i)
		}
	}
	return true
}

// solve is until with the options' end of time.
func (w *worker) solve(c *call, k geom.Kind, pairs [][2]int32, o narrow.Options, emit func(i int, im *geom.Impact)) {
	tMax := o.TMax
	w.until(c, k, pairs, o, &tMax, emit)
}
