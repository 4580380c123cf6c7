package step

import (
	"time"

	"ccd/core/broad"
	"ccd/core/geom"
	"ccd/core/narrow"
	"ccd/core/status"
)

// The check of the start (Options.CheckStart). The pairs of a step do not include edges against faces, so an edge that passes through a
// face at x0 is no impact, and a separate step only proves that this remains so (law 10 of docs/numerics.md). With the check such a pair
// is an impact at t = 0, of kind geom.EdgeFace.
//
// An edge passes through a face when they share a point, and none of the five pairs of the step that lie in them touches: the ends of the
// edge with the face, the edge with the sides of the face. A pair that touches is an impact at t = 0 of its own kind already. Hence, with
// law "complete" of package proximity:
//
//	A configuration x0 has an intersection, if and only if with CheckStart and no separation some impact has the flag InitialContact.
//
// What floats prove to meet inside of both needs no second test. Where floats are unsure, mostly because something touches, the five
// pairs are tested, if the mesh's filter allows them.

// startCheck is the part of a call that checks the start, before it tests the pairs of the step.
type startCheck struct{ *call }

// eachCrossing calls emit for every allowed pair that crosses at x0, on the thread that finds it. With first it may skip a pair that does
// not come before the least impact of its worker.
func (c startCheck) eachCrossing(first bool, emit func(w *worker, im *geom.Impact)) error {
	handle := func(w *worker, k geom.Kind, pairs [][2]int32) {
		var wanted func(i int) bool
		if first {
			if w.best.Verdict != geom.Separate {
				pairs = w.before(k, pairs)
			}
			wanted = func(i int) bool {
				im := geom.Impact{Kind: k, A: int64(pairs[i][0]), B: int64(pairs[i][1])}
				return im.Before(&w.best)
			}
		}
		w.solver.EachCrossing(&c.mo, c.m.Edges, c.m.Faces, pairs, wanted, func(i int, inside bool) bool {
			a, b := pairs[i][0], pairs[i][1]
			if !inside && c.touches(w, a, b) {
				return true
			}
			var q [15]float64
			var im geom.Impact
			c.mo.EdgeAndFace(&c.m.Edges[a], &c.m.Faces[b], &q)
			w.solver.CrossingImpact(&q, &im)
			im.A, im.B = int64(a), int64(b)
			emit(w, &im)
			return !c.abandoned()
		})
	}
	if c.o.Flags&narrow.BruteForce != 0 {
		return c.everyEdgeAndFace(handle)
	}
	others := func(_ *worker, t *broad.Task) bool { return t.Kind != geom.EdgeFace }
	for c.slabs.Begin(nil); c.slabs.More(); c.slabs.Next() {
		if err := c.buildStart(); err != nil {
			return err
		}
		c.Progress.Part(c.plan.Weight(), c.slabs.UpTo()/2)
		if _, err := c.run(c.plan.LongestFirst, handle, others, nil); err != nil {
			return err
		}
		if c.halt.Load() {
			return errVisitor
		}
	}
	return nil
}

// buildStart makes the plan of the edges and faces at x0 for the current slab.
func (c startCheck) buildStart() error {
	began := time.Now()
	defer func() { c.Stats.SecondsBuild += time.Since(began).Seconds() }()
	c.from = 0
	how := broad.PlanOptions{
		Still: true, AtRest: true, Intersections: true, Threads: int(c.Stats.Threads), Limit: c.limit(), Orient: orientation, Euclidean: true,
		Progress: &c.Progress, UpTo: c.slabs.UpTo() / 2, Region: c.o.Region, Hulls: c.moving.hulls,
	}
	if how.Limit > 0 {
		for _, w := range c.workers {
			w.sweep.Forget()
		}
	}
	return c.slabs.Build(&c.plan, c.m, &c.mo, how)
}

// everyEdgeAndFace passes all allowed pairs to handle, without a broad phase: the reference implementation.
func (c startCheck) everyEdgeAndFace(handle func(w *worker, k geom.Kind, pairs [][2]int32)) error {
	w, filter := c.workers[0], c.m.Filter()
	var block [][2]int32
	c.Progress.Part(int64(len(c.m.Edges)), 0.5)
	for a := range int32(len(c.m.Edges)) {
		block = block[:0]
		for b := range int32(len(c.m.Faces)) {
			if filter.Allows(geom.EdgeFace, a, b) && (c.o.Region == nil || c.o.Region.Owns(c.m, c.owners(), geom.EdgeFace, a, b)) {
				block = append(block, [2]int32{a, b})
			}
		}
		w.pairs[geom.EdgeFace-1] += int64(len(block))
		if handle(w, geom.EdgeFace, block); c.Budget.Over() {
			return c.Budget.Err()
		}
		if !c.Progress.Pass(1) {
			return status.ErrCancelled
		}
		if c.halt.Load() {
			return errVisitor
		}
	}
	return nil
}

// touches reports whether one of the five pairs in edge a and face b touches at x0, of those that the filter allows.
func (c startCheck) touches(w *worker, a, b int32) bool {
	for _, v := range c.m.Edges[a] {
		if c.touchesAtStart(w, geom.VertexFace, v, b) {
			return true
		}
	}
	for _, side := range c.m.FaceEdges[b] {
		if c.touchesAtStart(w, geom.EdgeEdge, min(a, side), max(a, side)) {
			return true
		}
	}
	return false
}

// touchesAtStart reports whether the filter allows a pair of the step and it touches at x0.
func (c startCheck) touchesAtStart(w *worker, k geom.Kind, a, b int32) bool {
	if !c.m.Filter().Allows(k, a, b) {
		return false
	}
	var q [24]float64
	var im geom.Impact
	v := c.m.Indices(k, a, b)
	c.mo.Query(k, &v, &q)
	o := narrow.DefaultOptions()
	o.TMax = 0
	w.solver.Solve(k, q[:], &o, &im)
	return im.Verdict == geom.Contact
}

// firstCrossing returns the first edge and face, in their order, that cross at x0, or Separate.
func (c startCheck) firstCrossing() (geom.Impact, error) {
	var best geom.Impact
	best.SetSeparate(0)
	err := c.checkingStart(func() error { return c.eachCrossing(true, func(w *worker, im *geom.Impact) { w.best = *im }) })
	for _, w := range c.workers {
		if w.best.Before(&best) {
			best = w.best
		}
	}
	return best, err
}

// checksStart returns an error for a call that cannot check the start, if the options ask for it.
func (o *Options) checksStart(call string) error {
	if o == nil || !o.CheckStart {
		return nil
	}
	return status.Errorf(status.ErrUnsupported, "options.check_start: %s holds only some pairs and does not check the start", call)
}
