package volume

import (
	"fmt"
	"sync"
	"time"

	"ccd/core/bound"
	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/narrow"
	"ccd/simd"
)

// Scene is a volume with what is kept from step to step: its tree, and memory. Calls may come from several goroutines; they
// are answered one after the other.
//
// The answers do not depend on what is kept: a pair reaches the narrow phase when the boxes of its two features are not
// apart, and the hulls above them hold those boxes.
type Scene struct {
	lock sync.Mutex
	v    *mesh.Volume
	mo   geom.Motion

	order    order
	layout   layout
	tree     tree
	surface  bool  // what the layout is of
	version  int64 // of the volume that order, layout and classifier are of; -1 before the first
	placed   bool  // the order was built
	classes  classifier
	rec      []float32
	gap      float64 // along diagonals
	lean     bool    // boxes of features are made where they are needed, not kept
	visited  int64   // pairs of patches that the last call opened
	expected int64   // the same in the first call after the tree was built
	crew     []*worker
	tasks    []nodes
	taken    int  // of them, in the last run
	restarts int  // passes that searches have begun anew
	kept     Kept // what a search keeps

	o     Options
	call  engine.Call
	stats Stats // what the call's own do not have
}

// New makes a scene of a volume. The volume is the scene's from now on; it may be edited through the scene alone.
func New(v *mesh.Volume) *Scene { return &Scene{v: v, version: -1} }

// Edit changes the topology, between steps. Where the edit fails, what it did before that stands.
func (s *Scene) Edit(edit func(v *mesh.Volume) error) error {
	s.lock.Lock()
	defer s.lock.Unlock()
	return edit(s.v)
}

// regrown is how many times as many pairs of patches as after the last build are reason to build the tree anew.
const regrown = 1.25

// start readies the scene for a call.
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
	s.o, s.stats = *o, Stats{}
	if err := s.load(x0, x1); err != nil {
		return err
	}
	n := int(s.call.Stats.Threads)
	for len(s.crew) < n {
		s.crew = append(s.crew, newWorker())
	}
	for _, w := range s.crew {
		w.reset(o.MemoryLimit)
	}
	return nil
}

// load checks the frames and packs them.
func (s *Scene) load(x0, x1 []float64) error {
	if err := s.v.Load(&s.mo, x0, x1); err != nil {
		return err
	}
	if s.o.SceneBound == [3]float64{} {
		return nil
	}
	for i, frame := range [][]float64{x0, x1} {
		for j, x := range frame {
			if b := s.o.SceneBound[j%3]; b != 0 && (x > b || x < -b) {
				return fmt.Errorf("x%d[%d][%d] is %v: beyond options.scene_bound[%d] = %v", i, j/3, j%3, x, j%3, b)
			}
		}
	}
	return nil
}

// classify readies the classifier for the volume as it is.
func (s *Scene) classify() {
	if s.classes.v != nil && s.version == s.v.Version() {
		return
	}
	s.classes.load(s.v)
}

// place readies tree and layout: as they are, listed anew after an edit, or built anew where the tree is of no use any more.
func (s *Scene) place() error {
	changed := s.version != s.v.Version()
	switch {
	case !s.placed || float64(s.visited) > regrown*float64(s.expected):
		if err := s.order.build(s.v, &s.mo, int(s.call.Stats.Threads)); err != nil {
			s.placed = false
			return err
		}
		s.placed, s.expected, s.stats.Rebuilt = true, 0, true
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

// ready has classifier, tree and layout in order, and all boxes for the whole step.
func (s *Scene) ready() error {
	began := time.Now()
	s.classify()
	err := s.place()
	s.call.Stats.SecondsBuild += time.Since(began).Seconds()
	if err != nil {
		return err
	}
	return s.fit(1)
}

// fit makes all boxes for the motion over [0, until].
func (s *Scene) fit(until float64) error {
	began := time.Now()
	defer func() { s.call.Stats.SecondsBuild += time.Since(began).Seconds() }()
	radius := bound.Half(s.o.MinSeparation)
	largest := bound.Largest(&s.mo)
	s.gap = diagonalGap(s.o.MinSeparation, largest)
	sample := bound.NewSample(&s.mo, largest, until, s.mo.N, false, func(i int) []int32 { return []int32{int32(i)} })
	frame := sample.Frame(radius)
	if err := s.record(&frame, until, radius); err != nil {
		return err
	}
	s.lean = s.o.MemoryLimit != 0 && uint64(s.bytes())+s.layout.boxBytes() > s.o.MemoryLimit
	jobs := s.fitJobs()
	err := s.share(len(jobs), func(i int) { jobs[i]() })
	if len(s.order.elements) > 0 {
		s.tree.fitNodes()
	}
	return err
}

// record makes the records of all vertices.
func (s *Scene) record(frame *bound.Frame, until, radius float64) error {
	const part = 16384
	s.rec = resized(s.rec, bound.RecordLen*s.mo.N)
	return s.share((s.mo.N+part-1)/part, func(i int) {
		lo, hi := part*i, min(part*(i+1), s.mo.N)
		frame.Records(&geom.Motion{N: hi - lo, Rec: s.mo.Rec[8*lo : 8*hi]}, until, radius, s.rec[bound.RecordLen*lo:bound.RecordLen*hi])
	})
}

// share runs so many parts of some work on the workers.
func (s *Scene) share(parts int, work func(i int)) error {
	tasks := engine.NewTasks(0, parts)
	return engine.Parallel(min(int(s.call.Stats.Threads), parts), func(int) {
		for i := range tasks.All() {
			work(i)
		}
	})
}

// fitJobs cuts the fitting of boxes and hulls into parts that do not touch each other's.
func (s *Scene) fitJobs() (jobs []func()) {
	const blocks, patches = 4096, 2048
	l := &s.layout
	for _, x := range []*side{&l.vertices, &l.edges, &l.faces} {
		if s.lean {
			x.boxes = nil
			continue
		}
		n := len(x.feature) / simd.BlockLanes
		x.boxes = resized(x.boxes, n*simd.BlockLen)
		per := simd.BlockLanes * x.width
		for lo := 0; lo < n; lo += blocks {
			hi := min(lo+blocks, n)
			jobs = append(jobs, func() {
				simd.JoinBlocks(s.rec, x.ids[per*lo:per*hi], x.width, x.boxes[simd.BlockLen*lo:simd.BlockLen*hi])
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

// run has the crew work off the tasks in the order at(0), at(1), ... until done or cancelled, or until the goal, if there is one, is
// reached sooner in another way.
func (s *Scene) run(at func(i, n int) int, emit emitter, goal *search) error {
	began := time.Now()
	const most = 512
	if len(s.order.elements) == 0 {
		return nil
	}
	s.tasks = s.tree.tasks(most, s.tasks)
	n := len(s.tasks)
	s.call.Progress.Part(int64(n), 1)
	s.call.Budget.Beside(s.bytes())
	tasks := engine.NewTasks(0, n)
	err := s.call.Run(n, func(i int) {
		w := s.crew[i]
		w.begin(s, emit, goal)
		w.solver.Boxed = true
		for j := range tasks.All() {
			s.tree.visit(s.tasks[at(j, n)], w.open)
			if !s.call.Progress.Pass(1) || s.call.Budget.Over() {
				return
			}
			if goal != nil {
				if goal.consider(w, j+1, n); goal.again.Load() {
					break
				}
			}
		}
		w.flush(geom.VertexFace)
		w.flush(geom.EdgeEdge)
		w.sort()
	})
	s.taken = tasks.Taken()
	s.call.Stats.SecondsBroad += time.Since(began).Seconds()
	return err
}

// finish ends a call that went well: a last word to the progress callback, and the statistics.
func (s *Scene) finish() error {
	st, common := &s.stats, &s.call.Stats
	if s.o.Search == nil && s.placed { // brute force may come first
		s.countBoxes()
	}
	for _, w := range s.crew[:common.Threads] {
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
	if s.o.Stats != nil {
		*s.o.Stats = *st
		s.o.Stats.Stats = *common
	}
	return nil
}

// countBoxes counts the tree's patches and the boxes of their features.
func (s *Scene) countBoxes() {
	s.stats.Patches = int64(s.order.patches())
	for _, x := range []*side{&s.layout.vertices, &s.layout.edges, &s.layout.faces} {
		for _, f := range x.feature {
			if f >= 0 {
				s.call.Stats.Boxes++
			}
		}
	}
}

// bytes is what the scene holds beside the volume.
func (s *Scene) bytes() int64 {
	kept := int64(0)
	if s.kept != nil {
		kept = s.kept.Bytes()
	}
	return s.layout.bytes() + s.tree.bytes() + kept +
		int64(8*cap(s.mo.Rec)+4*cap(s.rec)+4*cap(s.order.elements)+24*cap(s.order.centre))
}

// note remembers how many pairs of patches a call has opened; a search for the earliest contact that goes to its end opens all of
// them too. Of one that did not it is an estimate, which has to be far off to count.
func (s *Scene) note() {
	opened := int64(0)
	for _, w := range s.crew[:s.call.Stats.Threads] {
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

// solve answers one query over the whole step.
func (s *Scene) solve(solver *narrow.Solver, kind geom.Kind, vertices *[4]int32, out *geom.Impact) {
	var q [24]float64
	s.mo.Query(kind, vertices, &q)
	solver.Solve(kind, q[:kind.Len()], &s.o.Options, out)
}
