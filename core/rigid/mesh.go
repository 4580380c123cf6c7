package rigid

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"unsafe"

	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/rigid/poses"
	"ccd/core/status"
)

// Shape is what an element of a mesh is, which a body may touch: a face, an edge in no face, or a
// vertex in no edge.
type Shape int32

// The shapes, with the values of the C constants.
const (
	MeshFace   Shape = iota // Impact.IndexB is the face
	MeshEdge                // Impact.IndexB is the edge, FeatureB 0 or 1 its ends, 3 the edge
	MeshVertex              // Impact.IndexB is the vertex, FeatureB 0
)

// A MeshScene is bodies that move over one mesh that deforms: body i moves by Motions[i], and the
// vertices of Mesh on straight lines, from x0 at TMin to x1 at TMax, with constant velocities in
// real arithmetic. Where TMin = TMax it stands at x0.
//
// Bodies are not tested against each other, see Scene, nor the mesh against itself, see package
// step. Scratch memory is kept: a MeshScene serves one goroutine at a time. The results have the
// same bits whatever was computed before, and for any number of threads.
type MeshScene struct {
	Bodies  []*Body
	Motions []Motion
	Mesh    *mesh.Mesh

	engine.CallOptions // MemoryLimit bounds the bytes for pairs at any one time, and for what is found

	tree    meshTree
	ways    []approach // ways[i] decides whether body i comes near.
	pairs   []meshPair
	workers []meshWorker
	call    engine.Call
	first   engine.Incumbent[MeshImpact] // the earliest impact so far, in a search for the earliest
	options Options
	grain   float64 // the grain of the vertices (grainOf), where the tolerance is the default
}

// MeshImpact is the impact of a body and an element; in the Impact B is the mesh. Body is -1 where
// there is none. Its layout is that of ccd_rigid_mesh_impact.
type MeshImpact struct {
	Body  int64
	Shape Shape
	_     int32
	Impact
}

// compare orders impacts by (TOILo, Body, Shape, IndexB).
func (im *MeshImpact) compare(other *MeshImpact) int {
	return cmp.Or(cmp.Compare(im.TOILo, other.TOILo), cmp.Compare(im.Body, other.Body),
		cmp.Compare(im.Shape, other.Shape), cmp.Compare(im.IndexB, other.IndexB))
}

// meshWorker is one goroutine's memory.
type meshWorker struct {
	solver meshSolver
	found  engine.List[MeshImpact]
	im     MeshImpact
	body   int32 // that the solver has prepared
	tally
}

// meshBytes is the memory of an impact until a list of all is returned: as it is found, and in the
// list.
const meshBytes = 2 * int(unsafe.Sizeof(MeshImpact{}))

// Collisions returns the impacts of all bodies and elements that are not Separate, each with its
// own time, ordered by (TOILo, Body, Shape, IndexB); o may be nil for DefaultOptions. The laws of
// Solver.Earliest hold for every body and element, with MaxIterations for each. With a Search that
// steps back from contact a TOILo is the step back from that element alone: others that are not
// touched then may be nearer than MinSeparation.
//
// Before boxes that hold the body for a while and those of the element come within MinSeparation +
// Tolerance of each other the two are not tested, and where they never do, they are Separate: by
// the laws they could not be in contact until then, only undecided for want of iterations or of
// bits. These boxes depend on the body, its motion and the element alone.
func (s *MeshScene) Collisions(x0, x1 []float64, o *Options) ([]MeshImpact, error) {
	if err := s.run(x0, x1, o, false); err != nil {
		return nil, err
	}
	all := engine.Gather(s.workers, func(w *meshWorker) *engine.List[MeshImpact] { return &w.found })
	slices.SortFunc(all, func(x, y MeshImpact) int { return x.compare(&y) })
	return all, nil
}

// Earliest returns the first of Collisions, or Separate where there is none: then it is a proof
// that all bodies keep more than MinSeparation from the mesh for all t in [TMin, TMax]. Otherwise
// they all do so for t < TOILo. It is found as in Scene.Earliest: a body and an element are skipped
// only where their impact is proven to be later than another one.
func (s *MeshScene) Earliest(x0, x1 []float64, o *Options) (MeshImpact, error) {
	none := MeshImpact{Body: -1}
	none.SetUndecided(math.Inf(-1), 0) // No time is known to be safe yet.
	if err := s.run(x0, x1, o, true); err != nil {
		return none, err
	}
	return s.first.Best(), nil
}

// run tests all pairs; the workers keep all impacts, or s.first the earliest one.
func (s *MeshScene) run(x0, x1 []float64, o *Options, first bool) error {
	s.options = DefaultOptions()
	if o != nil {
		s.options = *o
	}
	if err := s.check(x0, x1); err != nil {
		return err
	}
	if err := s.call.Begin(&s.CallOptions); err != nil {
		return err
	}
	none := MeshImpact{Body: -1}
	none.setSeparate()
	s.first.Begin(none, func(im *MeshImpact) float64 {
		return im.TOILo
	}, func(a, b *MeshImpact) bool { return a.compare(b) < 0 })
	stats := &s.call.Stats
	for len(s.workers) < int(stats.Threads) {
		s.workers = append(s.workers, meshWorker{})
	}
	for i := range s.workers {
		s.workers[i].found.Clear(s.MemoryLimit)
		s.workers[i].tally = tally{}
	}
	s.grain = grainOf(x0, x1, &s.options)
	s.tree.load(s.Mesh, x0, x1, s.options.TMin == s.options.TMax, int(stats.Threads))
	stats.Boxes = int64(len(s.Bodies) + s.tree.elements())
	stats.SecondsBuild = s.call.Lap()
	const pairBytes = int64(unsafe.Sizeof(meshPair{}))
	held := 0
	err := s.find(func(upTo float64) error {
		held = max(held, len(s.pairs))
		stats.SecondsBroad += s.call.Lap()
		s.call.Budget.SetWorking(int64(cap(s.pairs)) * pairBytes)
		s.call.Progress.Part(int64(len(s.pairs)), upTo)
		tasks := engine.NewTasks(0, len(s.pairs))
		err := s.call.Run(len(s.pairs), func(worker int) { s.work(&s.workers[worker], tasks, first) })
		stats.SecondsNarrow += s.call.Lap()
		return err
	})
	for i := range s.workers {
		s.workers[i].tally.add(stats)
	}
	stats.PeakBytes = int64(held)*pairBytes + s.tree.bytes()
	return s.call.End(err)
}

// Release drops the references to the caller's data, except for the mesh, whose tree is kept.
func (s *MeshScene) Release() {
	s.Bodies, s.Motions, s.Progress, s.Stats = nil, nil, nil, nil
	s.tree.x0, s.tree.x1 = nil, nil
}

// check validates the arguments; the error names the wrong one.
func (s *MeshScene) check(x0, x1 []float64) error {
	o := &s.options
	bodies := Scene{Bodies: s.Bodies, Motions: s.Motions}
	if err := bodies.check(o, true); err != nil {
		return err
	}
	for _, b := range s.Bodies {
		if o.Search != nil && b.grown.outer > 0 {
			return errGrown
		}
	}
	for _, x := range []struct {
		name string
		list []float64
	}{{"x0", x0}, {"x1", x1}} {
		if len(x.list) != 3*s.Mesh.NV {
			return fmt.Errorf("%s has %d coordinates; the mesh has %d vertices, so %d: %w",
				x.name, len(x.list), s.Mesh.NV, 3*s.Mesh.NV, status.ErrArgument)
		}
		for i, c := range x.list {
			if !(math.Abs(c) <= MaxMagnitude) {
				return fmt.Errorf("%s[%d][%d] is %v: %w", x.name, i/3, i%3, c, poses.ErrMagnitude)
			}
		}
	}
	return nil
}

// work tests pairs until none is left.
func (s *MeshScene) work(w *meshWorker, tasks *engine.Tasks, first bool) {
	for i := range tasks.All() {
		p := &s.pairs[i]
		n := &s.tree.nodes[p.node]
		w.body = -1
		for _, e := range s.tree.order[n.First : n.First+n.Count] {
			if first && p.start > s.first.Time() || s.call.Budget.Over() {
				break
			}
			s.solve(w, p.body, e, first)
		}
		if !s.call.Progress.Pass(1) || s.call.Budget.Over() {
			return
		}
	}
}

// solve tests a body and an element of a pair, unless they do not meet, or later than matters.
func (s *MeshScene) solve(w *meshWorker, body, e int32, first bool) {
	boxes := s.tree.endsOf(e)
	start, meet := s.ways[body].meets(&boxes, false)
	until := math.Inf(1)
	if first {
		until = s.first.Time()
	}
	if !meet || start > until {
		return
	}
	w.solved++
	if w.body != body {
		w.body = body
		o := s.optionsOf(body)
		w.solver.prepare(s.Bodies[body], &s.Motions[body], &o)
	}
	im := &w.im
	*im = MeshImpact{Body: int64(body)}
	if w.solver.solve(s, e, start, until, im) || im.Verdict == geom.Separate {
		return
	}
	w.count(im.Verdict)
	if !first {
		w.found.Add(im, &s.call.Budget, meshBytes)
	} else {
		s.first.Enter(im)
	}
}
