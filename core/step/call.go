package step

import (
	"fmt"
	"sync/atomic"
	"unsafe"

	"ccd/core/broad"
	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/kernel"
	"ccd/core/mesh"
	"ccd/core/narrow"
	"ccd/core/step/device"
)

// call is one call in progress: its arguments, what they have chosen, and its workers. A run
// (run.go) sweeps its pairs.
type call struct {
	m       *mesh.Mesh
	o       Options
	radii   *mesh.Radii // the radii of the primitives, which stay for the whole call
	path    path
	method  method
	tactics tactics
	device  device.Device
	workers []*worker
	engine.Call

	results results
	memory  memory
}

// results says what becomes of the impacts.
type results struct {
	perItem   int         // the bytes of a result until it is returned; 0: no results are listed
	batchSize int         // the most impacts of a visitor's batch; 0: it has no visitor
	halt      atomic.Bool // the visitor has asked to stop
}

// memory is what later calls use again.
type memory struct {
	straight straight
	segments geom.Trajectories // the segments of the path
	plan     broad.Plan
	portions broad.SlabPlan
	excerpt  broad.Excerpt
	ordered  broad.Ordered
	order    taskOrder
	least    least
	worlds   broad.Worlds
	how      broad.PlanOptions // how are the options of the plan while they are chosen.

	// margin is 0, or what boxes and filters prove beyond the separation. Workers then collect the
	// pairs of which they do not prove it.
	margin float64
}

// calls are the finished calls.
var calls = pool[call]{make: func() *call { return new(call) }}

// start checks the arguments and prepares a call on segments from x0 to x1; end returns its memory
// to the pool.
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
	c := calls.get(o)
	if err := c.Begin(&o.CallOptions); err != nil {
		return nil, err
	}
	c.m, c.o, c.radii, c.device, c.memory.margin = m, *o, radii, device.Device{}, 0
	c.method, c.tactics = methodOf(o), tacticsOf(o)
	c.results.perItem, c.results.batchSize = 0, 0
	c.results.halt.Store(false)
	c.memory.straight = straight{mo: &c.memory.segments, m: m, radii: radii, o: &c.o.Options}
	c.path = &c.memory.straight
	c.Stats.Boxes = int64(m.NV + len(m.Edges) + len(m.Faces))
	if err := c.load(x0, x1); err != nil {
		c.end()
		return nil, err
	}
	return c, nil
}

// mayGoOn reports whether another call may go on with the memory of this one: with a device or
// candidates, each call checks where all vertices are.
func (c *call) mayGoOn() bool {
	return c.tactics.remember && c.path.plain() && c.o.Device == nil && c.o.Candidates == nil
}

// goOn begins another call on the segments of this one, of which some end elsewhere.
func (c *call) goOn(o *Options, moved []int32, x1 []float64) error {
	if err := c.Begin(&o.CallOptions); err != nil {
		return err
	}
	c.o = *o
	c.Stats.Boxes = int64(c.m.NV + len(c.m.Edges) + len(c.m.Faces))
	c.memory.segments.Move(moved, x1)
	c.workers = resetWorkers(c.workers, int(c.Stats.Threads), o.MemoryLimit)
	return nil
}

// load packs the positions, and prepares the workers and the device.
func (c *call) load(x0, x1 []float64) error {
	if err := load(c.m, &c.memory.segments, x0, x1, &c.o); err != nil {
		return err
	}
	if known := c.o.Candidates; known != nil {
		if err := known.ValidFor(c.m, c.o.MinSeparation, c.radii); err != nil {
			return fmt.Errorf("options.%w", err)
		}
		if err := known.Contains(&c.memory.segments); err != nil {
			return err
		}
	}
	c.workers = resetWorkers(c.workers, int(c.Stats.Threads), c.o.MemoryLimit)
	if runs, err := c.method.runsOn(&c.o); !runs {
		return err
	}
	var err error
	c.device, err = device.Begin(device.Setup{
		Handle: c.o.Device, Must: c.o.DeviceOnly, Queues: c.tactics.remember, Finds: c.tactics.find,
		Boxes: c.Stats.Boxes, Limit: c.o.MemoryLimit, MaxNorm: c.o.Flags&narrow.MaxNorm != 0,
	}, c.memory.segments.Rec, x0, x1)
	for _, w := range c.workers {
		w.solver.Remote = c.device.Remote()
	}
	return err
}

// remotes are those of the solvers of all workers.
func (c *call) remotes(yield func(*kernel.Remote) bool) {
	for _, w := range c.workers {
		if r := w.solver.Remote; r != nil && !yield(r) {
			return
		}
	}
}

// end returns the memory of the call to the pool.
func (c *call) end() {
	for _, w := range c.workers {
		w.solver.Remote = nil
	}
	if !engine.Keeps(c.heldBytes) {
		return
	}
	calls.put(&c.o, c, func() {
		c.m, c.o, c.radii, c.path, c.device = nil, Options{}, nil, nil, device.Device{}
		c.memory.straight, c.memory.ordered.Order = straight{}, nil
		c.memory.least.path, c.memory.how = nil, broad.PlanOptions{}
		c.memory.portions.End()
		c.memory.worlds.Forget()
		c.memory.plan.Forget()
	})
}

// heldBytes returns the current memory of the call, found impacts included.
func (c *call) heldBytes() int64 {
	path, solver := c.path.Bytes()
	n := c.memory.plan.Bytes() + c.memory.excerpt.Bytes() + c.memory.ordered.Bytes() + path +
		c.memory.worlds.Bytes()
	for _, w := range c.workers[:min(len(c.workers), int(c.Stats.Threads))] {
		n += w.bytes() + solverBytes + solver
	}
	return n
}

// remains returns the memory that remains for a plan and its lists, without what grows with the
// vertices and each worker's buffers; 0: there is no limit.
func (c *call) remains() int64 {
	return c.tactics.room.remains(c.o.MemoryLimit, c.fixed()+c.Budget.Used(), c.results.perItem > 0)
}

// fixed returns the memory of a call without its plan and results.
func (c *call) fixed() int64 {
	path, solver := c.path.Bytes()
	return path + int64(c.Stats.Threads)*(solverBytes+solver+workerBytes+int64(impactBytes*c.results.batchSize))
}

// solverBytes is the memory of a worker's solver, without what the path adds.
const solverBytes = int64(unsafe.Sizeof(narrow.Solver{}))

// workerBytes is about the memory of a worker without its solver and the lists of a cell: blocks of
// pairs and their vertices.
const workerBytes = broad.WorkerBytes + 16*broad.BlockLen

// abandoned reports whether the call ends before its work is done: memory is exhausted, or a
// visitor has stopped it.
func (c *call) abandoned() bool { return c.Budget.Over() || c.results.halt.Load() }

// finish ends a successful call: it calls the progress callback a last time and completes the
// statistics.
func (c *call) finish(found []geom.Impact) error {
	if err := c.device.Err(c.remotes); err != nil {
		return err
	}
	if c.o.Stats == nil {
		return c.End(nil)
	}
	s := &c.Stats
	c.device.Count(s, c.remotes)
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

// noImpact is the result of a call that fails.
func noImpact() (im geom.Impact) {
	im.SetSeparate(0)
	return im
}
