package step

import (
	"ccd/core/geom"
	"ccd/core/narrow"
)

// until solves a block of pairs, whose vertices are in w.idx: each with its own separation, that of the options being the minimum
// separation. The rest is as in narrow.Solver.Until; with radii that differ, impacts are emitted in another order.
func (w *worker) until(c *call, k geom.Kind, pairs [][2]int32, o narrow.Options, tMax *float64, emit func(i int, im *geom.Impact)) {
	if c.radii.Uniform() {
		o.MinSeparation = c.radii.LargestSeparation(o.MinSeparation)
		w.solver.Until(k, &c.mo, w.idx, &o, tMax, emit)
		return
	}
	w.each = c.radii.Pairs(k, pairs, o.MinSeparation, w.each)
	w.solver.UntilEach(k, &c.mo, w.idx, w.each, &o, tMax, emit)
}

// solve is until with the options' end of time.
func (w *worker) solve(c *call, k geom.Kind, pairs [][2]int32, o narrow.Options, emit func(i int, im *geom.Impact)) {
	tMax := o.TMax
	w.until(c, k, pairs, o, &tMax, emit)
}
