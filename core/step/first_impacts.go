package step

import (
	"slices"
	"sync"
	"sync/atomic"

	"ccd/core/broad"
	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/num"
	"ccd/core/order"
)

// keptBytes is the memory of an impact that FirstImpacts keeps, until the list is returned: in the
// heap, which grows by copying, and in the list.
const keptBytes = 3 * impactBytes

// firstImpacts wants the impacts that come first in the order of impacts, at most so many. Workers
// share a heap of the first ones that are known, with the last of them on top.
//
// The answer does not depend on the order in which pairs come, by the argument of Earliest with the
// last of the wanted impacts in the place of the least: while fewer are known, every time matters;
// from then on a pair that is skipped has its impact after the top of the heap, which never rises.
type firstImpacts struct {
	c     *call
	count int
	omits omissions
	bound engine.Least // the horizon: TMax, or the double after the time of the top of a full heap

	lock sync.Mutex                        // guards heap
	heap order.Heap[lastFirst, *lastFirst] // the impacts so far

	done    atomic.Int64 // the weight of the tasks that are done in this pass
	weighed engine.Least // the horizon for which another plan was last considered
}

// lastFirst is an impact in a heap that has the last one on top.
type lastFirst struct{ impact geom.Impact }

// Before reports whether an impact comes out before another.
func (a *lastFirst) Before(b *lastFirst) bool { return b.impact.Before(&a.impact) }

// FirstImpacts returns the first count impacts of Collisions, with the same bits, or all of them if
// there are no more. It knows the time of the last one that it wants early on and then leaves out
// what comes later. The memory of the list grows with count, not with the number of impacts. Count
// is positive.
func FirstImpacts(m *mesh.Mesh, x0, x1 []float64, count int, o *Options) ([]geom.Impact, error) {
	c, err := start(m, x0, x1, o)
	return runFirstImpacts(c, err, count)
}

// runFirstImpacts runs the call FirstImpacts, if it could begin, and ends it.
func runFirstImpacts(c *call, err error, count int) ([]geom.Impact, error) {
	if err != nil {
		return nil, err
	}
	defer c.end()
	f := &firstImpacts{c: c, count: count, omits: c.method.leaves()}
	f.bound.Set(c.o.TMax)
	c.results.perItem = keptBytes
	if err := sweepAll(c, narrowed{}, f, f.keep, true); err != nil {
		return nil, err
	}
	list, err := f.sorted()
	if err == nil {
		err = c.finish(list)
	}
	if err != nil {
		return nil, err
	}
	return list, nil
}

// horizon returns the time of the last impact that is wanted, as far as it is known.
func (f *firstImpacts) horizon() float64 { return f.bound.Load() }
func (f *firstImpacts) every() bool      { return true }

// pass begins a pass. Where it may stop early it finds again what another one has found: the heap
// is empty then, but for what the check of the start has found, and the horizon stays.
func (f *firstImpacts) pass(r *run) pass {
	how := pass{order: r.plan.LongestFirst}
	c := f.c
	once := c.path.plain() && c.tactics.remember // all pairs of the step are in this plan
	if once && c.method.restarts(r.plan.Boxed()) && !r.plan.Given() && !r.plan.Remote() {
		before := f.heap
		f.heap = nil
		for i := range before {
			if before[i].impact.Kind == geom.EdgeFace {
				f.heap.Push(&before[i])
			}
		}
		f.done.Store(0)
		f.weighed.Set(r.until)
		how.after = func(_ *worker, t *broad.Task) bool { return f.restartPays(r, t) }
	}
	return how
}

// Another plan pays if it ends much earlier, most of this one remains, and few of its pairs would
// be in the other.
const (
	muchEarlier = 4
	littleDone  = 2
	fewSurvive  = 0.5
)

// restartPays reports, after a task, whether a plan up to the current horizon is expected to be
// cheaper than the rest of this pass.
func (f *firstImpacts) restartPays(r *run, t *broad.Task) bool {
	done, horizon := f.done.Add(int64(t.Weight)), f.horizon()
	if horizon > f.weighed.Load()/muchEarlier || done > r.plan.Weight()/littleDone {
		return false
	}
	f.weighed.Lower(horizon)
	return r.plan.SurvivalRatio(f.c.path.Segments(), horizon) < fewSurvive
}

// block solves a block of pairs up to the horizon.
func (f *firstImpacts) block(w *worker, k geom.Kind, pairs [][2]int32) {
	w.solver.Times = f.omits.times
	w.horizon = f.end()
	w.current = pairs
	f.c.path.decide(w, k, pairs, f.c.o.Options, f)
}

// end returns the time up to which the method of the call solves pairs.
func (f *firstImpacts) end() float64 {
	if f.omits.shares {
		return f.horizon()
	}
	return f.c.o.TMax
}

// take keeps the impact of a pair of a worker's block.
func (f *firstImpacts) take(w *worker, i int, im *geom.Impact) {
	im.A, im.B = int64(w.current[i][0]), int64(w.current[i][1])
	f.keep(w, im)
	w.horizon = f.end()
}

// keep adds an impact to the heap if it is one of the first that are known. Those later than the
// horizon need no lock.
func (f *firstImpacts) keep(_ *worker, im *geom.Impact) {
	if im.TOILo > f.horizon() {
		return
	}
	f.lock.Lock()
	defer f.lock.Unlock()
	if len(f.heap) < f.count {
		if !f.c.Budget.Take(int64(keptBytes)) {
			return
		}
	} else {
		if !im.Before(&f.heap[0].impact) {
			return
		}
		f.heap.Pop()
	}
	f.heap.Push(&lastFirst{*im})
	if len(f.heap) == f.count {
		f.bound.Lower(num.Up(f.heap[0].impact.TOILo))
	}
}

// sorted returns the impacts of the heap in their order. Those that were solved up to a horizon are
// solved again over the whole step, so that no field depends on it. An edge that passes through a
// face at t = 0 is no pair of the step.
func (f *firstImpacts) sorted() ([]geom.Impact, error) {
	list := make([]geom.Impact, len(f.heap))
	for i := range f.heap {
		list[i] = f.heap[i].impact
	}
	slices.SortFunc(list, func(a, b geom.Impact) int {
		if a.Before(&b) {
			return -1
		}
		return 1 // Each pair is found once.
	})
	if !f.omits.shares {
		return list, nil
	}
	const size = 16 // pairs
	err := eachBlock(f.c, len(list), size, func(w *worker, lo, hi int) {
		for i := range list[lo:hi] {
			if im := &list[lo+i]; im.Kind != geom.EdgeFace {
				f.c.path.confirm(w, im)
			}
		}
	})
	return list, err
}
