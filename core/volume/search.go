package volume

import (
	"time"

	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/mesh"
)

// Search finds the pairs of features of a step in another way than the tree over patches. It is a
// field of Options, so this package depends on no implementation. core/reference/volccd is one.
type Search interface {
	Check() error // whether its own options are valid
	// Find calls c.Run. It must pass every pair of the universe whose features come within the
	// separation to a Sink once; with Options.Surface only those whose features are both on the
	// surface.
	Find(c *Call) error
}

// Kept is data that a Search keeps in a scene from call to call.
type Kept interface {
	Bytes() int64 // the bytes of its memory
}

// Call is one call, for a Search.
type Call struct {
	Volume  *mesh.Volume
	Motion  *geom.Trajectories
	Options *Options
	Stats   *Stats        // the statistics that only volumes have
	Common  *engine.Stats // the common statistics; Threads is how many goroutines may work

	scene *Scene
	at    func(i, n int) int
	emit  emitter
	goal  *search
}

// Kept returns the argument of the last Keep in a call of the same scene, or nil. It may be that of
// another Search.
func (c *Call) Kept() Kept { return c.scene.kept }

// Keep stores k in the scene.
func (c *Call) Keep(k Kept) { c.scene.kept = k }

// Sink passes the pairs of one goroutine to the narrow phase.
type Sink struct{ w *worker }

// Run runs n tasks, in an order that the call chooses, on as many goroutines as the call may use.
// Each goroutine calls start once, with its number, and then the returned function for each of its
// tasks. After the last task it calls done with its number; done returns the number of pairs of
// elements that the goroutine has compared.
func (c *Call) Run(n int, start func(worker int, sink Sink) (task func(i int)),
	done func(worker int) (compared int64)) error {
	began := time.Now()
	s := c.scene
	s.call.Progress.Part(int64(n), 1)
	s.call.Budget.SetWorking(s.bytes())
	tasks := engine.NewTasks(0, n)
	err := s.call.Run(n, func(i int) {
		w := s.workers[i]
		w.begin(s, c.emit, c.goal)
		sink := Sink{w}
		task := start(i, sink)
		for j := range tasks.All() {
			task(c.at(j, n))
			if !s.call.Progress.Pass(1) || s.call.Budget.Over() {
				return
			}
		}
		sink.flush(geom.VertexFace)
		sink.flush(geom.EdgeEdge)
		w.sort()
		w.opened = done(i)
	})
	s.call.Stats.SecondsBroad += time.Since(began).Seconds()
	return err
}

// runSearch finds the pairs by the Search of the options.
func (s *Scene) runSearch(at func(i, n int) int, emit emitter, goal *search) error {
	began := time.Now()
	s.classify()
	s.call.Stats.SecondsBuild += time.Since(began).Seconds()
	o := s.o
	// The search finds a superset of the pairs; each pair is solved with its own separation.
	o.MinSeparation = s.radii.LargestSeparation(o.MinSeparation)
	return s.o.Search.Find(&Call{
		Volume: s.v, Motion: &s.mo, Options: &o, Stats: &s.stats, Common: &s.call.Stats, scene: s, at: at,
		emit: emit, goal: goal,
	})
}

// VertexFace adds a vertex and a face.
func (a Sink) VertexFace(vertex, face int32) {
	f := &a.w.s.v.Faces[face]
	a.push(geom.VertexFace, [2]int32{vertex, face}, [4]int32{vertex, f[0], f[1], f[2]})
}

// EdgeEdge adds two edges without a common vertex.
func (a Sink) EdgeEdge(first, second int32) {
	e, g := &a.w.s.v.Edges[first], &a.w.s.v.Edges[second]
	q := [4]int32{e[0], e[1], g[0], g[1]}
	if inOrder(&q) {
		first, second = second, first
	}
	a.push(geom.EdgeEdge, [2]int32{first, second}, q)
}

func (a Sink) push(kind geom.Kind, features [2]int32, q [4]int32) {
	w := a.w
	w.overlaps[kind-1]++
	if w.s.classes.split && w.s.o.classes()&AtSplit == 0 && w.leftAtSplit(kind, &q) {
		return
	}
	p := &w.pending[kind-1]
	if p.n == batch {
		a.flush(kind)
	}
	p.grow(p.n + 1)
	p.idx[p.n], p.lanes[p.n] = q, features
	p.n++
}

// flush tests the pending pairs by the narrow phase.
func (a Sink) flush(kind geom.Kind) {
	w := a.w
	p := &w.pending[kind-1]
	w.chosen, *p = *p, w.chosen
	w.testChosen(kind, nil, nil)
	p.n = 0
}
