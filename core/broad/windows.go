package broad

import (
	"errors"
	"unsafe"

	"ccd/core/geom"
	"ccd/core/kernel"
	"ccd/core/mesh"
	"ccd/simd/pairs"
)

func (*windows) bytes() int64 { return 0 }

func (w *windows) forget() { w.remote = nil }

// Remote reports whether a device finds the pairs of the plan.
func (p *Plan) Remote() bool { return p.tactic == tactic(&p.own.windows) }

// useDevice makes the plan on a device, if there is one that may find pairs. Where it fails, the
// processor makes the plan.
func (p *Plan) useDevice([]family) (bool, error) {
	r := p.how.Tactic.Remote
	if !r.serves(p.how.Keep.Region) {
		return false, nil
	}
	if err := r.build(p); r.usable() || isOver(err) {
		return true, err
	}
	p.todo.clear()
	p.tactic = byNumbers
	return false, nil
}

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
	if d, ok := r.Device.(kernel.Foresighted); ok && r.next.pairs > 0 {
		d.Ahead(r.next.pairs, r.next.tmax, r.next.sep)
	}
	r.next = expected{}
	totals, room, err := r.Device.Plan(&r.space, families)
	if err != nil {
		return r.fail(err)
	}
	r.families, r.spare, r.planned = families, nil, true
	w := &p.own.windows
	p.tactic, w.remote, w.room = w, r, room
	list := 0
	for i := range p.work {
		for range families[i].Lists() {
			w.addTo(&p.todo, p.work[i].kind, list, int(totals[list]))
			list++
		}
	}
	return nil
}

// begin copies the mesh to the device, at the first plan of a call, and sets the space.
func (r *Remote) begin(p *Plan) error {
	if r.mesh == nil {
		m := &pairs.Mesh{Edges: flat(p.m.Edges), Faces: flat(p.m.Faces), Worlds: p.m.Copied(), Vertices: p.m.NV}
		group, static := p.filter.Vertices()
		m.Group = group
		m.Static = unsafe.Slice((*uint8)(unsafe.Pointer(unsafe.SliceData(static))), len(static)) // A bool is a byte.
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
	w.grid = newGrid(&w.sample, &p.space, n/p.m.Copied(), p.how.typical(), p.keeps.box, cellWidth) // Each copy has one.
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

// addTo adds the tasks of a list of so many pairs.
func (w *windows) addTo(tasks *taskList, k geom.Kind, list, total int) {
	step := max(w.room, (total+windowTasks-1)/windowTasks)
	for from := 0; from < total; from += step {
		n := min(step, total-from)
		tasks.add(Task{Kind: k, Weight: n, family: list, c0: from, c1: from + n, keys: wholeCell})
	}
}

// Windows calls each for the windows of a task, of at most *most pairs, until it returns false. The
// first of a list has all pairs that the device has looked at already.
func (p *Plan) Windows(t *Task, most *int, each func(from int64, n int) bool) {
	p.windowsFrom(t, p.own.windows.remote.ready(t.family), most, each)
}

// windowsFrom is Windows with so many pairs in the first window of a list, where that is positive.
func (p *Plan) windowsFrom(t *Task, ready int, most *int, each func(from int64, n int) bool) {
	w := &p.own.windows
	for from := t.c0; from < t.c1; {
		n := min(*most, w.room, t.c1-from)
		if from == 0 && ready > 0 {
			n = min(ready, w.room, t.c1)
		}
		if !each(int64(from), n) {
			return
		}
		from += n
	}
}

// FirstOf is kernel.PairFinder.FirstOf for a window of a task. It returns false where the device
// failed: then the pairs are those of Pairs.
func (p *Plan) FirstOf(t *Task, from int64, n int, tmax, sep float64, found *pairs.Found) bool {
	r := p.own.windows.remote
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
func (p *Plan) Pairs(t *Task, from int64, out [][2]int32) {
	r := p.own.windows.remote
	if r.usable() {
		err := r.Device.Pairs(t.family, from, out)
		if err == nil {
			return
		}
		r.fail(err)
	}
	r.lists().Passes[t.family].Pairs(from, out)
}

// sweep emits the pairs of a task in blocks of at most BlockLen pairs.
func (*windows) sweep(w *Worker, p *Plan, t *Task, _ float64, emit emitter) {
	most := BlockLen
	p.windowsFrom(t, 0, &most, func(from int64, n int) bool {
		w.block = w.block[:n]
		p.Pairs(t, from, w.block)
		if t.Kind == geom.PointEdge { // the device does not know which edge-edge pairs stand for a pair
			w.block = keep(w.block, func(a, b int32) bool { return p.filter.Allows(t.Kind, a, b) })
		}
		w.Swept += int64(n)
		w.Kept += int64(len(w.block))
		return w.emit(t.Kind, emit)
	})
}
