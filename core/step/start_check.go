package step

import (
	"ccd/core/broad"
	"ccd/core/geom"
	"ccd/core/narrow"
	"ccd/core/status"
)

// The check of the start (Options.CheckStart). The pairs of a step do not include edges against
// faces, so an edge that passes through a face at x0 is no impact, and a separate step only proves
// that this remains so (law 10 of docs/numerics.md). With the check such a pair is an impact at t =
// 0, of kind geom.EdgeFace.
//
// An edge passes through a face when they share a point, and none of the five pairs of the step
// that lie in them touches: the ends of the edge with the face, the edge with the sides of the
// face. A pair that touches is an impact at t = 0 of its own kind already. Hence, with law
// "complete" of package proximity:
//
//	A configuration x0 has an intersection, if and only if with CheckStart and no separation
//	some impact has the flag InitialContact.
//
// What floats prove to meet inside of both needs no second test. Where floats are unsure, mostly
// because something touches, the five pairs are tested, if the mesh's filter allows them.

// throughFaces wants the edges that pass through faces at t = 0, and passes each to emit on the
// thread that finds it.
type throughFaces struct {
	c     *call
	at    *geom.Trajectories // a step that begins at the positions of t = 0
	first bool               // only pairs before the least impact of their worker matter
	emit  func(w *worker, im *geom.Impact)
}

func (x *throughFaces) horizon() float64 { return 0 }
func (x *throughFaces) every() bool      { return true }

// pass leaves out the pairs of other kinds.
func (x *throughFaces) pass(r *run) pass {
	others := func(_ *worker, t *broad.Task) bool { return t.Kind != geom.EdgeFace }
	return pass{order: r.plan.LongestFirst, skip: others, whole: true}
}

// block tests a block of edges and faces.
func (x *throughFaces) block(w *worker, k geom.Kind, pairs [][2]int32) {
	var wanted func(i int) bool
	if x.first {
		if w.best.Verdict != geom.Separate {
			pairs = w.before(k, pairs)
		}
		wanted = func(i int) bool {
			im := geom.Impact{Kind: k, A: int64(pairs[i][0]), B: int64(pairs[i][1])}
			return im.Before(&w.best)
		}
	}
	m := x.c.m
	w.solver.EachCrossing(x.at, m.Edges, m.Faces, pairs, wanted, func(i int, inside bool) bool {
		a, b := pairs[i][0], pairs[i][1]
		if !inside && x.touches(w, a, b) {
			return true
		}
		var q [15]float64
		var im geom.Impact
		x.at.EdgeAndFace(&m.Edges[a], &m.Faces[b], &q)
		w.solver.CrossingImpact(&q, &im)
		im.A, im.B = int64(a), int64(b)
		x.emit(w, &im)
		return !x.c.abandoned()
	})
}

// eachCrossing passes every allowed pair that crosses at x0 to emit, if the options want the start
// checked. With first it may leave out a pair that does not come before the least impact of its
// worker.
func eachCrossing(c *call, first bool, emit func(w *worker, im *geom.Impact)) error {
	if !c.o.CheckStart {
		return nil
	}
	mo, err := c.path.Start()
	if err != nil {
		return err
	}
	at := &straight{mo: mo, m: c.m, radii: c.radii, o: &c.o.Options}
	x := &throughFaces{c: c, at: at.mo, first: first, emit: emit}
	if c.o.Flags&narrow.BruteForce != 0 {
		return x.everyPair()
	}
	return newRun(c, at, &startPairs{c, at.mo}, x).all()
}

// startPairs is the source of the edges and faces whose boxes overlap at t = 0.
type startPairs struct {
	c  *call
	at *geom.Trajectories
}

func (s *startPairs) build(float64) error {
	c := s.c
	how := broad.PlanOptions{
		Input:  broad.Input{Still: true, AtRest: true, Intersections: true, Euclidean: true},
		Keep:   c.keeps(),
		Tactic: broad.Tactic{Orient: orientation},
		Work: broad.Work{
			Threads: int(c.Stats.Threads), Limit: c.remains(), Progress: &c.Progress, UpTo: s.upTo(),
		},
	}
	how.Keep.Hulls = c.path.Owners()
	c.tactics.room.forget(c.workers)
	return c.memory.portions.Build(&c.memory.plan, c.m, s.at, how)
}

// gather does nothing: an edge and a face have five vertices, and are known by their numbers.
func (s *startPairs) gather(*worker, geom.Kind, [][2]int32) {}

// upTo counts the check as the first half of the call.
func (s *startPairs) upTo() float64 { return s.c.memory.portions.UpTo() / 2 }

func (s *startPairs) restarts(*least, *run) func(*worker, *broad.Task) bool { return nil }
func (s *startPairs) arrange() error                                        { return nil }

// everyPair takes all allowed pairs, without a broad phase: the reference implementation.
func (x *throughFaces) everyPair() error {
	c := x.c
	w, filter := c.workers[0], c.m.Filter()
	var block [][2]int32
	c.Progress.Part(int64(len(c.m.Edges)), 0.5)
	for a := range int32(len(c.m.Edges)) {
		block = block[:0]
		for b := range int32(len(c.m.Faces)) {
			allowed := filter.Allows(geom.EdgeFace, a, b) &&
				(c.o.between == nil || c.o.between.Holds(geom.EdgeFace, a, b))
			if allowed && (c.o.Region == nil || c.o.Region.Owns(c.m, c.path.Owners(), geom.EdgeFace, a, b)) {
				block = append(block, [2]int32{a, b})
			}
		}
		w.pairs[geom.EdgeFace-1] += int64(len(block))
		if x.block(w, geom.EdgeFace, block); c.Budget.Over() {
			return c.Budget.Err()
		}
		if !c.Progress.Pass(1) {
			return status.ErrCancelled
		}
		if c.results.halt.Load() {
			return errVisitor
		}
	}
	return nil
}

// touches reports whether one of the five pairs in edge a and face b touches at x0, of those that
// the filter allows.
func (x *throughFaces) touches(w *worker, a, b int32) bool {
	for _, v := range x.c.m.Edges[a] {
		if x.touchesAtStart(w, geom.VertexFace, v, b) {
			return true
		}
	}
	for _, side := range x.c.m.FaceEdges[b] {
		if x.touchesAtStart(w, geom.EdgeEdge, min(a, side), max(a, side)) {
			return true
		}
	}
	return false
}

// touchesAtStart reports whether the filter allows a pair of the step and it touches at x0.
func (x *throughFaces) touchesAtStart(w *worker, k geom.Kind, a, b int32) bool {
	if !x.c.m.Filter().Allows(k, a, b) {
		return false
	}
	var q [24]float64
	var im geom.Impact
	v := x.c.m.Indices(k, a, b)
	x.at.Query(k, &v, &q)
	o := narrow.DefaultOptions()
	o.TMax = 0
	w.solver.Solve(k, q[:], &o, &im)
	return im.Verdict == geom.Contact
}

// firstCrossing returns the first edge and face, in their order, that cross at x0, if the options
// want the start checked. Else, and if none do, it is Separate.
func firstCrossing(c *call) (geom.Impact, error) {
	best := noImpact()
	err := eachCrossing(c, true, func(w *worker, im *geom.Impact) { w.best = *im })
	for _, w := range c.workers {
		if w.best.Before(&best) {
			best = w.best
		}
	}
	return best, err
}
