package step

import (
	"slices"
	"sync/atomic"

	"ccd/core/broad"
	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/num"
)

// least wants the earliest impact of all pairs: of those with equal times the first in the order of
// impacts. Earliest says why its answer does not depend on the order in which pairs come.
type least struct {
	c     *call
	path  path
	bound engine.Least // the horizon: TMax, or the double after the least TOILo so far

	omits omissions
	ties  bool // pairs may be proven not to touch before another pair does

	done atomic.Int64 // the weight of the tasks that are done in this pass
	rest int64        // about the weight of the given pairs that this pass began with
	*taskOrder
	best geom.Impact // the earliest impact, at the end
}

// taskOrder is the order of the tasks of a pass.
type taskOrder struct {
	order []int32
	taken []bool // whether a task is in order
}

// newLeast returns a search of the whole step.
func newLeast(c *call) *least {
	l := &c.memory.least
	*l = least{c: c, path: c.path, omits: c.method.leaves(), taskOrder: &c.memory.order}
	l.ties = l.omits.floor == 0 && c.path.plain() && c.o.MinSeparation == 0 && c.radii.Largest() == 0
	l.bound.Set(c.o.TMax)
	for _, w := range c.workers {
		w.wanted = func(i int) bool { return l.wanted(w, i) }
	}
	return l
}

func (l *least) horizon() float64 { return l.bound.Load() }
func (l *least) every() bool      { return false }

// pass begins a pass. It may stop early because a plan of a shorter time costs less
// (search_restart.go).
func (l *least) pass(r *run) pass {
	if !r.plan.Given() { // This pass finds all pairs that matter in its time.
		for _, w := range l.c.workers {
			w.unproven.clear()
		}
	}
	l.done.Store(0)
	for _, w := range l.c.workers {
		w.base = l.path.costs().of(w)
	}
	n := len(r.plan.Tasks())
	l.shuffle(n)
	order := func(i int) int { return int(l.order[i]) }
	how := pass{order: order, skip: l.outdone}
	if l.c.method.restarts(r.plan.Boxed()) {
		how.after = r.pairs.restarts(l, r)
	}
	return how
}

// shuffle makes the order of n tasks: runs of consecutive tasks, because neighbors share vertices,
// which are then in cache. The runs are in golden-ratio order. The first ones are short, so that
// they sample the whole scene; the others are long, which costs little more than no shuffling.
func (l *least) shuffle(n int) {
	l.order, l.taken = slices.Grow(l.order[:0], n), slices.Grow(l.taken[:0], n)[:n]
	clear(l.taken)
	l.runs(n, 4, n/8)
	l.runs(n, 64, n)
}

// runs appends runs of about the given length to the order, without tasks that are in it, until the
// order has enough tasks.
func (l *least) runs(n, length, enough int) {
	runs := (n + length - 1) / length
	stride := engine.Stride(runs)
	for i := 0; i < runs && len(l.order) < enough; i++ {
		r := int(int64(i) * int64(stride) % int64(runs))
		for j := r * n / runs; j < (r+1)*n/runs; j++ {
			if !l.taken[j] {
				l.taken[j] = true
				l.order = append(l.order, int32(j))
			}
		}
	}
}

// block solves a block of candidates and keeps the least impact.
func (l *least) block(w *worker, k geom.Kind, pairs [][2]int32) {
	if l.settled(w) {
		w.solver.Remote.Drop()
		if pairs = w.before(k, pairs); len(pairs) == 0 {
			return
		}
		w.of, w.idx = l.path.Segments(), l.c.m.Gather(k, pairs, w.idx)
	} else if l.tied(w) {
		w.solver.Remote.Drop()
		if pairs = l.untied(w, k, pairs); len(pairs) == 0 {
			return
		}
	}
	w.solver.Times = l.omits.times
	w.horizon = l.c.o.TMax
	if l.omits.shares {
		w.horizon = l.horizon()
	}
	w.current, w.kind = pairs, k
	if l.ties {
		w.solver.Wanted = w.wanted
		defer w.wantAll()
	}
	defer w.unproven.collect(w.solver, l.c.memory.margin, k, pairs)()
	l.path.decide(w, k, pairs, l.c.o.Options, l)
}

// take compares an impact with the worker's least. One that is less ends the search of all workers
// just after it.
func (l *least) take(w *worker, i int, im *geom.Impact) {
	w.hits++
	im.A, im.B = int64(w.current[i][0]), int64(w.current[i][1])
	if im.TOILo < w.best.TOILo {
		w.ties = 0
	}
	w.ties++
	if !im.Before(&w.best) {
		return
	}
	w.best = *im
	l.bound.Lower(num.Up(im.TOILo))
	if l.omits.shares {
		w.horizon = l.horizon()
	}
}

// settled reports whether a worker knows an impact at t = 0. No impact is earlier, so only pairs
// that precede it in their order matter from then on.
func (l *least) settled(w *worker) bool {
	return w.best.Verdict != geom.Separate && w.best.TOILo == l.omits.floor
}

// fewTies is more pairs than touch where two vertices meet: six faces and six edges at each.
const fewTies = 64

// follows reports whether a pair with the vertices v comes after the worker's least impact in their
// order and is proven not to touch before it: then it has no impact that precedes it. It spares the
// exact stages most pairs that touch at one time, as where a flat sheet meets another.
func (l *least) follows(w *worker, k geom.Kind, pair [2]int32, v *[4]int32) bool {
	if w.best.Verdict == geom.Separate {
		return false
	}
	im := geom.Impact{Kind: k, A: int64(pair[0]), B: int64(pair[1]), TOILo: w.best.TOILo}
	return !im.Before(&w.best) && (im.TOILo == 0 || w.apart.Apart(k, w.of, v, im.TOILo))
}

// wanted reports whether pair i of a worker's block may precede its least impact, and counts those
// that may not.
func (l *least) wanted(w *worker, i int) bool {
	late := l.follows(w, w.kind, w.current[i], &w.idx[i])
	if late {
		w.ties++
	}
	return !late
}

// wantAll has the worker's solver decide all queries.
func (w *worker) wantAll() { w.solver.Wanted = nil }

// tied reports whether a worker has seen many pairs about the time of its least impact, t > 0, and
// no worker knows an earlier one: then more may touch at that time, and it pays to leave those out
// that follow before their kernels.
func (l *least) tied(w *worker) bool {
	return w.ties > fewTies && l.ties && w.best.TOILo > 0 && l.horizon() >= w.best.TOILo
}

// untied leaves out the pairs of a block that follow the worker's least impact. It moves their
// vertices in w.idx along.
func (l *least) untied(w *worker, k geom.Kind, pairs [][2]int32) [][2]int32 {
	n := 0
	for i, p := range pairs {
		if l.follows(w, k, p, &w.idx[i]) {
			if l.c.memory.margin > 0 {
				w.unproven.lists[k] = append(w.unproven.lists[k], p)
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
func (l *least) outdone(w *worker, t *broad.Task) bool { return l.settled(w) && t.Kind > w.best.Kind }

// before returns, in their place, the pairs of a block that precede the worker's least impact in
// their order.
func (w *worker) before(k geom.Kind, pairs [][2]int32) [][2]int32 {
	im := geom.Impact{Kind: k, TOILo: w.best.TOILo}
	first := pairs[:0]
	for _, p := range pairs {
		if im.A, im.B = int64(p[0]), int64(p[1]); im.Before(&w.best) {
			first = append(first, p)
		}
	}
	return first
}

// result returns the least impact of all workers, solved over the whole step.
func (l *least) result() geom.Impact {
	l.best = l.c.workers[0].best
	for _, w := range l.c.workers[1:] {
		if w.best.Before(&l.best) {
			l.best = w.best
		}
	}
	// A method with a tolerance has solved it over the whole step.
	if l.best.Verdict != geom.Separate && l.omits.shares {
		l.path.confirm(l.c.workers[0], &l.best)
	}
	return l.best
}
