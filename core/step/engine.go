package step

import (
	"cmp"
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
	"ccd/core/status"
)

// stepCall carries one call, and keeps its memory for the next.
type stepCall struct {
	m    *mesh.Mesh
	mo   geom.Motion
	o    Options
	plan broad.Plan
	crew []*worker
	gate engine.Progress

	parts broad.Parts
	given *broad.Candidates // pairs that need not be swept for

	budget  engine.Budget // of impacts that are kept
	perItem int           // bytes that one of them takes until it is handed out; 0: none are kept
	portion int           // impacts that a worker gathers for a visitor; 0: there is none
	halt    atomic.Bool   // the visitor asked to stop

	from int // the plan's first task that is still to be done, in the order that is asked for

	began time.Time
	stats Stats
}

// held is the memory that the call holds now, impacts that were found included.
func (e *stepCall) held() int64 {
	n := e.plan.Bytes() + int64(8*cap(e.mo.Rec))
	for _, w := range e.crew[:e.stats.Threads] {
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
var calls = sync.Pool{New: func() any { return new(stepCall) }}

// start readies the memory of a call; end gives it back.
func start(m *mesh.Mesh, x0, x1 []float64, o *Options) (*stepCall, error) {
	if o == nil {
		d := DefaultOptions()
		o = &d
	}
	if err := o.check(); err != nil {
		return nil, err
	}
	if o.Candidates != nil {
		if err := o.Candidates.Serves(m, o.MinSeparation); err != nil {
			return nil, fmt.Errorf("options.%w", err)
		}
	}
	e := new(stepCall)
	if o.MemoryLimit == 0 { // else what is left of larger calls would count
		e = calls.Get().(*stepCall)
	}
	e.began, e.m, e.o, e.stats = time.Now(), m, *o, Stats{}
	e.budget.Begin(o.MemoryLimit)
	e.perItem, e.portion = 0, 0
	e.halt.Store(false)
	if err := load(m, &e.mo, x0, x1, o); err != nil {
		e.end()
		return nil, err
	}
	if o.Candidates != nil {
		if err := o.Candidates.Covers(&e.mo); err != nil {
			e.end()
			return nil, err
		}
	}
	n := o.threads()
	for len(e.crew) < n {
		e.crew = append(e.crew, &worker{
			sweep:  broad.NewWorker(),
			solver: narrow.NewSolver(),
			idx:    make([][4]int32, 0, broad.BlockLen),
		})
	}
	for _, w := range e.crew {
		*w = worker{sweep: w.sweep, solver: w.solver, other: w.other, idx: w.idx, found: w.found}
		w.found.Clear(o.MemoryLimit)
		w.sweep.Swept, w.sweep.Kept = 0, 0
		w.solver.Boxed = false
		w.best.SetSeparate(0)
	}
	e.stats.Threads = int32(n)
	e.stats.Boxes = int64(m.NV + len(m.Edges) + len(m.Faces))
	return e, nil
}

// exact tells whether a pair's answer is unique, so that it may be looked for in any part of the step that holds it.
func (e *stepCall) exact() bool { return e.o.Unique() }

// horizon is the end of the time that boxes have to cover. A method that is not exact may take a pair for near that is
// only nearly so; it is asked about all pairs that come near within the whole step, as it would be one by one.
func (e *stepCall) horizon() float64 {
	if e.exact() {
		return e.o.TMax
	}
	return 1
}

func (e *stepCall) end() {
	if e.o.MemoryLimit != 0 {
		return
	}
	e.m, e.o, e.given, e.parts = nil, Options{}, nil, broad.Parts{}
	calls.Put(e)
}

// build makes the plan of [0, until] for the present part of the step.
func (e *stepCall) build(until float64) error {
	began := time.Now()
	defer func() { e.stats.SecondsBuild += time.Since(began).Seconds() }()
	how := broad.PlanOptions{
		Radius:  bound.Half(e.o.MinSeparation),
		Until:   until,
		Slab:    e.parts.Slab(),
		Threads: int(e.stats.Threads),
		Limit:   e.limit(),
		Unboxed: e.given != e.o.Candidates, // brute force compares no boxes
	}
	e.from = 0
	if how.Limit > 0 {
		for _, w := range e.crew {
			w.sweep.Forget() // what suited other parts
		}
	}
	if e.given != nil {
		if err := e.plan.Reuse(e.m, &e.mo, e.given, how); err != nil {
			return err
		}
		if !e.fresh(e.plan.Spread()) {
			e.plan.Join()
			return nil
		}
		e.given = nil
	}
	return e.parts.Build(&e.plan, e.m, &e.mo, how)
}

// limit is what the memory limit leaves for a plan and its lists: what grows with the vertices, and each worker's scratch,
// are there in any case. Zero is no limit. Where impacts are kept, half of what is left is theirs.
func (e *stepCall) limit() int64 {
	if e.o.MemoryLimit == 0 {
		return 0
	}
	left := int64(min(e.o.MemoryLimit, 1<<62)) - e.fixed() - e.budget.Used()
	if e.perItem > 0 {
		left /= 2
	}
	return max(1, left)
}

// fixed is the memory of a call beside its plan and what it finds.
func (e *stepCall) fixed() int64 {
	return int64(8*cap(e.mo.Rec)) + int64(e.stats.Threads)*(workerBytes+int64(impactBytes*e.portion))
}

// workerBytes is about what a worker holds beside the lists of a cell: its solver, and blocks of pairs and their vertices.
const workerBytes = int64(unsafe.Sizeof(narrow.Solver{})) + broad.WorkerBytes + 16*broad.BlockLen

// prepare finds the pairs, where they are not to be swept for, and begins with the parts of the step.
//
// A pair belongs to one part, whatever the memory limit (broad.Slab), and an answer does not depend on when it is asked for:
// the limit changes no bit of a result.
func (e *stepCall) prepare() (err error) {
	e.gate.Begin(e.o.Progress)
	if e.given = e.o.Candidates; e.given == nil && e.o.Flags&narrow.BruteForce != 0 {
		e.given, err = broad.BruteForce(e.m, &e.mo, broad.Options{
			MinSeparation: e.o.MinSeparation, Progress: e.o.Progress, MemoryLimit: e.o.MemoryLimit,
		})
	}
	e.parts.Begin(e.o.Slab)
	return err
}

// run has the crew work off the plan's tasks in the order at(e.from), at(e.from+1), ..., until done, cancelled or stopped,
// and moves e.from on to what is left: the crew ends what it has begun. handle
// gets the blocks of candidates, with their vertices in w.idx; skip, if not nil, may leave a task out; after, if not
// nil, may stop the crew after a task.
func (e *stepCall) run(at func(i int) int, handle func(w *worker, k geom.Kind, pairs [][2]int32), skip, after func(w *worker, t *broad.Task) bool) (stop bool, err error) {
	e.budget.Beside(e.fixed() + e.plan.Working())
	tasks := e.plan.Tasks()
	var next atomic.Int64
	next.Store(int64(e.from))
	var stopped atomic.Bool
	began := time.Now()
	err = engine.Parallel(min(int(e.stats.Threads), max(1, len(tasks))), func(i int) {
		w := e.crew[i]
		w.solver.Boxed = e.plan.Boxed()
		emit := func(k geom.Kind, pairs [][2]int32) bool {
			clock := time.Now()
			w.pairs[k-1] += int64(len(pairs))
			w.idx = e.m.Gather(k, pairs, w.idx)
			handle(w, k, pairs)
			w.narrow += time.Since(clock)
			return e.gate.Pass(0) && !e.abandoned()
		}
		for !stopped.Load() {
			j := int(next.Add(1)) - 1
			if j >= len(tasks) {
				return
			}
			t := &tasks[at(j)]
			if skip == nil || !skip(w, t) {
				w.sweep.Sweep(&e.plan, t, emit)
			}
			if !e.gate.Pass(int64(t.Weight)) || e.abandoned() {
				return
			}
			if after != nil && after(w, t) {
				stopped.Store(true)
			}
		}
	})
	e.stats.SecondsBroad += time.Since(began).Seconds()
	e.stats.PeakBytes = max(e.stats.PeakBytes, e.held())
	e.from = min(int(next.Load()), len(tasks))
	if err == nil && e.gate.Cancelled() {
		err = status.ErrCancelled
	}
	return stopped.Load(), cmp.Or(err, e.budget.Err())
}

// abandoned reports whether the call is to end before its work is done: for want of memory, or because a visitor has seen enough.
func (e *stepCall) abandoned() bool { return e.budget.Over() || e.halt.Load() }

// finish ends a call that went well: a last word to the progress callback, and the statistics.
func (e *stepCall) finish(found []geom.Impact) error {
	if err := e.gate.End(); err != nil || e.o.Stats == nil {
		return err
	}
	s := &e.stats
	for _, w := range e.crew[:s.Threads] {
		s.SecondsNarrow += w.narrow.Seconds() / float64(s.Threads)
		for k, n := range w.pairs {
			s.Candidates[k] += n
		}
	}
	s.SecondsBroad = max(0, s.SecondsBroad-s.SecondsNarrow)
	s.PeakBytes = max(s.PeakBytes, e.held()+int64(impactBytes*cap(found)))
	for i := range found {
		switch found[i].Verdict {
		case geom.Undecided:
			s.Undecided++
			fallthrough
		case geom.Contact:
			s.Impacts++
		}
	}
	s.SecondsTotal = time.Since(e.began).Seconds()
	*e.o.Stats = *s
	return nil
}
