package step

import (
	"sync/atomic"

	"ccd/core/broad"
	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/status"
	"ccd/core/step/curved"
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
		if d.Bounds != nil { // the step has one portion then
			return r.sections(d)
		}
	}
	return nil
}

// sections passes the blocks of each section to the want, in the order of time, up to the time that
// matters. A section that begins later has no pair that matters.
func (r *run) sections(d curved.Division) error {
	for i, first := range d.Bounds[:len(d.Bounds)-1] {
		if r.path.Begins(d.Halvings, first) > r.want.end() {
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

// build makes a plan up to the time that matters.
//
// An inexact method may report a pair that is only nearly in contact. It must therefore see all
// pairs that come near within the whole step, as it does in calls pair by pair.
func (r *run) build() error {
	began := r.c.Now()
	defer func() { r.c.Stats.SecondsBuild += r.c.Since(began).Seconds() }()
	r.until = 1
	if r.c.exact() {
		r.until = r.want.end()
	}
	return r.pairs.build(r.path.Cover(r.until))
}

// sweep sweeps the plan. It reports whether the want asks for another plan of the portion.
func (r *run) sweep() (again bool, err error) {
	if !r.plan.Given() { // of given pairs those before r.from are done
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
				if how.whole || !c.device.windows(r, w, t, emit) {
					w.sweep.Sweep(r.plan, t, emit)
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
		c.device.release(r, w)
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
		if pairs = c.device.hold(w, k, pairs); len(pairs) > 0 {
			r.pairs.gather(w, k, pairs)
			r.want.block(w, k, pairs)
			w.narrow += c.Since(clock)
		}
		return c.Progress.Pass(0) && !c.abandoned()
	}
}

// errVisitor is a status.ErrCancelled whose text says that the visitor stopped the call.
var errVisitor error = visitorStopped{}

type visitorStopped struct{}

func (visitorStopped) Error() string { return "stopped by the visitor" }
func (visitorStopped) Unwrap() error { return status.ErrCancelled }

// Sampling: about how many tasks estimatePairs sweeps at most, and how many pairs are enough of
// them.
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
