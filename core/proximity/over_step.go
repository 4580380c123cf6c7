package proximity

import (
	"math"
	"slices"

	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/narrow"
	"ccd/core/num"
)

// LeastQuery is a search for the least distance over a step of a mesh of which no pair touches at t
// in [0, TMax].
type LeastQuery struct {
	Mesh    *mesh.Mesh
	X0, X1  []float64
	TMax    float64
	Bracket float64 // the width of the bracket of each pair (narrow.Solver.LeastWithin)
}

// LeastDistance returns the pair with the least distance over the step, less radii: that with the
// least Hi, and of several the first in the order (kind, a, b), with its Hi; Lo is the least lower
// end of all pairs that it measured, and those that it left out are farther apart than Hi. Which
// pairs it measures depends on the order, so this Lo does. Without any allowed pair Kind is 0.
// Step.LeastDistance is the call for users.
//
// As in Distance, sweeps find near pairs, of which the kernels leave out nearly all; where they
// find none, branch and bound searches trees. A pair is skipped only when its boxes, or the pair
// itself, are proven to be farther apart than a bound B >= the least Hi: so the result depends on
// no order. That a sweep's radius counts as a bound meanwhile changes nothing: its result holds
// only if the least Hi is smaller.
func LeastDistance(q *LeastQuery, o *Options) (geom.LeastDistance, error) {
	none := geom.LeastDistance{A: -1, B: -1, Lo: math.Inf(1), Hi: math.Inf(1)}
	s, err := begin(q.Mesh, o, func(mo *geom.Trajectories, threads int) error {
		return q.Mesh.LoadParallel(mo, q.X0, q.X1, threads)
	})
	if err != nil {
		return none, err
	}
	defer s.end()
	c := newOverStep(s, q)
	if err := c.over.find(c); err != nil {
		return none, err
	}
	return leastOver(c)
}

// newOverStep makes the search of a scan.
func newOverStep(s *scan, q *LeastQuery) *closest {
	c := &closest{scan: s, filter: q.Mesh.Filter()}
	c.over = &overStep{tMax: q.TMax, bracket: q.Bracket, radius: math.Inf(1)}
	c.radii = c.filter.Radii()
	c.least.Set(math.Inf(1))
	for _, w := range s.workers {
		none := geom.LeastDistance{A: -1, B: -1, Lo: math.Inf(1), Hi: math.Inf(1)}
		w.over = overWorker{solver: narrow.NewSolver(), best: none, low: math.Inf(1)}
	}
	return c
}

// leastOver ends a search and returns the least of what its workers found.
func leastOver(c *closest) (geom.LeastDistance, error) {
	none := geom.LeastDistance{A: -1, B: -1, Lo: math.Inf(1), Hi: math.Inf(1)}
	best, found, low := none, 0, math.Inf(1)
	for _, w := range c.workers {
		low = min(low, w.over.low)
		if b := &w.over.best; b.Kind != 0 && (found == 0 || b.Compare(&best) < 0) {
			best, found = *b, 1
		}
	}
	best.Lo = low
	if err := c.finish(found); err != nil {
		return none, err
	}
	return best, nil
}

// overStep is what makes the search for the smallest distance one over a step.
type overStep struct {
	tMax, bracket float64
	radius        float64    // The present sweep ignores distances beyond radius; +Inf if none are.
	paths         *overPaths // the paths of which the step is a section's midlines; nil where it is the step itself
}

// bound returns the distance of the step beyond which pairs are skipped.
func (v *overStep) bound(c *closest) float64 {
	b := min(v.radius, c.least.Load())
	if v.paths != nil {
		b = num.AddUp(b, v.paths.band)
	}
	return b
}

// grown returns how far apart the boxes of a sweep may be for a radius.
func (v *overStep) grown(radius float64) float64 {
	if v.paths != nil {
		radius = num.AddUp(radius, v.paths.band)
	}
	return radius
}

// overWorker is a worker's scratch.
type overWorker struct {
	solver *narrow.Solver
	best   geom.LeastDistance
	low    float64 // the least lower end of the pairs that were measured
	paths  *pathWorker
}

// manyCompared is the number of pairs that a sweep compares, for each box, beyond which a wider one
// takes longer than a search of the trees, whose bounds follow the motion. A step that moves by
// many edges' lengths takes thousands, the scenes of bench 11 to 23. It decides about the time
// only. Tests lower it.
var manyCompared int64 = 256

// find is closest.find over a step.
func (v *overStep) find(c *closest) error {
	if len(c.m.Edges) > 0 {
		for _, radius := range v.sweepRadii(c) {
			before := c.compared()
			v.radius = radius
			err := c.all(v.grown(radius), false, c.measureBlock)
			v.radius = math.Inf(1)
			if err != nil || c.least.Load() <= 0.99*radius {
				return err
			}
			if c.compared()-before > manyCompared*c.Stats.Boxes {
				break
			}
		}
	}
	return c.search()
}

// sweepRadii returns the radii of the sweeps. Once a distance is known one sweep is enough, or none
// where that is large.
func (v *overStep) sweepRadii(c *closest) []float64 {
	radii := c.sweepRadii()
	least := c.least.Load()
	switch {
	case v.paths == nil || math.IsInf(least, 1):
		return radii[:]
	case least > radii[2]:
		return nil
	}
	return []float64{float64(1.02*least) + 0x1p-1000}
}

// compared returns the number of pairs that the sweeps compared so far.
func (c *closest) compared() (n int64) {
	for _, w := range c.workers {
		n += w.sweep.Swept
	}
	return n
}

// block measures those pairs of a block that the kernels cannot prove to be beyond the bound.
func (v *overStep) block(c *closest, w *worker, k geom.Kind, pairs [][2]int32) {
	r := c.radii.Largest()
	for part := range slices.Chunk(pairs, sieveLen) {
		idx := c.m.Gather(k, part, w.sieve.idx[:0])
		for _, i := range w.over.solver.Within(k, &c.mo, idx, centerDistance(r, r, c.nearest()), v.tMax) {
			v.measure(c, w, k, part[i][0], part[i][1])
		}
	}
}

// measure measures an allowed pair.
func (v *overStep) measure(c *closest, w *worker, k geom.Kind, a, b int32) {
	vertices := c.m.Indices(k, a, b)
	c.mo.Query(k, &vertices, &w.query)
	shapes := &k.Info().Shapes
	r := [2]float64{c.radii.Of(shapes[0], a), c.radii.Of(shapes[1], b)}
	if v.paths != nil {
		v.paths.measure(c, w, &pathPair{kind: k, a: a, b: b, vertices: vertices, radii: r})
		return
	}
	var d geom.LeastDistance
	if !w.over.solver.LeastWithin(k, w.query[:k.Len()], r, v.bracket, c.nearest(), v.tMax, &d) {
		return
	}
	d.A, d.B = int64(a), int64(b)
	w.over.keep(c, &d)
}

// keep keeps the distance of a pair that was measured.
func (w *overWorker) keep(c *closest, d *geom.LeastDistance) {
	w.low = min(w.low, d.Lo)
	if w.best.Kind == 0 || d.Compare(&w.best) < 0 {
		w.best = *d
	}
	c.least.Lower(d.Hi)
}
