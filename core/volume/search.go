package volume

import (
	"time"

	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/mesh"
)

// Search finds the pairs of features of a step in another way than the tree over patches. The caller hands it in with Options, so
// that this package needs to know of none. core/reference/volccd is one.
type Search interface {
	Check() error // whether its own options are valid
	// Find calls c.Run. Every pair of the universe whose features come within the separation, both on the surface where that is
	// asked for, must be handed to an Ask once.
	Find(c *Call) error
}

// Kept is what a search keeps in a scene from call to call.
type Kept interface {
	Bytes() int64 // what it holds
}

// Call is one call as a search sees it.
type Call struct {
	Volume  *mesh.Volume
	Motion  *geom.Motion
	Options *Options
	Stats   *Stats        // what a volume counts beside the common statistics
	Common  *engine.Stats // the common statistics; Threads is how many goroutines may work

	scene *Scene
	at    func(i, n int) int
	emit  emitter
	goal  *search
}

// Kept returns what Keep was last handed in a call of the same scene, or nil. It may be another search's.
func (c *Call) Kept() Kept { return c.scene.kept }

// Keep has the scene keep k.
func (c *Call) Keep(k Kept) { c.scene.kept = k }

// Ask is one goroutine's way to the narrow phase.
type Sink struct{ w *worker }

// Run does n tasks, in an order of the call's own, on as many goroutines as the call may use. Each of them calls start once, with
// its number, and then what start returned for each of its tasks. It calls done after the last, with the same number; done returns
// how many pairs of elements the goroutine has compared.
func (c *Call) Run(n int, start func(worker int, ask Sink) (task func(i int)), done func(worker int) (compared int64)) error {
	began := time.Now()
	s := c.scene
	s.call.Progress.Part(int64(n), 1)
	s.call.Budget.Beside(s.bytes())
	tasks := engine.NewTasks(0, n)
	err := s.call.Run(n, func(i int) {
		w := s.crew[i]
		w.begin(s, c.emit, c.goal)
		ask := Sink{w}
		task := start(i, ask)
		for j := range tasks.All() {
			task(c.at(j, n))
			if !s.call.Progress.Pass(1) || s.call.Budget.Over() {
				return
			}
		}
		ask.flush(geom.VertexFace)
		ask.flush(geom.EdgeEdge)
		w.sort()
		w.opened = done(i)
	})
	s.call.Stats.SecondsBroad += time.Since(began).Seconds()
	return err
}

// handOver has the search of the options find the pairs.
func (s *Scene) handOver(at func(i, n int) int, emit emitter, goal *search) error {
	began := time.Now()
	s.classify()
	s.call.Stats.SecondsBuild += time.Since(began).Seconds()
	return s.o.Search.Find(&Call{
		Volume: s.v, Motion: &s.mo, Options: &s.o, Stats: &s.stats, Common: &s.call.Stats, scene: s, at: at, emit: emit, goal: goal,
	})
}

// VertexFace hands over a vertex and a face.
func (a Sink) VertexFace(vertex, face int32) {
	f := &a.w.s.v.Faces[face]
	a.push(geom.VertexFace, [2]int32{vertex, face}, [4]int32{vertex, f[0], f[1], f[2]})
}

// EdgeEdge hands over two edges without a common vertex.
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

// flush asks the narrow phase about what is pending.
func (a Sink) flush(kind geom.Kind) {
	w := a.w
	p := &w.pending[kind-1]
	w.chosen, *p = *p, w.chosen
	w.answer(kind, nil, nil)
	p.n = 0
}
