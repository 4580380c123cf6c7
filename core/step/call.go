package step

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"ccd/core/broad"
	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/motion"
	"ccd/core/narrow"
	"ccd/core/num"
	"ccd/simd/pairs"
)

// call is the state of one call. Later calls reuse its memory.
//
// Size: the fields are what a step is given and what calls of all kinds share; parts of them have types of their own, whose methods count here.
type call struct {
	m       *mesh.Mesh
	mo      geom.Trajectories
	o       Options
	plan    broad.Plan
	workers []*worker
	engine.Call

	slabs   broad.SlabPlan
	excerpt broad.Excerpt
	ordered broad.Ordered
	placed  *broad.Ordered    // &ordered where the mesh has an order that serves the call, else nil
	given   *broad.Candidates // known pairs; nil: sweep for them
	radii   *mesh.Radii       // of the primitives, the same for the whole call
	moving                    // the zero value, or a motion in place of x0 and x1

	narrowing

	results
	halt atomic.Bool // the visitor asked to stop

	from int // the first task of the plan that remains, in the order of the call

	margin float64 // > 0: filters and boxes prove this much more than the separation, and workers keep the other pairs

	devicePart
}

// narrowing restricts a call to some pairs.
type narrowing struct {
	changed   []bool      // nil, or by vertex: only pairs with one of these are tested
	near      *broad.Near // nil, or what is near them
	alongAxes bool        // boxes are compared along the axes: an earlier search of about the same pairs found no better directions
}

// results says what becomes of the impacts.
type results struct {
	perItem   int // bytes of a result until it is returned; 0: none are kept
	batchSize int // impacts of a visitor's batch; 0: there is no visitor
}

// heldBytes returns the current memory of the call, found impacts included.
func (c *call) heldBytes() int64 {
	n := c.plan.Bytes() + c.excerpt.Bytes() + c.ordered.Bytes() + int64(8*cap(c.mo.Rec)) + c.moving.bytes()
	for _, w := range c.workers[:min(len(c.workers), int(c.Stats.Threads))] {
		n += w.sweep.Bytes() + heldBytes(w) + w.kept.bytes() + c.solverBytes() + int64(16*cap(w.idx)+8*cap(w.each)+28*cap(w.sifted.at)+impactBytes*(w.found.Cap()+cap(w.batch)))
	}
	return n
}

const impactBytes = int(unsafe.Sizeof(geom.Impact{}))

// block is the memory of a block of pairs.
type block struct {
	idx   [][4]int32 // vertices
	each  []float64  // separations, where they differ
	given [][2]int32 // the pairs, in a call of Pairs

	sifted sifted
	held   [geom.EdgeEdge + 1][][2]int32 // by kind: pairs that wait for the device
	wanted int                           // how many are enough
	left   pairs.Found                   // what the device left of a window
	moving movingScratch
	kept   kept
}

// worker is the state of one goroutine of a call.
//
// Size: what a goroutine finds and counts, for each kind of call; parts of it have types of their own.
type worker struct {
	sweep  *broad.Worker
	solver *narrow.Solver
	second *narrow.Solver // nil until secondSolver makes it
	block
	of     *geom.Trajectories // nil, or those that idx refers to in place of the call's; no later call may read it
	found  engine.List[geom.Impact]
	narrow time.Duration // spent on pairs
	pairs  [geom.EdgeFace]int64

	batch           []geom.Impact // for a visitor
	seen, undecided int64         // impacts passed to it

	leastImpact
	hits                 int64   // results that were not Separate
	base                 float64 // cost before this pass
	weighedEnd, survival float64 // the end of time for which a restart was last considered, and the plan's survival ratio there
}

// leastImpact is that of a search for the earliest, as far as its worker knows.
type leastImpact struct {
	best  geom.Impact
	ties  int           // pairs that touch at its time, or are only proven not to touch before, since that was found
	apart narrow.Before // proves pairs apart before this time
}

// calls is a pool of finished calls, so that later calls reuse their memory.
var calls = sync.Pool{New: func() any { return new(call) }}

// start checks the arguments and prepares a call; end returns its memory to the pool.
func start(m *mesh.Mesh, x0, x1 []float64, o *Options) (*call, error) {
	if o == nil {
		d := DefaultOptions()
		o = &d
	}
	if err := o.check(); err != nil {
		return nil, err
	}
	radii := m.Filter().Radii()
	if err := radii.Check(o.MinSeparation); err != nil {
		return nil, err
	}
	if o.Candidates != nil {
		if err := o.Candidates.ValidFor(m, o.MinSeparation, radii); err != nil {
			return nil, fmt.Errorf("options.%w", err)
		}
	}
	var c *call
	if o.MemoryLimit == 0 {
		c = calls.Get().(*call)
	} else { // the memory of larger calls would count
		c = new(call)
	}
	if err := c.Begin(&o.CallOptions); err != nil {
		return nil, err
	}
	c.m, c.o, c.radii = m, *o, radii
	c.results, c.narrowing, c.devicePart, c.moving, c.placed, c.margin = results{}, narrowing{}, devicePart{}, moving{}, nil, 0
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
	c.resetWorkers()
	if err := (deviceCall{c}).begin(x0, x1); err != nil {
		c.end()
		return nil, err
	}
	c.Stats.Boxes = int64(m.NV + len(m.Edges) + len(m.Faces))
	return c, nil
}

// resetWorkers makes the workers that are missing, and prepares all of them for a call; their memory stays.
func (c *call) resetWorkers() {
	for len(c.workers) < int(c.Stats.Threads) {
		c.workers = append(c.workers, &worker{
			sweep:  broad.NewWorker(),
			solver: narrow.NewSolver(),
			block:  block{idx: make([][4]int32, 0, broad.BlockLen)},
		})
	}
	for _, w := range c.workers {
		*w = worker{sweep: w.sweep, solver: w.solver, second: w.second, block: w.block, found: w.found}
		w.found.Clear(c.o.MemoryLimit)
		w.kept.clear()
		w.sweep.Swept, w.sweep.Kept = 0, 0
		w.solver.Boxed, w.solver.Times = false, false
		w.best.SetSeparate(0)
	}
}

// exact reports whether the result of a pair is unique, so that any part of the step that contains it may be searched.
func (c *call) exact() bool { return c.o.Unique() && !c.refines() }

// horizon returns the end of the time that boxes must cover. An inexact method may report a pair that is only nearly in contact.
// It must therefore see all pairs that come near within the whole step, as it does in calls pair by pair.
func (c *call) horizon() float64 {
	if c.exact() {
		return c.o.TMax
	}
	return 1
}

func (c *call) end() {
	(deviceCall{c}).end()
	if c.o.MemoryLimit != 0 || !engine.Keeps(c.heldBytes) {
		return
	}
	c.m, c.o, c.given, c.radii, c.narrowing, c.devicePart, c.moving = nil, Options{}, nil, nil, narrowing{}, devicePart{}, moving{}
	c.ordered.Order, c.placed = nil, nil
	c.slabs.End()
	calls.Put(c)
}

// planOptions are those of a plan of [0, until] for the current slab.
func (c *call) planOptions(until float64) broad.PlanOptions {
	how := broad.PlanOptions{
		Separation: num.AddUp(c.o.MinSeparation, c.margin),
		Radii:      c.boxRadii(),
		Bands:      c.moving.bands,
		Until:      until,
		Slab:       c.slabs.Slab(),
		Region:     c.o.Region,
		Hulls:      c.moving.hulls,
		Threads:    int(c.Stats.Threads),
		Limit:      c.limit(),
		Remote:     c.finder(),
		Changed:    c.changed,
		Near:       c.near,
		Ordered:    c.placed,
		Unboxed:    c.given != c.o.Candidates || c.given.Unboxed(), // pairs of BruteForce are emitted without comparing boxes again
		Euclidean:  c.o.Flags&narrow.MaxNorm == 0,
	}
	if c.exact() && !c.moves() { // a method with a tolerance reports by the pairs that it gets; of a motion boxes hold only along the axes
		how.Orient, how.Progress, how.UpTo = orientation, &c.Progress, c.doneAfter()
		if c.alongAxes {
			how.Orient = broad.AlongAxes
		}
	}
	return how
}

// owners returns the step by whose coordinates a region owns pairs.
func (c *call) owners() *geom.Trajectories {
	if c.moving.hulls != nil {
		return c.moving.hulls
	}
	return &c.mo
}

// build makes the plan of [0, until] for the current slab.
func (c *call) build(until float64) error {
	began := c.Now()
	defer func() { c.Stats.SecondsBuild += c.Since(began).Seconds() }()
	how := c.planOptions(c.cover(until))
	c.from = 0
	if how.Limit > 0 {
		for _, w := range c.workers {
			w.sweep.Forget() // its lists were sized for another slab
		}
	}
	if c.given != nil {
		if err := c.plan.Reuse(c.m, &c.mo, c.given, how); err != nil {
			return err
		}
		if !c.sweepPays(c.plan.SizeRatio()) {
			c.plan.Join()
			return nil
		}
		c.given = nil
	}
	return c.slabs.Build(&c.plan, c.m, &c.mo, how)
}

// orientation is that of the plans of exact methods. Tests set OrientAlways.
var orientation = broad.OrientIfItPays

// limit returns the memory that remains for a plan and its lists, without the memory that grows with the vertices and each worker's
// buffers. Zero means no limit. If impacts are kept, half of the remainder is reserved for them.
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

// fixed returns the memory of a call without its plan and results.
func (c *call) fixed() int64 {
	return int64(8*cap(c.mo.Rec)) + c.moving.bytes() + int64(c.Stats.Threads)*(c.solverBytes()+workerBytes+int64(impactBytes*c.batchSize))
}

// solverBytes is the memory of a worker's solver.
func (c *call) solverBytes() int64 {
	n := int64(unsafe.Sizeof(narrow.Solver{}))
	if c.moves() {
		n += int64(narrow.MotionBytes) + int64(unsafe.Sizeof(movingScratch{}))
		if c.moving.refines() {
			n += motion.PartsBytes
		}
	}
	return n
}

// workerBytes is about the memory of a worker without its solver and the lists of a cell: blocks of pairs and their vertices.
const workerBytes = broad.WorkerBytes + 16*broad.BlockLen

// prepare sets the given pairs, if any, and begins the slabs.
//
// A pair belongs to one slab, whatever the memory limit (broad.Slab), and its result does not depend on the order of the calls:
// the limit changes no bit of a result.
func (c *call) prepare() (err error) {
	if c.given = c.o.Candidates; c.given == nil && c.o.Flags&narrow.BruteForce != 0 {
		c.given, err = broad.BruteForce(c.m, &c.mo, broad.Options{
			MinSeparation: c.o.MinSeparation, Progress: c.o.Progress, MemoryLimit: c.o.MemoryLimit, Radii: c.moving.radii,
		})
	}
	c.slabs.Begin(c.o.Slab)
	return err
}

// run processes the plan's tasks in the order at(c.from), at(c.from+1), ..., until they are done, the call is cancelled, or a
// worker stops it. A worker always ends the task that it has begun; c.from is then the first task that remains.
//
// handle gets the blocks of candidates, with their vertices in w.idx (not of geom.EdgeFace). skip, if not nil, may skip a task. after, if not nil, may
// stop all workers after a task.
func (c *call) run(at func(i int) int, handle func(w *worker, k geom.Kind, pairs [][2]int32), skip, after func(w *worker, t *broad.Task) bool) (stop bool, err error) {
	c.Budget.SetWorking(c.fixed() + c.plan.Working())
	tasks := c.plan.Tasks()
	left := engine.NewTasks(c.from, len(tasks))
	var stopped atomic.Bool
	began := c.Now()
	err = c.Run(c.plan.Workers(), func(i int) {
		w := c.workers[i]
		w.solver.Boxed = c.plan.Boxed() && !c.plan.Oriented()
		emit := func(k geom.Kind, pairs [][2]int32) bool {
			clock := c.Now()
			w.pairs[k-1] += int64(len(pairs))
			if pairs = (deviceCall{c}).hold(w, k, pairs); len(pairs) == 0 {
				return c.Progress.Pass(0) && !c.abandoned()
			}
			if k != geom.EdgeFace { // five vertices
				w.gather(c, k, pairs)
			}
			handle(w, k, pairs)
			w.narrow += c.Since(clock)
			return c.Progress.Pass(0) && !c.abandoned()
		}
		for j := range left.All() {
			t := &tasks[at(j)]
			if skip == nil || !skip(w, t) {
				if d := (deviceCall{c}); !d.windows(w, t, handle, emit) {
					w.sweep.Sweep(&c.plan, t, emit)
				}
			}
			if !c.Progress.Pass(int64(t.Weight)) || c.abandoned() {
				return
			}
			if after != nil && after(w, t) {
				stopped.Store(true)
			}
			if stopped.Load() {
				break
			}
		}
		(deviceCall{c}).release(w, handle)
	})
	c.Stats.SecondsBroad += c.Since(began).Seconds()
	c.Stats.PeakBytes = max(c.Stats.PeakBytes, c.heldBytes())
	c.from = left.FirstUntaken()
	return stopped.Load(), err
}

// abandoned reports whether the call ends before its work is done: memory is exhausted, or a visitor has stopped it.
func (c *call) abandoned() bool { return c.Budget.Over() || c.halt.Load() }

// finish ends a successful call: it calls the progress callback a last time and completes the statistics.
func (c *call) finish(found []geom.Impact) error {
	if err := (deviceCall{c}).err(); err != nil {
		return err
	}
	if c.o.Stats == nil {
		return c.End(nil)
	}
	s := &c.Stats
	(deviceCall{c}).count()
	for _, w := range c.workers[:s.Threads] {
		s.SecondsNarrow += w.narrow.Seconds() / float64(s.Threads)
		for k, n := range w.pairs {
			s.Candidates[k] += n
		}
	}
	s.SecondsBroad = max(0, s.SecondsBroad-s.SecondsNarrow)
	s.PeakBytes = max(s.PeakBytes, c.heldBytes()+int64(impactBytes*cap(found)))
	for i := range found {
		s.Count(found[i].Verdict != geom.Separate, found[i].Verdict == geom.Undecided)
	}
	return c.End(nil)
}

// useOrder lets the plans of the call use the mesh's order, where it has one that serves.
func (c *call) useOrder() error {
	if c.o.MemoryLimit != 0 || c.moves() || c.o.Slab != nil || c.o.Region != nil || c.o.Candidates != nil || c.o.Device != nil || c.o.Flags&narrow.BruteForce != 0 || c.changed != nil || c.near != nil {
		return nil
	}
	ok, err := c.ordered.Begin(c.m, &c.mo, int(c.Stats.Threads))
	if ok {
		c.placed = &c.ordered
	}
	return err
}

// gather sets w.idx to the vertices of the pairs of a block, and w.of to the trajectories that they refer to.
func (w *worker) gather(c *call, k geom.Kind, pairs [][2]int32) {
	if places := w.sweep.Places(); places != nil {
		w.of, w.idx = &c.ordered.Motion, c.ordered.Order.Gather(k, places, w.idx)
		return
	}
	w.of, w.idx = nil, c.m.Gather(k, pairs, w.idx)
}

// motion returns the trajectories that w.idx refers to.
func (w *worker) motion(c *call) *geom.Trajectories {
	if w.of != nil {
		return w.of
	}
	return &c.mo
}
