package volume

import (
	"sync"
	"time"

	"ccd/core/bound"
	"ccd/core/broad"
	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/narrow"
	"ccd/simd/box"
)

// Scene is a volume with its tree and memory, which are kept from step to step. Several goroutines
// may call it; the calls run one after the other.
//
// The results do not depend on what is kept: a pair reaches the narrow phase when the boxes of its
// two features are not apart, and the hulls above them contain those boxes.
type Scene struct {
	lock sync.Mutex
	v    *mesh.Volume
	mo   geom.Trajectories

	treeState
	classes classifier
	rec     []float32
	gap     float64 // the least difference of sums that separates two boxes along a diagonal
	lean    bool    // boxes of features are computed where they are needed, not kept
	kept    Kept    // the data that a Search keeps

	workers []*worker
	passState

	o     Options
	radii *mesh.Radii // the volume's radii when the call begins
	call  engine.Call
	stats Stats // the statistics that call does not have
}

// treeState is the tree over patches, which is kept from step to step.
type treeState struct {
	order     order
	layout    layout
	tree      tree
	surface   bool  // the layout has only features of the surface
	version   int64 // the version of the volume that order, layout and classifier are of; -1 before the first
	treeBuilt bool  // order was built
	visited   int64 // pairs of patches that the last call opened
	expected  int64 // the same in the first call after the tree was built
}

// passState is the progress of a call.
type passState struct {
	tasks    []nodes
	taken    int // number of tasks that the last pass began
	restarts int // passes with a shorter interval
}

// New returns a scene of a volume. The scene owns the volume from now on: it may be edited by
// Scene.Edit only.
func New(v *mesh.Volume) *Scene { return &Scene{v: v, treeState: treeState{version: -1}} }

// Edit changes the topology between steps. Where the edit fails, its earlier changes remain.
func (s *Scene) Edit(edit func(v *mesh.Volume) error) error {
	s.lock.Lock()
	defer s.lock.Unlock()
	return edit(s.v)
}

// regrown is the growth of the number of pairs of patches, since the tree was built, at which it is
// rebuilt.
const regrown = 1.25

// start checks the arguments and prepares the scene for a call.
func (s *Scene) start(x0, x1 []float64, o *Options) error {
	if o == nil {
		d := DefaultOptions()
		o = &d
	}
	if err := o.check(); err != nil {
		return err
	}
	if err := s.call.Begin(&o.CallOptions); err != nil {
		return err
	}
	s.o, s.stats, s.radii = *o, Stats{}, s.v.Radii()
	if err := s.radii.Check(o.MinSeparation); err != nil {
		return err
	}
	if err := s.load(x0, x1); err != nil {
		return err
	}
	n := int(s.call.Stats.Threads)
	for len(s.workers) < n {
		s.workers = append(s.workers, newWorker())
	}
	for _, w := range s.workers {
		w.reset(o.MemoryLimit)
	}
	return nil
}

// load checks x0 and x1 and packs them.
func (s *Scene) load(x0, x1 []float64) error {
	if err := s.v.LoadParallel(&s.mo, x0, x1, int(s.call.Stats.Threads)); err != nil {
		return err
	}
	return s.o.CheckScene(x0, x1)
}

// classify updates the classifier after an edit.
func (s *Scene) classify() {
	if s.classes.v != nil && s.version == s.v.Version() {
		return
	}
	s.classes.load(s.v)
}

// updateTree updates tree and layout: it rebuilds the order where the tree has degraded, and the
// layout after an edit.
func (s *Scene) updateTree() error {
	changed := s.version != s.v.Version()
	switch {
	case !s.treeBuilt || float64(s.visited) > regrown*float64(s.expected):
		if err := s.order.build(s.v, &s.mo, int(s.call.Stats.Threads)); err != nil {
			s.treeBuilt = false
			return err
		}
		s.treeBuilt, s.expected, s.stats.Rebuilt = true, 0, true
	case changed:
		s.order.edit(s.v)
	}
	if changed || s.stats.Rebuilt || s.surface != s.o.Surface {
		s.layout.build(s.v, &s.order, s.o.Surface)
		s.tree.shape(s.order.patches())
		if s.surface != s.o.Surface {
			s.expected = 0
		}
		s.surface, s.version = s.o.Surface, s.v.Version()
	}
	s.visited = 0
	return nil
}

// ready updates classifier, tree and layout, and computes all boxes for the whole step.
func (s *Scene) ready() error {
	began := time.Now()
	s.classify()
	err := s.updateTree()
	s.call.Stats.SecondsBuild += time.Since(began).Seconds()
	if err != nil {
		return err
	}
	return s.fit(1)
}

// fit computes all boxes for the motion over [0, until].
func (s *Scene) fit(until float64) error {
	began := time.Now()
	defer func() { s.call.Stats.SecondsBuild += time.Since(began).Seconds() }()
	radius := broad.Inflation(s.o.MinSeparation, s.radii, s.radii.Largest())
	largest := s.mo.Largest()
	s.gap = diagonalGap(s.radii.LargestSeparation(s.o.MinSeparation), largest)
	sample := bound.NewSample(&s.mo, largest, until, s.mo.N, false, func(i int) []int32 { return []int32{int32(i)} })
	frame := sample.RecordSpace(radius)
	if err := s.record(&frame, until); err != nil {
		return err
	}
	s.lean = s.o.MemoryLimit != 0 && uint64(s.bytes())+s.layout.boxBytes() > s.o.MemoryLimit
	jobs := s.fitJobs()
	err := s.parallelFor(len(jobs), func(i int) { jobs[i]() })
	if len(s.order.elements) > 0 {
		s.tree.fitNodes()
	}
	return err
}

// record computes the records of all vertices.
func (s *Scene) record(frame *bound.RecordSpace, until float64) error {
	const part = 16384
	s.rec = resized(s.rec, bound.RecordLen*s.mo.N)
	return s.parallelFor((s.mo.N+part-1)/part, func(i int) {
		lo, hi := part*i, min(part*(i+1), s.mo.N)
		broad.InflatedRecords(frame, &s.mo, until, s.o.MinSeparation, s.radii, lo, hi, s.rec)
	})
}

// parallelFor runs work(0) to work(parts-1) in parallel.
func (s *Scene) parallelFor(parts int, work func(i int)) error {
	tasks := engine.NewTasks(0, parts)
	return engine.Parallel(min(int(s.call.Stats.Threads), parts), func(int) {
		for i := range tasks.All() {
			work(i)
		}
	})
}

// fitJobs divides the fitting of boxes and hulls into independent jobs.
func (s *Scene) fitJobs() (jobs []func()) {
	const blocks, patches = 4096, 2048
	l := &s.layout
	for _, x := range []*shapeBlocks{&l.vertices, &l.edges, &l.faces} {
		if s.lean {
			x.boxes = nil
			continue
		}
		n := len(x.feature) / box.BlockLanes
		x.boxes = resized(x.boxes, n*box.BlockLen)
		per := box.BlockLanes * x.width
		for lo := 0; lo < n; lo += blocks {
			hi := min(lo+blocks, n)
			jobs = append(jobs, func() {
				box.JoinBlocks(s.rec, x.ids[per*lo:per*hi], x.width, x.boxes[box.BlockLen*lo:box.BlockLen*hi])
			})
		}
	}
	n := s.order.patches()
	for lo := 0; lo < n; lo += patches {
		hi := min(lo+patches, n)
		jobs = append(jobs, func() { s.tree.fitPatches(l, s.rec, lo, hi) })
	}
	return jobs
}

// run runs the tasks in the order at(0), at(1), ... until they are done, the call is cancelled, or
// the goal, if any, decides to restart.
func (s *Scene) run(at func(i, n int) int, emit emitter, goal *search) error {
	began := time.Now()
	const most = 512
	if len(s.order.elements) == 0 {
		return nil
	}
	s.tasks = s.tree.tasks(most, s.tasks)
	n := len(s.tasks)
	s.call.Progress.Part(int64(n), 1)
	s.call.Budget.SetWorking(s.bytes())
	tasks := engine.NewTasks(0, n)
	err := s.call.Run(n, func(i int) {
		w := s.workers[i]
		w.begin(s, emit, goal)
		w.solver.Boxed = true
		for j := range tasks.All() {
			s.tree.visit(s.tasks[at(j, n)], w.openPatches)
			if !s.call.Progress.Pass(1) || s.call.Budget.Over() {
				return
			}
			if goal != nil {
				if goal.considerRestart(w, j+1, n); goal.again.Load() {
					break
				}
			}
		}
		w.flush(geom.VertexFace)
		w.flush(geom.EdgeEdge)
		w.sort()
	})
	s.taken = tasks.FirstUntaken()
	s.call.Stats.SecondsBroad += time.Since(began).Seconds()
	return err
}

// finish ends a successful call: it calls the progress callback a last time and completes the
// statistics.
func (s *Scene) finish() error {
	st, common := &s.stats, &s.call.Stats
	if s.o.Search == nil && s.treeBuilt { // There is no tree before the first call without BruteForce.
		s.countBoxes()
	}
	for _, w := range s.workers[:common.Threads] {
		common.SecondsNarrow += w.narrow.Seconds() / float64(common.Threads)
		common.PeakBytes += w.bytes()
		st.PatchPairs += w.opened
		for k := range w.overlaps {
			st.Overlaps[k] += w.overlaps[k]
			common.Candidates[k] += w.candidates[k]
		}
	}
	common.SecondsBroad = max(0, common.SecondsBroad-common.SecondsNarrow)
	common.PeakBytes += s.bytes()
	if err := s.call.End(nil); err != nil {
		return err
	}
	if s.o.VolumeStats != nil {
		*s.o.VolumeStats = *st
		s.o.VolumeStats.Stats = *common
	}
	return nil
}

// countBoxes counts the tree's patches and the boxes of their features.
func (s *Scene) countBoxes() {
	s.stats.Patches = int64(s.order.patches())
	for _, x := range []*shapeBlocks{&s.layout.vertices, &s.layout.edges, &s.layout.faces} {
		for _, f := range x.feature {
			if f >= 0 {
				s.call.Stats.Boxes++
			}
		}
	}
}

// bytes returns the memory of the scene without the volume.
func (s *Scene) bytes() int64 {
	kept := int64(0)
	if s.kept != nil {
		kept = s.kept.Bytes()
	}
	return s.layout.bytes() + s.tree.bytes() + kept +
		int64(8*cap(s.mo.Rec)+4*cap(s.rec)+4*cap(s.order.elements)+24*cap(s.order.center))
}

// notePairs stores the number of pairs of patches that a call has opened. A search for the earliest
// contact that is complete opens all of them. For an incomplete one the number is extrapolated, and
// counts only where it is far off.
func (s *Scene) notePairs() {
	opened := int64(0)
	for _, w := range s.workers[:s.call.Stats.Threads] {
		opened += w.opened
	}
	whole := s.taken == len(s.tasks)
	if !whole {
		opened = int64(float64(opened) * float64(len(s.tasks)) / float64(s.taken))
	}
	if s.expected == 0 {
		s.expected = opened
	}
	if whole || opened > 2*s.expected {
		s.visited = opened
	}
}

// solve solves one query over the whole step.
func (s *Scene) solve(solver *narrow.Solver, kind geom.Kind, vertices *[4]int32, out *geom.Impact) {
	var q [24]float64
	s.mo.Query(kind, vertices, &q)
	o := s.o.Options
	o.MinSeparation = s.radii.Query(kind, vertices, o.MinSeparation)
	solver.Solve(kind, q[:kind.Len()], &o, out)
}
