package proximity

import (
	"math"

	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/narrow"
	"ccd/core/num"
)

// LeastQuery is a search for the least distance over a step of a mesh of which no pair touches at t in [0, TMax].
type LeastQuery struct {
	Mesh    *mesh.Mesh
	X0, X1  []float64
	TMax    float64
	Bracket float64 // the width of the bracket of each pair (narrow.Solver.LeastWithin)
}

// LeastDistance returns the pair with the least distance over the step, less radii: that with the least Hi, and of several the first in the order
// (kind, a, b), with its own bracket. Without any allowed pair Kind is 0. Step.LeastDistance is the call for users.
//
// Branch and bound searches the trees of Distance, whose boxes hold the whole motion, with the smallest distance at x0 as the first bound. A pair is skipped
// only when its boxes, or the pair itself, are proven to be farther apart than a bound B >= the least Hi: so the result depends on no order.
func LeastDistance(q *LeastQuery, o *Options) (geom.LeastDistance, error) {
	none := geom.LeastDistance{A: -1, B: -1, Lo: math.Inf(1), Hi: math.Inf(1)}
	quiet := *o
	quiet.Stats, quiet.Progress = nil, nil
	near, err := Distance(q.Mesh, q.X0, &quiet)
	if err != nil {
		return none, err
	}
	s, err := begin(q.Mesh, o, func(mo *geom.Trajectories) error { return q.Mesh.Load(mo, q.X0, q.X1) })
	if err != nil {
		return none, err
	}
	defer s.end()
	c := &closest{scan: s, filter: q.Mesh.Filter(), over: &overStep{q.TMax, q.Bracket}}
	c.radii = c.filter.Radii()
	c.least.Set(math.Inf(1))
	if near.Kind != 0 && near.Kind != geom.EdgeFace { // an edge through a face is no pair of a step
		c.least.Set(num.AddUp(near.Hi, q.Bracket)) // the pair at x0 has a Hi of at most this
	}
	for _, w := range s.workers {
		w.over = overWorker{solver: narrow.NewSolver(), best: none}
	}
	if err := c.search(); err != nil {
		return none, err
	}
	best, found := none, 0
	for _, w := range s.workers {
		if b := &w.over.best; b.Kind != 0 && (found == 0 || b.Compare(&best) < 0) {
			best, found = *b, 1
		}
	}
	if err := s.finish(found); err != nil {
		return none, err
	}
	return best, nil
}

// overStep is what makes the search for the smallest distance one over a step.
type overStep struct{ tMax, bracket float64 }

// overWorker is a worker's scratch.
type overWorker struct {
	solver *narrow.Solver
	best   geom.LeastDistance
}

// measure measures an allowed pair.
func (v *overStep) measure(c *closest, w *worker, k geom.Kind, a, b int32) {
	vertices := c.m.Indices(k, a, b)
	c.mo.Query(k, &vertices, &w.query)
	shapes := &k.Info().Shapes
	r := [2]float64{c.radii.Of(shapes[0], a), c.radii.Of(shapes[1], b)}
	var d geom.LeastDistance
	if !w.over.solver.LeastWithin(k, w.query[:k.Len()], r, v.bracket, c.near(), v.tMax, &d) {
		return
	}
	d.A, d.B = int64(a), int64(b)
	if w.over.best.Kind == 0 || d.Compare(&w.over.best) < 0 {
		w.over.best = d
	}
	c.least.Lower(d.Hi)
}
