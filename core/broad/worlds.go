package broad

import (
	"ccd/core/bound"
	"ccd/core/broad/hierarchy"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/simd/box"
)

// Worlds finds the pairs of steps of one mesh, one after the other, by its hierarchy. It is for
// small meshes, of which a plan takes longer to choose than pairs to find: it samples nothing, and
// has no tasks. It holds the scratch of one goroutine.
//
// Law: it finds each pair at most once, and every pair that the filter allows and that comes within
// its separation at some time of the step. Proof. Its search is that of the plan of a hierarchy
// (useHierarchy), whose laws hold in every record space whose floats do not overflow, which Begin
// of the search checks: the origin of the space and its scale only decide how many pairs are left.
type Worlds struct {
	m      *mesh.Mesh
	filter *mesh.Filter
	order  *hierarchy.Order
	how    PlanOptions
	search hierarchy.Search
	worker hierarchy.Worker
	block  [][2]int32
}

// worldsMost is the largest number of primitives of a mesh whose steps are searched so: from some
// ten thousand on what a plan chooses saves more than it takes. Only speed depends on it.
const worldsMost = 1 << 13

// worldsLeast is the number of steps that pay for the hierarchy of a mesh that has none: to make it
// takes as long as some of them.
const worldsLeast = 8

// WorldsPay reports whether Worlds serve for so many steps of a mesh, and makes its hierarchy,
// where it has none, of the first of them.
func WorldsPay(m *mesh.Mesh, x0, x1 []float64, count int) bool {
	if primitives(m) > worldsMost || !hierarchyServes() || count < worldsLeast && m.Hierarchy() == nil ||
		len(families(m)) == 0 || len(x0) < 3*m.NV || len(x1) < 3*m.NV {
		return false
	}
	var mo geom.Trajectories
	if m.Load(&mo, x0[:3*m.NV], x1[:3*m.NV]) != nil {
		return false
	}
	o, err := hierarchyOf(m, &mo, 1, 1)
	return o != nil && err == nil
}

// Use sets the worlds to a mesh, whose hierarchy WorldsPay has made, and to what a pair must come
// within. It returns false if there is none.
func (w *Worlds) Use(m *mesh.Mesh, in Input) bool {
	h := m.Hierarchy()
	if h == nil {
		return false
	}
	w.m, w.filter, w.order, w.how = m, m.Filter(), (*h).(*hierarchy.Order), PlanOptions{Input: in}
	if w.block == nil {
		w.block = make([][2]int32, 0, BlockLen)
	}
	return true
}

// Each emits the pairs of a step, in blocks of one kind. It returns false where the step does not
// fit: none has been emitted then.
func (w *Worlds) Each(mo *geom.Trajectories, emit func(k geom.Kind, pairs [][2]int32)) bool {
	space := bound.RecordSpace{Axis: [3]int{0, 1, 2}, Largest: mo.Largest()}
	copy(space.C[0][:], mo.Rec[:3]) // The first vertex is no farther from the others than the scene is wide.
	space.C[1] = space.C[0]
	space.Scale = bound.ScaleOf(max(space.Largest, w.how.most()))
	in := hierarchy.Input{
		Mesh: w.m, Motion: mo, Filter: w.filter, Space: &space, Until: w.how.Input.Until,
		Inflation: w.how.most(), Threads: 1,
	}
	in.Beside, in.Around = w.how.around()
	if ok, err := w.search.Begin(w.order, &in); !ok || err != nil {
		return false
	}
	defer w.search.End()
	kind := geom.Kind(0)
	for i := range w.search.Tasks() {
		k, _ := w.search.Task(i)
		if k != kind {
			w.emit(kind, emit)
		}
		kind = k
		w.task(i, kind, emit)
	}
	w.emit(kind, emit)
	return true
}

// task adds the pairs of a task of the search to the block, which it emits whenever it is full.
func (w *Worlds) task(i int, k geom.Kind, emit func(k geom.Kind, pairs [][2]int32)) {
	symmetric, filtered := k.Info().Symmetric(), k == geom.PointEdge || !w.filter.OnlyStatic()
	w.search.Near(&w.worker, i, w.how.Input.Until, func(list []box.Record, a, b []int32) bool {
		for len(list) > 0 {
			from := len(w.block)
			read, n := box.Expand(list, a, b, symmetric, w.block[from:BlockLen])
			list = list[read:]
			found := w.block[from : from+n]
			if filtered {
				found = keep(found, func(a, b int32) bool { return w.filter.Allows(k, a, b) })
			}
			w.block = w.block[:from+len(found)]
			if len(w.block) >= blockLen || len(list) > 0 {
				w.emit(k, emit)
			}
		}
		return true
	})
}

// emit emits the block, if there are pairs in it.
func (w *Worlds) emit(k geom.Kind, emit func(k geom.Kind, pairs [][2]int32)) {
	if len(w.block) > 0 {
		emit(k, w.block)
		w.block = w.block[:0]
	}
}

// Forget drops the references to the mesh, and keeps the memory.
func (w *Worlds) Forget() { w.m, w.filter, w.order, w.how = nil, nil, nil, PlanOptions{} }

// Bytes returns the memory of the worlds.
func (w *Worlds) Bytes() int64 { return w.search.Bytes() + int64(8*cap(w.block)) }
