package step

import (
	"sync/atomic"

	"ccd/core/broad"
	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/num"
)

// Earliest returns the first impact of m as vertex i moves on the segment x0[i] -> x1[i] (row-major, m.NV x 3 doubles each).
//
// Separate is a proof: no pair comes within the separation for t <= TMax. Otherwise none does so for t < TOILo. Of
// several pairs with the same TOILo the first in the order (kind, a, b) is returned. With CheckStart an edge that passes through a face
// at x0 comes first.
//
// # Why the answer does not depend on the route
//
// Let best be the least impact of all pairs, in the order of impacts; it is the result. With a method other than the exact
// one every pair is solved in full, so the least is found in any order.
//
// For each pair the exact method returns the largest double L not above its first time of contact t, which is unique, and
// decides t <= T for any end T. At any moment the search knows an impact M of some pair, and tests only times up to the
// double after M.TOILo. A pair that is skipped there, by its boxes or by the method, has t > that double, so
// L > M.TOILo >= best.TOILo, and it is not best. A pair that is not skipped is compared with M by (L, kind, a, b). So in any
// order, best is compared with the least impact so far and replaces it. Finally best's pair is solved once more over the whole
// step, so that its other fields do not depend on the end of time at which it was found either.
func Earliest(m *mesh.Mesh, x0, x1 []float64, o *Options) (geom.Impact, error) {
	c, err := start(m, x0, x1, o)
	if err != nil {
		return noImpact(), err
	}
	defer c.end()
	return c.earliest()
}

// noImpact is the result of a call that fails.
func noImpact() (im geom.Impact) {
	im.SetSeparate(0)
	return im
}

// earliest is the call Earliest.
func (c *call) earliest() (geom.Impact, error) {
	none, err := noImpact(), error(nil)
	if c.o.CheckStart {
		if im, err := (startCheck{c}).firstCrossing(); err != nil || im.Verdict != geom.Separate {
			return c.answer(im, err)
		}
	}
	if err := c.prepare(); err != nil {
		return none, err
	}
	if err := c.useOrder(); err != nil {
		return none, err
	}
	s := &search{call: c}
	s.bound.Set(c.o.TMax)
	c.endOf = s.end
	if err := s.firstBound(); err != nil {
		return none, err
	}
	if done, err := s.inPieces(); err != nil {
		return none, err
	} else if done {
		return s.result()
	}
	for ; c.slabs.More(); c.slabs.Next() {
		from := 0
		for again := true; again; {
			if again, err = s.pass(from); err != nil {
				return none, err
			}
			if h := s.divide.Load(); h > 0 {
				if err := s.inSections(halvesOf(0, int(h))); err != nil {
					return none, err
				}
				return s.result()
			}
			from = c.from
		}
	}
	return s.result()
}

// search is a call that searches the earliest impact.
type search struct {
	*call
	until float64      // the plan covers [0, until]
	bound engine.Least // the end of time: TMax, or the double after the least TOILo so far

	done  atomic.Int64 // weight of the tasks that are done in this pass
	order []int32      // the order of the tasks
	taken []bool       // by task: whether it is in order
	left  int64        // about the weight of the given pairs that remained at the beginning of the pass

	divide atomic.Int32 // halvings of sections that pay; 0: unknown; -1: none do
	built  bool         // the plan of the next pass is made
}

// end returns the time up to which an impact still matters.
func (s *search) end() float64 { return s.bound.Load() }

// planEnd is the time up to which a plan is made.
func (s *search) planEnd() float64 {
	if s.exact() {
		return s.end()
	}
	return s.horizon()
}

// pass makes a plan of the current slab, up to the current end of time, and sweeps it. It reports whether it stopped early
// because restarting with a shorter interval is cheaper.
//
// With given pairs, it begins at task number from.
func (s *search) pass(from int) (again bool, err error) {
	if !s.built {
		s.until = s.planEnd()
		if err := s.build(s.until); err != nil {
			return false, err
		}
	}
	s.built = false
	if s.plan.Given() { // the tasks before are done
		s.from = from
	} else {
		for _, w := range s.workers { // this pass finds all that matter up to its end
			w.kept.clear()
		}
	}
	s.Progress.Part(s.plan.Weight(), s.doneAfter())
	s.done.Store(0)
	for _, w := range s.workers {
		w.base = w.cost(s.call)
	}
	n := len(s.plan.Tasks())
	after := s.restartPays
	switch {
	case !s.exact() || !s.plan.Boxed():
		after = nil
	case s.plan.Remote():
		after = s.remotePays
	case s.plan.Given():
		s.left = s.plan.Weight() * int64(n-s.from) / int64(max(n, 1))
		after = s.tighteningPays
	}
	s.shuffle(n)
	return s.run(func(i int) int { return int(s.order[i]) }, s.handle, s.outdone, after)
}

// shuffle makes the order of n tasks: runs of consecutive tasks, because neighbors share vertices, which are then in cache. The
// runs are in golden-ratio order. The first ones are short, so that they sample the whole scene; the others are long, which costs
// little more than no shuffling.
func (s *search) shuffle(n int) {
	s.order, s.taken = s.order[:0], append(s.taken[:0], make([]bool, n)...)
	s.runs(n, 4, n/8)
	s.runs(n, 64, n)
}

// runs appends runs of about the given length to the order, without tasks that are in it, until the order has enough tasks.
func (s *search) runs(n, length, enough int) {
	runs := (n + length - 1) / length
	stride := engine.Stride(runs)
	for i := 0; i < runs && len(s.order) < enough; i++ {
		r := int(int64(i) * int64(stride) % int64(runs))
		for j := r * n / runs; j < (r+1)*n/runs; j++ {
			if !s.taken[j] {
				s.taken[j] = true
				s.order = append(s.order, int32(j))
			}
		}
	}
}

// handle solves a block of candidates and keeps the least impact.
func (s *search) handle(w *worker, k geom.Kind, pairs [][2]int32) {
	if s.atStart(w) {
		w.solver.Remote.Drop()
		if pairs = w.before(k, pairs); len(pairs) == 0 {
			return
		}
		w.of, w.idx = nil, s.m.Gather(k, pairs, w.idx)
	} else if s.tied(w) {
		w.solver.Remote.Drop()
		if pairs = s.untied(w, k, pairs); len(pairs) == 0 {
			return
		}
	}
	w.solver.Times = s.exact() // result solves the least impact again
	end := s.o.TMax
	if s.sharesEnd() {
		end = s.end()
	}
	if s.comparesTies() {
		w.solver.Wanted = func(i int) bool {
			late := s.follows(w, k, pairs[i], &w.idx[i])
			if late {
				w.ties++
			}
			return !late
		}
		defer func() { w.solver.Wanted = nil }()
	}
	defer s.keeps(w, k, pairs)()
	w.until(s.call, k, pairs, s.o.Options, &end, func(i int, im *geom.Impact) {
		w.hits++
		im.A, im.B = int64(pairs[i][0]), int64(pairs[i][1])
		if im.TOILo < w.best.TOILo {
			w.ties = 0
		}
		w.ties++
		if !im.Before(&w.best) {
			return
		}
		w.best = *im
		s.bound.Lower(num.Up(im.TOILo)) // just after it
		if s.sharesEnd() {
			end = s.end()
		}
	})
}

// sharesEnd reports whether a pair may be left out that has no impact before the end of time: of a motion that is enclosed anew a
// pair's result is the same whatever the end (narrow.Solver.SolveMotionUntil), though boxes must cover the whole step.
func (s *search) sharesEnd() bool { return s.exact() || s.refines() }

// atStart reports whether a worker knows an impact at t = 0. No impact is earlier, so only pairs that precede it in their order
// matter from then on.
func (s *search) atStart(w *worker) bool {
	return s.exact() && w.best.Verdict != geom.Separate && w.best.TOILo == 0
}

// fewTies is more pairs than touch where two vertices meet: six faces and six edges at each.
const fewTies = 64

// comparesTies reports whether follows may be called.
func (s *search) comparesTies() bool {
	return s.exact() && !s.moves() && s.o.MinSeparation == 0 && s.radii.Largest() == 0
}

// follows reports whether a pair with the vertices v comes after the worker's least impact in their order and is proven not to touch before it:
// then it has no impact that precedes it. It spares the exact stages most pairs that touch at one time, as where a flat sheet meets another.
func (s *search) follows(w *worker, k geom.Kind, pair [2]int32, v *[4]int32) bool {
	if w.best.Verdict == geom.Separate {
		return false
	}
	im := geom.Impact{Kind: k, A: int64(pair[0]), B: int64(pair[1]), TOILo: w.best.TOILo}
	return !im.Before(&w.best) && (im.TOILo == 0 || w.apart.Apart(k, w.motion(s.call), v, im.TOILo))
}

// tied reports whether a worker has seen many pairs about the time of its least impact, t > 0, and no worker knows an earlier one: then more may
// touch at that time, and it pays to leave those out that follow before their kernels.
func (s *search) tied(w *worker) bool {
	return w.ties > fewTies && s.comparesTies() && w.best.TOILo > 0 && s.end() >= w.best.TOILo
}

// untied leaves out the pairs of a block that follow the worker's least impact. It moves their vertices in w.idx along.
func (s *search) untied(w *worker, k geom.Kind, pairs [][2]int32) [][2]int32 {
	n := 0
	for i, p := range pairs {
		if s.follows(w, k, p, &w.idx[i]) {
			if s.margin > 0 {
				w.kept.lists[k] = append(w.kept.lists[k], p)
			}
			continue
		}
		pairs[n], w.idx[n] = p, w.idx[i]
		n++
	}
	w.idx = w.idx[:n]
	return pairs[:n]
}

// outdone reports whether no pair of a task can be the least.
func (s *search) outdone(w *worker, t *broad.Task) bool { return s.atStart(w) && t.Kind > w.best.Kind }

// before keeps the pairs of a block that precede the worker's least impact in their order.
func (w *worker) before(k geom.Kind, pairs [][2]int32) [][2]int32 {
	im := geom.Impact{Kind: k, TOILo: w.best.TOILo}
	kept := pairs[:0]
	for _, p := range pairs {
		if im.A, im.B = int64(p[0]), int64(p[1]); im.Before(&w.best) {
			kept = append(kept, p)
		}
	}
	return kept
}

// result returns the least impact of all workers, solved over the whole step.
func (s *search) result() (geom.Impact, error) {
	best := s.workers[0].best
	for _, w := range s.workers[1:] {
		if w.best.Before(&best) {
			best = w.best
		}
	}
	switch {
	case best.Verdict == geom.Separate:
	case s.moves():
		s.workers[0].solveMotion(s.call, best.Kind, [2]int32{int32(best.A), int32(best.B)}, s.o.TMax, &best)
	case s.exact():
		var q [24]float64
		a, b := best.A, best.B
		idx := s.m.Indices(best.Kind, int32(a), int32(b))
		s.mo.Query(best.Kind, &idx, &q)
		o := s.o.Options
		o.MinSeparation = s.radii.Pair(best.Kind, int32(a), int32(b), o.MinSeparation)
		s.workers[0].solver.Solve(best.Kind, q[:best.Kind.Len()], &o, &best)
		best.A, best.B = a, b
	}
	return s.answer(best, nil)
}

// answer ends a call that returns one impact.
func (c *call) answer(im geom.Impact, err error) (geom.Impact, error) {
	if err == nil {
		err = c.finish([]geom.Impact{im})
	}
	if err != nil {
		im.SetSeparate(0)
	}
	return im, err
}
