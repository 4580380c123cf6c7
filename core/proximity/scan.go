package proximity

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"ccd/core/broad"
	"ccd/core/engine"
	"ccd/core/exact"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/status"
)

// scan is one call that tests pairs of a configuration: a broad phase that streams blocks of
// candidates to a handler. Later calls reuse its memory.
//
// Size: a call and what it keeps for the next one.
type scan struct {
	engine.Call
	m       *mesh.Mesh
	mo      geom.Trajectories
	o       Options
	plan    broad.Plan
	kept    []*worker // the workers of this call and of earlier ones with more threads
	workers []*worker // the workers of this call: the first of kept
	slabs   broad.SlabPlan
	inside  inside
	radii   *mesh.Radii // radii of the primitives, the same for the whole call; nil where they do not count
	stop    atomic.Bool

	over  *overStep // the search over a step; nil for a configuration
	lists bool      // pairs are kept
	near  bool      // the pairs are those of Near or List
	share float64   // the fraction of the call that is done after the present scan
	order pairOrder
}

// inside is what a mesh has inside for the plans of a call.
type inside struct {
	ordered broad.Ordered
	placed  *broad.Ordered // &ordered where the mesh has an order that serves the call, else nil
	grouped bool           // The hierarchy of the mesh may find the pairs.
}

// scans is a pool of finished calls, so that later calls reuse their memory.
var scans = sync.Pool{New: func() any { return new(scan) }}

// worker is the state of one goroutine of a scan.
type worker struct {
	sweep    *broad.Worker
	resolver exact.Resolver
	query    [24]float64
	convex   convex
	sieve    sieved
	near     [geom.EdgeFace]nearList // nearList of each kind: index kind - 1
	best     NearPair                // the nearest pair, in a search for the smallest distance
	cross    NearPair                // the first edge and face that share a point
	lowest   float64                 // a lower bound of the distances that were measured
	places   [][2]int32              // nil, or of the block at work in the mesh's order
	narrow   time.Duration
	pairs    [geom.EdgeFace]int64
	over     overWorker
}

// handler processes a block of pairs of one kind.
type handler func(w *worker, k geom.Kind, pairs [][2]int32)

// start prepares a call that concerns all pairs.
func start(m *mesh.Mesh, x []float64, o *Options) (*scan, error) {
	if o != nil && o.Region != nil {
		return nil, status.Errorf(status.ErrUnsupported,
			"options.region: of the calls on a configuration only those for near pairs have it")
	}
	return startPart(m, x, o)
}

// startPart prepares a call that may concern the pairs of a region.
func startPart(m *mesh.Mesh, x []float64, o *Options) (*scan, error) {
	if o != nil && o.Region != nil {
		if err := o.Region.Check(); err != nil {
			return nil, fmt.Errorf("options.%w", err)
		}
	}
	return begin(m, o, func(mo *geom.Trajectories, threads int) error { return load(m, mo, x, threads) })
}

// begin prepares a call; pack checks and packs the positions. The caller ends it with end.
func begin(m *mesh.Mesh, o *Options, pack func(mo *geom.Trajectories, threads int) error) (*scan, error) {
	if o == nil {
		o = &Options{}
	}
	var s *scan
	if o.MemoryLimit == 0 {
		s = scans.Get().(*scan)
	} else { // the memory of larger calls would count
		s = new(scan)
	}
	s.m, s.o, s.share, s.radii, s.over, s.lists, s.near = m, *o, 1, nil, nil, false, false
	s.stop.Store(false)
	s.inside.placed, s.inside.grouped = nil, false
	if err := s.Begin(&o.CallOptions); err != nil {
		s.end()
		return nil, err
	}
	if err := pack(&s.mo, int(s.Stats.Threads)); err != nil {
		s.end()
		return nil, err
	}
	n := int(s.Stats.Threads)
	for len(s.kept) < n {
		s.kept = append(s.kept, &worker{sweep: broad.NewWorker()})
	}
	s.workers = s.kept[:n]
	for _, w := range s.workers {
		w.begin()
	}
	s.Stats.Boxes = int64(m.NV + len(m.Edges) + len(m.Faces))
	return s, nil
}

// begin prepares the worker for another call.
func (w *worker) begin() {
	for k := range w.near {
		w.near[k].clear()
	}
	w.best, w.cross, w.lowest = NearPair{}, NearPair{}, 0
	w.narrow, w.pairs, w.over = 0, [geom.EdgeFace]int64{}, overWorker{}
	w.sweep.Swept, w.sweep.Kept = 0, 0
}

// end returns the memory of the call to the pool. Nothing that the call returned may refer to it.
func (s *scan) end() {
	if s.o.MemoryLimit != 0 || !engine.Keeps(s.keptBytes) {
		return
	}
	s.m, s.o, s.radii, s.over, s.workers = nil, Options{}, nil, nil, nil
	s.inside.ordered.Order, s.inside.placed = nil, nil
	s.slabs.End()
	scans.Put(s)
}

// keptBytes returns the memory that the call would leave to a later one.
func (s *scan) keptBytes() int64 {
	n := s.plan.Bytes() + int64(8*cap(s.mo.Rec)) + s.inside.ordered.Bytes() + s.order.bytes()
	for _, w := range s.kept {
		n += w.sweep.Bytes() + int64(unsafe.Sizeof(*w)) + int64(w.nearBytes())
	}
	return n
}

// orientation is that of the plans of intersection tests, of Near and of List. Tests set others.
var orientation = broad.OrientIfItPays

// all passes every allowed pair whose boxes, grown by half the separation and their radii, overlap
// to the handler, each pair once. With intersections the pairs are those of an intersection test,
// whose boxes may be along other directions (broad.Tactic.Orient).
func (s *scan) all(separation float64, intersections bool, handle handler) error {
	if s.o.BruteForce {
		return s.everyPair(intersections, handle)
	}
	for s.slabs.Begin(nil); s.slabs.More(); s.slabs.Next() {
		if s.o.MemoryLimit != 0 {
			for _, w := range s.workers {
				w.sweep.Forget() // its size fits other slabs
			}
		}
		began := s.Now()
		how := broad.PlanOptions{
			Input: broad.Input{Separation: separation, Radii: s.radii, Until: s.until(), Still: s.over == nil,
				AtRest: s.over == nil, Intersections: intersections},
			Keep:   broad.Keep{Region: s.o.Region},
			Tactic: broad.Tactic{Ordered: s.inside.placed, Hierarchy: s.inside.grouped},
			Work: broad.Work{Threads: len(s.workers), Limit: s.limit(), Progress: &s.Progress,
				UpTo: float64(s.share * s.slabs.UpTo())},
		}
		if intersections { // The exact stage decides which edges and faces share a point.
			how.Tactic.Orient, how.Input.Euclidean = orientation, true
		}
		if s.near { // whether Lo is at most d does not depend on the other pairs
			how.Tactic.Orient, how.Input.Euclidean = orientation, true
			how.Tactic.Farther = beyond(separation, s.radii.Largest())
		}
		err := s.slabs.Build(&s.plan, s.m, &s.mo, how)
		s.Stats.SecondsBuild += s.Since(began).Seconds()
		if err != nil {
			return err
		}
		s.Progress.Part(s.plan.Weight(), float64(s.share*s.slabs.UpTo()))
		s.Budget.SetWorking(s.fixed() + s.plan.Working())
		if err := s.run(handle); err != nil || s.stop.Load() {
			return err
		}
	}
	return nil
}

// until returns the time up to which the primitives move.
func (s *scan) until() float64 {
	if s.over != nil {
		return s.over.tMax
	}
	return 1
}

// run runs the plan's tasks on all workers.
func (s *scan) run(handle handler) error {
	list := s.plan.Tasks()
	tasks := engine.NewTasks(0, len(list))
	began := s.Now()
	err := s.Run(s.plan.Workers(), func(i int) {
		w := s.workers[i]
		emit := func(k geom.Kind, pairs [][2]int32) bool {
			w.places = w.sweep.Places()
			s.handle(w, k, pairs, handle)
			return s.Progress.Pass(0) && !s.stop.Load() && !s.Budget.Over()
		}
		for j := range tasks.All() {
			if s.stop.Load() {
				return
			}
			t := &list[s.plan.LongestFirst(j)]
			w.sweep.Sweep(&s.plan, t, emit)
			w.places = nil
			if !s.Progress.Pass(int64(t.Weight)) || s.Budget.Over() {
				return
			}
		}
	})
	s.Stats.SecondsBroad += s.Since(began).Seconds()
	return err
}

// handle counts and times a block of pairs.
func (s *scan) handle(w *worker, k geom.Kind, pairs [][2]int32, handle handler) {
	clock := s.Now()
	w.pairs[k-1] += int64(len(pairs))
	handle(w, k, pairs)
	w.narrow += s.Since(clock)
}

// limit returns the memory that remains for a plan and its lists; zero is no limit. A pair belongs
// to one slab (broad.Slab), so the limit changes no result. Where pairs are kept, half of the
// remainder is reserved for them.
func (s *scan) limit() int64 {
	if s.o.MemoryLimit == 0 {
		return 0
	}
	left := int64(min(s.o.MemoryLimit, 1<<62)) - s.fixed() - s.Budget.Used()
	if s.lists {
		left /= 2
	}
	return max(1, left)
}

// fixed returns the memory of a call without its plan and results.
func (s *scan) fixed() int64 { return int64(8*cap(s.mo.Rec)) + int64(len(s.workers))*workerBytes }

// workerBytes is about the memory of a worker without the lists of a cell.
const workerBytes = int64(unsafe.Sizeof(worker{})) + broad.WorkerBytes

// everyPair returns all without a broad phase, on one thread: the reference implementation.
func (s *scan) everyPair(intersections bool, handle handler) error {
	w, filter := s.workers[0], s.m.Filter()
	var block [][2]int32
	for i, f := range products(s.m, intersections) {
		s.Progress.Part(int64(len(f.a)), float64(s.share*float64(i+1)/5))
		for _, a := range f.a {
			block = block[:0]
			for _, b := range f.b {
				if !(f.self && b <= a) && filter.Allows(f.kind, a, b) &&
					(s.o.Region == nil || s.o.Region.Owns(s.m, &s.mo, f.kind, a, b)) {
					block = append(block, [2]int32{a, b})
				}
			}
			if len(block) > 0 {
				s.handle(w, f.kind, block, handle)
			}
			if !s.Progress.Pass(1) {
				return status.ErrCancelled
			}
			if s.stop.Load() || s.Budget.Over() {
				return s.Budget.Err()
			}
		}
	}
	return nil
}

// product is a family of pairs: a x b, or with self the unordered pairs of a.
type product struct {
	kind geom.Kind
	a, b []int32
	self bool
}

// products returns the families of package mesh, or with intersections those of an intersection
// test, as in package broad.
func products(m *mesh.Mesh, intersections bool) []product {
	vertices, edges, faces := upTo(m.NV), upTo(len(m.Edges)), upTo(len(m.Faces))
	points, rods := m.CodimVertices, m.CodimEdges
	list := []product{
		{kind: geom.PointEdge, a: m.EdgePoints, b: rods},
		{kind: geom.PointPoint, a: points, b: points, self: true},
	}
	if intersections {
		return append(list,
			product{kind: geom.EdgeFace, a: edges, b: faces},
			product{kind: geom.VertexFace, a: points, b: faces},
			product{kind: geom.EdgeEdge, a: rods, b: rods, self: true})
	}
	return append(list,
		product{kind: geom.VertexFace, a: vertices, b: faces},
		product{kind: geom.EdgeEdge, a: edges, b: edges, self: true})
}

// upTo returns 0, 1, ..., n-1.
func upTo(n int) []int32 {
	list := make([]int32, n)
	for i := range list {
		list[i] = int32(i)
	}
	return list
}

// finish ends a successful call: it calls the progress callback a last time and completes the
// statistics.
func (s *scan) finish(found int) error {
	t := &s.Stats
	t.Impacts = int64(found)
	for _, w := range s.workers {
		t.SecondsNarrow += w.narrow.Seconds() / float64(len(s.workers))
		t.PeakBytes += w.sweep.Bytes() + int64(unsafe.Sizeof(*w)) + int64(w.nearBytes())
		for k, n := range w.pairs {
			t.Candidates[k] += n
		}
	}
	t.SecondsBroad = max(0, t.SecondsBroad-t.SecondsNarrow)
	t.PeakBytes += s.plan.Bytes() + int64(8*cap(s.mo.Rec)) + s.inside.ordered.Bytes() + s.order.bytes()
	return s.End(nil)
}

// use lets the plans of a call use the mesh's hierarchy, or else its order, where the call wants
// them and the mesh has one that serves.
func (n *inside) use(s *scan, hierarchy, order bool) (err error) {
	if s.o.MemoryLimit != 0 || s.o.BruteForce || s.o.Region != nil {
		return nil
	}
	if hierarchy {
		n.grouped, err = broad.HasHierarchy(s.m, &s.mo, len(s.workers))
	}
	if !order || n.grouped || err != nil {
		return err
	}
	ok, err := n.ordered.Begin(s.m, &s.mo, len(s.workers))
	if ok {
		n.placed = &n.ordered
	}
	return err
}
