package step

import (
	"sync/atomic"
	"time"

	"ccd/core/broad"
	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/status"
	"ccd/core/step/curved"
	"ccd/core/step/device"
)

// A run is the one loop of all calls:
//
//	for each section of the step (curved paths alone have several)
//	    for each portion of space (several only under a memory limit)
//	        for each block of pairs, until the source has no more: the want has the path decide them
//
// The path, the source and the want are chosen before it begins.
type run struct {
	c     *call
	path  path
	pairs source
	want  want

	plan     *broad.Plan     // the current plan
	portions *broad.SlabPlan // the portions that remain
	until    float64         // the plan covers [0, until]
	from     int             // the first task of the plan that remains, in the order of the pass
}

// A source is where the pairs of a run come from. newSource chooses it once; start_check.go has one
// of its own. Their files are in doc.go.
type source interface {
	// build makes the plan of the current portion for the time [0, until] of the segments of the
	// path.
	build(until float64) error
	// gather sets w.idx to the vertices of a block of pairs, and w.of to the segments that they
	// refer to.
	gather(w *worker, k geom.Kind, pairs [][2]int32)
	// upTo returns the part of the call that is done after the current portion.
	upTo() float64
	// restarts returns what says, after each task of a search, whether another plan costs less than
	// the rest of this one.
	restarts(l *least, r *run) func(w *worker, t *broad.Task) bool
	// arrange lets plans use the order of the mesh, where it has one that serves. Impacts are then
	// found in another order.
	arrange() error
}

// A want is what a call looks for. It is chosen once, when the call begins. A run asks it once for
// each block of pairs, never once for each pair. Their files are in doc.go.
type want interface {
	// horizon returns the time up to which an impact still matters. It never rises.
	horizon() float64
	// every reports whether each pair matters once, and not only the first impact.
	every() bool
	// pass returns how the plan of the run is swept.
	pass(r *run) pass
	// block takes a block of pairs of one kind, whose vertices are in w.idx.
	block(w *worker, k geom.Kind, pairs [][2]int32)
}

// A pass is how a want has one plan swept.
type pass struct {
	// order returns the number of the task that comes at place i.
	order func(i int) int
	// skip, if not nil, reports whether no pair of a task matters.
	skip func(w *worker, t *broad.Task) bool
	// after, if not nil, reports whether all workers stop after a task, for another plan.
	after func(w *worker, t *broad.Task) bool
	// whole says that a device must not leave pairs out that it proves apart.
	whole bool
}

// newRun returns a run over the pairs of a source.
func newRun(c *call, p path, s source, w want) *run {
	return &run{c: c, path: p, pairs: s, want: w, plan: &c.memory.plan, portions: &c.memory.portions}
}

// all passes every block of pairs of the current section to the want.
//
// A pair belongs to one portion, whatever the memory limit (broad.Slab), and its result does not
// depend on the order of the blocks: the limit changes no bit of a result.
func (r *run) all() error {
	for r.portions.Begin(nil); r.portions.More(); r.portions.Next() {
		d, err := r.portion()
		if err != nil {
			return err
		}
		if d.Bounds != nil { // Then the step has one portion.
			return r.sections(d)
		}
	}
	return nil
}

// sections passes the blocks of each section to the want, in the order of time, up to the time that
// matters. A section that begins later has no pair that matters.
func (r *run) sections(d curved.Division) error {
	for i, first := range d.Bounds[:len(d.Bounds)-1] {
		if r.path.Begins(d.Halvings, first) > r.want.horizon() {
			break
		}
		r.path.Enter(d.Halvings, first, d.Bounds[i+1])
		if err := r.all(); err != nil {
			return err
		}
		r.path.Leave()
	}
	return nil
}

// portion sweeps the current portion, with a new plan as often as the want asks for one. It returns
// the sections in which the rest is best swept, if any.
func (r *run) portion() (d curved.Division, err error) {
	r.from = 0
	if err := r.build(); err != nil {
		return d, err
	}
	if d = r.path.Divide(r.plan, r.want.every(), r.estimatePairs); d.Bounds != nil {
		return d, nil
	}
	for {
		again, err := r.sweep()
		if err != nil || !again {
			return d, err
		}
		if d = r.path.Resume(); d.Bounds != nil {
			return d, nil
		}
		if err := r.build(); err != nil {
			return d, err
		}
	}
}

// matters returns the time of the segments up to which a sweep of the plan may leave out pairs that
// do not meet. It falls while workers find impacts.
func (r *run) matters() float64 { return r.path.Share(r.c.method.covers(r.want.horizon())) }

// build makes a plan up to the time that matters.
func (r *run) build() error {
	began := r.c.Now()
	defer func() { r.c.Stats.SecondsBuild += r.c.Since(began).Seconds() }()
	r.c.Stats.Plans++
	until := r.want.horizon()
	if r.until = r.c.method.covers(until); until > 0 { // Else the want takes no windows.
		first := r.c.workers[0].queue.Enough
		r.c.device.Finder().Expect(first, until, r.c.radii.LargestSeparation(r.c.o.MinSeparation))
	}
	return r.pairs.build(r.path.Cover(r.until))
}

// sweep sweeps the plan. It reports whether the want asks for another plan of the portion.
func (r *run) sweep() (again bool, err error) {
	if !r.plan.Given() { // The given pairs before r.from are done.
		r.from = 0
	}
	r.c.Progress.Part(r.plan.Weight(), r.pairs.upTo())
	how := r.want.pass(r)
	again, err = r.tasks(&how)
	if err == nil && r.c.results.halt.Load() {
		err = errVisitor
	}
	return again, err
}

// tasks processes the plan's tasks in the order of the pass, from r.from on, until they are done,
// the call is cancelled, or a worker stops it. A worker always ends the task that it has begun;
// r.from is then the first task that remains.
func (r *run) tasks(how *pass) (stop bool, err error) {
	c, tasks := r.c, r.plan.Tasks()
	c.Budget.SetWorking(c.fixed() + r.plan.Working())
	todo := engine.NewTasks(r.from, len(tasks))
	var stopped atomic.Bool
	began := c.Now()
	err = c.Run(r.plan.Workers(), func(i int) {
		w := c.workers[i]
		w.solver.Boxed = r.plan.Boxed() && !r.plan.Oriented()
		emit := r.emitter(w)
		for j := range todo.All() {
			t := &tasks[how.order(j)]
			if how.skip == nil || !how.skip(w, t) {
				if how.whole || !r.windows(w, t, emit) {
					w.sweep.SweepUntil(r.plan, t, r.matters(), emit)
				}
			}
			if !c.Progress.Pass(int64(t.Weight)) || c.abandoned() {
				return
			}
			if how.after != nil && how.after(w, t) {
				stopped.Store(true)
			}
			if stopped.Load() {
				break
			}
		}
		r.release(w)
	})
	c.Stats.SecondsBroad += c.Since(began).Seconds()
	c.Stats.PeakBytes = max(c.Stats.PeakBytes, c.heldBytes())
	r.from = todo.FirstUntaken()
	return stopped.Load(), err
}

// emitter returns the function to which a worker's sweep passes its blocks of pairs.
func (r *run) emitter(w *worker) func(k geom.Kind, pairs [][2]int32) bool {
	c := r.c
	return func(k geom.Kind, pairs [][2]int32) bool {
		clock := c.Now()
		w.pairs[k-1] += int64(len(pairs))
		if pairs = c.device.Hold(&w.queue, w.solver.Remote, k, pairs); len(pairs) > 0 {
			r.pairs.gather(w, k, pairs)
			r.want.block(w, k, pairs)
			w.narrow += c.Since(clock)
		}
		return c.Progress.Pass(0) && !c.abandoned()
	}
}

// windows handles the pairs of a task that the device finds, and reports whether the task is one.
// Those that pass the device's narrow phase come back; where it takes no such pairs, all of them
// are emitted.
func (r *run) windows(w *worker, t *broad.Task, emit func(k geom.Kind, pairs [][2]int32) bool) bool {
	if !r.plan.Remote() || !w.solver.Remote.Takes(t.Kind, device.Batch) {
		return false
	}
	c, q := r.c, &w.queue
	sep := c.radii.LargestSeparation(c.o.MinSeparation)
	r.plan.Windows(t, &q.Enough, func(from int64, n int) bool {
		clock := time.Now()
		q.Grow()
		if !r.plan.FirstOf(t, from, n, r.want.horizon(), sep, &q.Found) {
			block := make([][2]int32, n)
			r.plan.Pairs(t, from, block)
			for i := 0; i < n; i += broad.BlockLen {
				if !emit(t.Kind, block[i:min(i+broad.BlockLen, n)]) {
					return false
				}
			}
			return true
		}
		w.pairs[t.Kind-1] += int64(n)
		if found := q.Found.Pairs; len(found) > 0 {
			w.solver.Remote.Prefetched(&q.Found)
			w.of, w.idx = r.path.Segments(), c.m.Gather(t.Kind, found, w.idx)
			r.want.block(w, t.Kind, found)
			w.solver.Remote.Drop()
		} else {
			w.solver.Remote.Used = true
		}
		w.narrow += time.Since(clock)
		return c.Progress.Pass(0) && !c.abandoned()
	})
	return true
}

// release handles the pairs that a worker holds back.
func (r *run) release(w *worker) {
	clock := time.Now()
	r.c.device.Release(&w.queue, func(k geom.Kind, pairs [][2]int32) {
		if !r.c.abandoned() {
			w.of, w.idx = r.path.Segments(), r.c.m.Gather(k, pairs, w.idx)
			r.want.block(w, k, pairs)
		}
	})
	w.narrow += time.Since(clock)
}

// errVisitor is a status.ErrCancelled whose text says that the visitor stopped the call.
var errVisitor error = visitorStopped{}

type visitorStopped struct{}

func (visitorStopped) Error() string { return "stopped by the visitor" }
func (visitorStopped) Unwrap() error { return status.ErrCancelled }

// The most tasks that estimatePairs sweeps, about, and how many of their pairs are enough.
const (
	sampledTasks = 8
	sampledPairs = 1 << 16
)

// estimatePairs estimates the number of pairs that the plan will find.
func (r *run) estimatePairs() float64 {
	tasks, w := r.plan.Tasks(), r.c.workers[0]
	swept, boxed := w.sweep.Swept, w.sweep.Kept
	weight, pairs := 0, 0
	for i := 0; i < len(tasks) && pairs < sampledPairs; i += 1 + len(tasks)/sampledTasks {
		weight += tasks[i].Weight
		w.sweep.Sweep(r.plan, &tasks[i], func(_ geom.Kind, found [][2]int32) bool {
			pairs += len(found)
			return true
		})
	}
	w.sweep.Swept, w.sweep.Kept = swept, boxed
	return float64(pairs) * float64(r.plan.Weight()) / float64(max(weight, 1))
}
