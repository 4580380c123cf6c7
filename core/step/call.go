package step

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"ccd/core/bound"
	"ccd/core/broad"
	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/narrow"
)

// call carries one call, and keeps its memory for the next.
type call struct {
	m    *mesh.Mesh
	mo   geom.Motion
	o    Options
	plan broad.Plan
	crew []*worker
	engine.Call

	parts broad.SlabPlan
	given *broad.Candidates // pairs that need not be swept for

	perItem int         // bytes that one of them takes until it is handed out; 0: none are kept
	portion int         // impacts that a worker gathers for a visitor; 0: there is none
	halt    atomic.Bool // the visitor asked to stop

	from int // the plan's first task that is still to be done, in the order that is asked for
}

// held is the memory that the call holds now, impacts that were found included.
func (c *call) held() int64 {
	n := c.plan.Bytes() + int64(8*cap(c.mo.Rec))
	for _, w := range c.crew[:c.Stats.Threads] {
		n += w.sweep.Bytes() + int64(unsafe.Sizeof(*w.solver)) + int64(16*cap(w.idx)+impactBytes*(w.found.Cap()+cap(w.portion)))
	}
	return n
}

const impactBytes = int(unsafe.Sizeof(geom.Impact{}))

// worker is one goroutine's part of a call.
type worker struct {
	sweep  *broad.Worker
	solver *narrow.Solver
	other  *narrow.Solver // nil until halving needs it
	idx    [][4]int32
	found  engine.List[geom.Impact]
	narrow time.Duration // spent on pairs
	pairs  [4]int64

	portion         []geom.Impact // for a visitor
	seen, undecided int64         // impacts that were handed to it

	best          geom.Impact // of a search for the earliest
	hits          int64       // answers that were not Separate
	base          float64     // cost before this pass
	end, crowding float64     // the end of time that a restart was last weighed for, and the plan's crowding there
}

// calls keeps the memory of calls that are over, within what the garbage collector finds reasonable.
var calls = sync.Pool{New: func() any { return new(call) }}

// start readies the memory of a call; end gives it back.
func start(m *mesh.Mesh, x0, x1 []float64, o *Options) (*call, error) {
	if o == nil {
		d := DefaultOptions()
		o = &d
	}
	if err := o.check(); err != nil {
		return nil, err
	}
	if o.Candidates != nil {
		if err := o.Candidates.ValidFor(m, o.MinSeparation); err != nil {
			return nil, fmt.Errorf("options.%w", err)
		}
	}
	c := new(call)
	if o.MemoryLimit == 0 { // else what is left of larger calls would count
		c = calls.Get().(*call)
	}
	if err := c.Begin(&o.CallOptions); err != nil {
		return nil, err
	}
	c.m, c.o = m, *o
	c.perItem, c.portion = 0, 0
	c.halt.Store(false)
	if err := load(m, &c.mo, x0, x1, o); err != nil {
		c.end()
		return nil, err
	}
	if o.Candidates != nil {
		if err := o.Candidates.Contains(&c.mo); err != nil {
			c.end()
			return nil, err
		}
	}
	n := int(c.Stats.Threads)
	for len(c.crew) < n {
		c.crew = append(c.crew, &worker{
			sweep:  broad.NewWorker(),
			solver: narrow.NewSolver(),
			idx:    make([][4]int32, 0, broad.BlockLen),
		})
	}
	for _, w := range c.crew {
		*w = worker{sweep: w.sweep, solver: w.solver, other: w.other, idx: w.idx, found: w.found}
		w.found.Clear(o.MemoryLimit)
		w.sweep.Swept, w.sweep.Kept = 0, 0
		w.solver.Boxed = false
		w.best.SetSeparate(0)
	}
	c.Stats.Boxes = int64(m.NV + len(m.Edges) + len(m.Faces))
	return c, nil
}

// exact tells whether a pair's answer is unique, so that it may be looked for in any part of the step that holds it.
func (c *call) exact() bool { return c.o.Unique() }

// horizon is the end of the time that boxes have to cover. A method that is not exact may take a pair for near that is
// only nearly so; it is asked about all pairs that come near within the whole step, as it would be one by one.
func (c *call) horizon() float64 {
	if c.exact() {
		return c.o.TMax
	}
	return 1
}

func (c *call) end() {
	if c.o.MemoryLimit != 0 {
		return
	}
	c.m, c.o, c.given, c.parts = nil, Options{}, nil, broad.SlabPlan{}
	calls.Put(c)
}

// build makes the plan of [0, until] for the present part of the step.
func (c *call) build(until float64) error {
	began := time.Now()
	defer func() { c.Stats.SecondsBuild += time.Since(began).Seconds() }()
	how := broad.PlanOptions{
		Radius:  bound.Half(c.o.MinSeparation),
		Until:   until,
		Slab:    c.parts.Slab(),
		Threads: int(c.Stats.Threads),
		Limit:   c.limit(),
		Unboxed: c.given != c.o.Candidates, // brute force compares no boxes
	}
	c.from = 0
	if how.Limit > 0 {
		for _, w := range c.crew {
			w.sweep.Forget() // what suited other parts
		}
	}
	if c.given != nil {
		if err := c.plan.Reuse(c.m, &c.mo, c.given, how); err != nil {
			return err
		}
		if !c.fresh(c.plan.SizeRatio()) {
			c.plan.Join()
			return nil
		}
		c.given = nil
	}
	return c.parts.Build(&c.plan, c.m, &c.mo, how)
}

// limit is what the memory limit leaves for a plan and its lists: what grows with the vertices, and each worker's scratch,
// are there in any case. Zero is no limit. Where impacts are kept, half of what is left is theirs.
func (c *call) limit() int64 {
	if c.o.MemoryLimit == 0 {
		return 0
	}
	left := int64(min(c.o.MemoryLimit, 1<<62)) - c.fixed() - c.Budget.Used()
	if c.perItem > 0 {
		left /= 2
	}
	return max(1, left)
}

// fixed is the memory of a call beside its plan and what it finds.
func (c *call) fixed() int64 {
	return int64(8*cap(c.mo.Rec)) + int64(c.Stats.Threads)*(workerBytes+int64(impactBytes*c.portion))
}

// workerBytes is about what a worker holds beside the lists of a cell: its solver, and blocks of pairs and their vertices.
const workerBytes = int64(unsafe.Sizeof(narrow.Solver{})) + broad.WorkerBytes + 16*broad.BlockLen

// prepare finds the pairs, where they are not to be swept for, and begins with the parts of the step.
//
// A pair belongs to one part, whatever the memory limit (broad.Slab), and an answer does not depend on when it is asked for:
// the limit changes no bit of a result.
func (c *call) prepare() (err error) {
	if c.given = c.o.Candidates; c.given == nil && c.o.Flags&narrow.BruteForce != 0 {
		c.given, err = broad.BruteForce(c.m, &c.mo, broad.Options{
			MinSeparation: c.o.MinSeparation, Progress: c.o.Progress, MemoryLimit: c.o.MemoryLimit,
		})
	}
	c.parts.Begin(c.o.Slab)
	return err
}

// run has the crew work off the plan's tasks in the order at(c.from), at(c.from+1), ..., until done, cancelled or stopped,
// and moves c.from on to what is left: the crew ends what it has begun. handle
// gets the blocks of candidates, with their vertices in w.idx; skip, if not nil, may leave a task out; after, if not
// nil, may stop the crew after a task.
func (c *call) run(at func(i int) int, handle func(w *worker, k geom.Kind, pairs [][2]int32), skip, after func(w *worker, t *broad.Task) bool) (stop bool, err error) {
	c.Budget.Beside(c.fixed() + c.plan.Working())
	tasks := c.plan.Tasks()
	left := engine.NewTasks(c.from, len(tasks))
	var stopped atomic.Bool
	began := time.Now()
	err = c.Run(len(tasks), func(i int) {
		w := c.crew[i]
		w.solver.Boxed = c.plan.Boxed()
		emit := func(k geom.Kind, pairs [][2]int32) bool {
			clock := time.Now()
			w.pairs[k-1] += int64(len(pairs))
			w.idx = c.m.Gather(k, pairs, w.idx)
			handle(w, k, pairs)
			w.narrow += time.Since(clock)
			return c.Progress.Pass(0) && !c.abandoned()
		}
		for j := range left.All() {
			t := &tasks[at(j)]
			if skip == nil || !skip(w, t) {
				w.sweep.Sweep(&c.plan, t, emit)
			}
			if !c.Progress.Pass(int64(t.Weight)) || c.abandoned() {
				return
			}
			if after != nil && after(w, t) {
				stopped.Store(true)
			}
			if stopped.Load() {
				return
			}
		}
	})
	c.Stats.SecondsBroad += time.Since(began).Seconds()
	c.Stats.PeakBytes = max(c.Stats.PeakBytes, c.held())
	c.from = left.Taken()
	return stopped.Load(), err
}

// abandoned reports whether the call is to end before its work is done: for want of memory, or because a visitor has seen enough.
func (c *call) abandoned() bool { return c.Budget.Over() || c.halt.Load() }

// finish ends a call that went well: a last word to the progress callback, and the statistics.
func (c *call) finish(found []geom.Impact) error {
	if c.o.Stats == nil {
		return c.End(nil)
	}
	s := &c.Stats
	for _, w := range c.crew[:s.Threads] {
		s.SecondsNarrow += w.narrow.Seconds() / float64(s.Threads)
		for k, n := range w.pairs {
			s.Candidates[k] += n
		}
	}
	s.SecondsBroad = max(0, s.SecondsBroad-s.SecondsNarrow)
	s.PeakBytes = max(s.PeakBytes, c.held()+int64(impactBytes*cap(found)))
	for i := range found {
		s.Count(found[i].Verdict != geom.Separate, found[i].Verdict == geom.Undecided)
	}
	return c.End(nil)
}
