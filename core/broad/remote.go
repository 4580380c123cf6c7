package broad

import (
	"errors"
	"sync"
	"unsafe"

	"ccd/core/geom"
	"ccd/core/kernel"
	"ccd/core/mesh"
	"ccd/simd/pairs"
)

// A Remote is a device that finds the pairs of the plans of one call. Workers share it.
//
// A list of the device has one order (package pairs), and the tasks of a plan are windows of it. So
// a device that fails while a plan is swept loses nothing: package pairs finds the windows that
// remain.
type Remote struct {
	Device kernel.PairFinder
	Exact  bool // find the pairs of Sweep, whose boxes of doubles overlap

	mu       sync.Mutex
	err      error // the first of the device, which is not used from then on
	planned  bool  // the device has counted the pairs of a plan
	mesh     *pairs.Mesh
	rec      []float64
	space    pairs.Space
	families []pairs.Family
	spare    *pairs.Plan // nil until the device fails
}

// Err returns the error that ended the use of the device, if any. r may be nil.
func (r *Remote) Err() error {
	if r == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.err
}

// Used reports whether the device did a part of the work, for how many seconds the call waited for
// it, and its largest memory there. r may be nil.
func (r *Remote) Used() (used bool, seconds float64, peak int64) {
	if r == nil || !r.planned {
		return false, 0, 0
	}
	if u, ok := r.Device.(interface{ Used() (float64, int64) }); ok {
		seconds, peak = u.Used()
	}
	return true, seconds, peak
}

// usable reports whether the device may find pairs.
func (r *Remote) usable() bool { return r != nil && r.Err() == nil }

// over is an error that says that memory is not enough.
type over interface {
	error
	Over() (need, budget int64)
}

// Over returns the bytes that a plan needs and those that it may use.
func (e *overLimit) Over() (need, budget int64) { return e.need, e.limit }

// isOver reports whether an error says that memory is not enough, so that a smaller slab may do.
func isOver(err error) bool {
	var o over
	return errors.As(err, &o)
}

// windows are the tasks of a plan whose pairs a device finds.
type windows struct {
	remote *Remote // nil: the plan has cells
	room   int     // the most pairs of a window
}

// Remote reports whether a device finds the pairs of the plan.
func (w *windows) Remote() bool { return w.remote != nil }

// build makes a plan on the device. An *overLimit says that the device's memory, or that of the
// plan, is not enough.
func (r *Remote) build(p *Plan) error {
	if err := r.begin(p); err != nil {
		return err
	}
	families := make([]pairs.Family, len(p.work))
	for i := range p.work {
		if err := p.work[i].describe(p, &families[i]); err != nil {
			return err
		}
	}
	totals, room, err := r.Device.Plan(&r.space, families)
	if err != nil {
		return r.fail(err)
	}
	r.families, r.spare, r.planned = families, nil, true
	p.remote, p.room = r, room
	list := 0
	for i := range p.work {
		for range families[i].Lists() {
			p.tasks = append(p.tasks, p.windowsOf(p.work[i].kind, list, int(totals[list]))...)
			p.total += totals[list]
			list++
		}
	}
	return nil
}

// fail keeps an error of the device, and returns it; as an *overLimit if memory is not enough,
// which is no failure.
func (r *Remote) fail(err error) error {
	var o over
	if errors.As(err, &o) {
		need, budget := o.Over()
		return &overLimit{need, budget}
	}
	return r.lose(err)
}

// lose keeps the first error that ends the use of the device, and returns it.
func (r *Remote) lose(err error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err == nil {
		r.err = err
	}
	return err
}

// begin copies the mesh to the device, at the first plan of a call, and sets the space.
func (r *Remote) begin(p *Plan) error {
	if r.mesh == nil {
		m := &pairs.Mesh{Edges: flat(p.m.Edges), Faces: flat(p.m.Faces)}
		group, static := p.filter.Vertices()
		m.Group = group
		if static != nil { // a bool is a byte
			m.Static = unsafe.Slice((*uint8)(unsafe.Pointer(unsafe.SliceData(static))), len(static))
		}
		if err := r.Device.LoadMesh(m); err != nil {
			r.mesh = nil
			var o over
			if errors.As(err, &o) { // no slab makes it smaller
				err = errors.New(err.Error())
			}
			return r.fail(err)
		}
		r.mesh = m
	}
	how := &p.how
	r.rec = p.mo.Rec
	r.space = pairs.Space{VertexMap: p.space.VertexMap(how.Input.Until, 0), Error: p.space.Error(),
		Inflation: how.most(), Exact: r.Exact}
	if !how.Input.Radii.Uniform() {
		r.space.Each = make([]float64, p.m.NV)
		for v := range r.space.Each {
			r.space.Each[v] = how.inflation(geom.Vertex, int32(v))
		}
	}
	if s := how.Keep.Slab; s != nil {
		r.space.Slab = &pairs.Slab{Axis: s.Axis, Lo: s.Lo, Hi: s.Hi}
	}
	return nil
}

// describe writes a family as package pairs takes it.
func (w *familyPlan) describe(p *Plan, f *pairs.Family) error {
	n := 0
	sets := [2]*pairs.Set{&f.A, &f.B}
	for i, l := range w.layers {
		if err := l.choose(p); err != nil {
			return err
		}
		chosen := l.chosen
		if w.kind == geom.VertexFace && i == 0 && p.m.IgnoresSome() { // the device does not know these
			chosen = taking(p.m, &chosen)
		}
		n += chosen.n
		*sets[i] = pairs.Set{Width: l.Shape.Vertices(), N: chosen.n, IDs: chosen.ids}
	}
	w.grid = newGrid(&w.sample, &p.space, n, p.how.typical(), p.keeps.box, cellWidth)
	f.Self, f.Excluded, f.Most = w.self, p.filter.Excluded(w.kind), int64(maxEntries*n+taskWeight)
	f.Grid = pairs.Grid{CellGrid: w.grid.of, N: w.grid.n}
	f.Coarsen = func(g *pairs.Grid) {
		of := grid{n: g.N, of: g.CellGrid}
		of.coarsen()
		g.N, g.CellGrid = of.n, of.of
	}
	return nil
}

// taking returns the vertices of a set that the mesh does not ignore.
func taking(m *mesh.Mesh, s *set) set {
	out := set{Shape: s.Shape, ids: make([]int32, 0, s.n)}
	for i := range s.n {
		if v := s.id(i); !m.Ignores(v) {
			out.ids = append(out.ids, v)
		}
	}
	out.n = len(out.ids)
	return out
}

// windowTasks is about the largest number of tasks of a list: a task of a longer one has several
// windows.
const windowTasks = 4096

// windowsOf returns the tasks of a list of so many pairs.
func (w *windows) windowsOf(k geom.Kind, list, total int) (tasks []Task) {
	step := max(w.room, (total+windowTasks-1)/windowTasks)
	for from := 0; from < total; from += step {
		n := min(step, total-from)
		tasks = append(tasks, Task{Kind: k, Weight: n, family: list, c0: from, c1: from + n, keys: wholeCell})
	}
	return tasks
}

// Windows calls each for the windows of a task, of at most *most pairs, until it returns false.
func (w *windows) Windows(t *Task, most *int, each func(from int64, n int) bool) {
	for from := t.c0; from < t.c1; {
		n := min(*most, w.room, t.c1-from)
		if !each(int64(from), n) {
			return
		}
		from += n
	}
}

// FirstOf is kernel.PairFinder.FirstOf for a window of a task. It returns false where the device
// failed: then the pairs are those of Pairs.
func (w *windows) FirstOf(t *Task, from int64, n int, tmax, sep float64, found *pairs.Found) bool {
	r := w.remote
	if !r.usable() {
		return false
	}
	if err := r.Device.FirstOf(t.family, t.Kind == geom.VertexFace, from, n, tmax, sep, found); err != nil {
		r.fail(err)
		return false
	}
	return true
}

// Pairs writes the pairs of a window of a task to out.
func (w *windows) Pairs(t *Task, from int64, out [][2]int32) {
	r := w.remote
	if r.usable() {
		err := r.Device.Pairs(t.family, from, out)
		if err == nil {
			return
		}
		r.fail(err)
	}
	r.lists().Passes[t.family].Pairs(from, out)
}

// lists returns the lists of a device that failed.
func (r *Remote) lists() *pairs.Plan {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.spare == nil {
		r.spare = new(pairs.Plan)
		r.spare.Begin(r.rec, r.mesh, &r.space)
		for i := range r.families {
			r.spare.Add(&r.families[i])
		}
	}
	return r.spare
}

// windows emits the pairs of a task of a device, in blocks of at most BlockLen pairs.
func (w *Worker) windows(p *Plan, t *Task, emit func(k geom.Kind, pairs [][2]int32) bool) {
	most := BlockLen
	p.Windows(t, &most, func(from int64, n int) bool {
		w.block = w.block[:n]
		p.Pairs(t, from, w.block)
		if t.Kind == geom.PointEdge { // the device does not know which edge-edge pairs stand for a pair
			w.block = keep(w.block, func(a, b int32) bool { return p.filter.Allows(t.Kind, a, b) })
		}
		w.Swept += int64(n)
		w.Kept += int64(len(w.block))
		return len(w.block) == 0 || emit(t.Kind, w.block)
	})
}
