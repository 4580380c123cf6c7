package broad

import (
	"math"

	"ccd/core/geom"
	"ccd/simd"
)

// Worker is one goroutine's scratch for sweeping the tasks of a plan. It grows once and then allocates no more.
type Worker struct {
	Swept int64 // pairs that were looked at so far: of boxes that begin within each other on the sweep's axis
	Kept  int64 // of these, pairs that were handed on

	a, b  cellList
	found [][2]int32 // positions in the two lists
	doubt [][2]int32
	block [][2]int32 // primitives
}

// blockLen is the number of pairs handed on at once: they and their vertices stay in cache.
const blockLen = 2048

// foundLen is the room of a sweep's output.
const foundLen = 2048

// BlockLen is the most pairs that a block has, WorkerBytes what a worker holds beside the lists of a cell.
const (
	BlockLen    = blockLen + foundLen
	WorkerBytes = 8 * (foundLen + BlockLen)
)

// cellList is the boxes of one cell as a sweep or a list wants them.
type cellList struct {
	list    simd.SweepList
	ends    []float32 // for sweeps
	floats  []float32 // for lists
	records []float32 // the same
	ints    []int32
	ids     []int32 // with SweepPad more
	some    []keyed // of a portion
	read    int64   // entries that were looked at to choose those of portions
	sorter  cellSorter
}

// NewWorker returns a Worker.
func NewWorker() *Worker {
	return &Worker{found: make([][2]int32, foundLen), block: make([][2]int32, 0, BlockLen)}
}

// Bytes is the memory the worker holds.
func (w *Worker) Bytes() int64 {
	n := 8 * (cap(w.found) + cap(w.doubt) + cap(w.block))
	for _, l := range []*cellList{&w.a, &w.b} {
		n += 4*(cap(l.ends)+cap(l.floats)+cap(l.records)+cap(l.ints)+cap(l.ids)) + 8*cap(l.some) + l.sorter.bytes()
	}
	return int64(n)
}

// Forget lets go of the lists.
func (w *Worker) Forget() { w.a, w.b = cellList{}, cellList{} }

// Sweep finds the pairs of a task and emits them in blocks: pairs whose boxes, seen from the plan's frame, come
// together on every axis at one end of the motion or change sides between (kinetic boxes), that share no vertex, and
// that the filter allows. The block is the worker's own, and valid until emit returns; emit returns false to stop.
func (w *Worker) Sweep(p *Plan, t *Task, emit func(k geom.Kind, pairs [][2]int32) bool) {
	if p.given != nil {
		w.pass(p, t, emit)
		return
	}
	f := &p.work[t.family]
	w.block = w.block[:0]
	for c := t.c0; c < t.c1; c++ {
		if !w.cell(p, f, c, t.part, emit) {
			return
		}
	}
	if len(w.block) > 0 {
		emit(t.Kind, w.block)
	}
}

// cell sweeps one cell, or a portion of it, and tells whether to go on.
func (w *Worker) cell(p *Plan, f *familyPlan, c int, part portion, emit func(geom.Kind, [][2]int32) bool) bool {
	if !w.fill(p, f, c, part, (*cellList).joinEnds) {
		return true
	}
	var state simd.SweepState
	defer func() { w.Swept += int64(state.Seen()) }()
	for !state.Done() {
		var n int
		b := &w.b
		if f.self {
			b = &w.a
			n = simd.SweepSelf(&w.a.list, &state, w.found)
		} else {
			n = simd.SweepAcross(&w.a.list, &w.b.list, &state, w.found)
		}
		w.collect(p, f, w.found[:n], w.a.ids, b.ids)
		if len(w.block) >= blockLen {
			if !emit(f.kind, w.block) {
				return false
			}
			w.block = w.block[:0]
		}
	}
	return true
}

// collect appends the pairs at the found positions to the block, if the filter allows them.
func (w *Worker) collect(p *Plan, f *familyPlan, found [][2]int32, a, b []int32) {
	from := len(w.block)
	w.block = w.block[:from+len(found)] // there is room: a block is handed on when it has blockLen pairs
	out := w.block[from:]
	if f.self {
		for k, x := range found {
			i, j := a[x[0]], a[x[1]]
			out[k] = [2]int32{min(i, j), max(i, j)}
		}
	} else {
		for k, x := range found {
			out[k] = [2]int32{a[x[0]], b[x[1]]}
		}
	}
	kept := len(w.filter(p, f, out))
	w.block = w.block[:from+kept]
	w.Kept += int64(kept)
}

// filter leaves of the pairs of a family those that the mesh's filter allows and the plan's slab owns.
func (w *Worker) filter(p *Plan, f *familyPlan, pairs [][2]int32) [][2]int32 {
	// A sweep leaves out pairs that share a vertex, but knows of an edge beside a face only the first.
	if f.kind == geom.PointEdge || f.kind == geom.EdgeFace || !p.filter.Trivial() {
		pairs = keep(pairs, func(a, b int32) bool { return p.filter.Allows(f.kind, a, b) })
	}
	if p.how.Slab != nil {
		pairs = keep(pairs, func(a, b int32) bool { return p.owns(f.kind, a, b) })
	}
	return pairs
}

// keep leaves of the pairs what the test passes.
func keep(pairs [][2]int32, test func(a, b int32) bool) [][2]int32 {
	kept := pairs[:0]
	for _, x := range pairs {
		if test(x[0], x[1]) {
			kept = append(kept, x)
		}
	}
	return kept
}

// joiner makes the boxes of the primitives ids of a layer.
type joiner func(l *cellList, p *Plan, from *layer, ids []int32)

// fill makes the lists of a portion of cell c, and tells whether there can be a pair.
func (w *Worker) fill(p *Plan, f *familyPlan, c int, part portion, join joiner) bool {
	lists := [2]*cellList{&w.a, &w.b}
	last, boxes := int32(math.MinInt32), 0
	for i, from := range f.layers {
		entries := from.cell(c)
		if boxes += len(entries); len(entries) == 0 {
			return false
		}
		if part == all {
			last = part.to
		} else {
			last = max(last, lists[i].reach(p, from, f.own(i, c, part), part))
		}
	}
	if boxes < 2 {
		return false
	}
	// Both lists are chosen before any is made: most portions of a cell of many vertices and few faces hold no face.
	var entries [2][]keyed
	var queries [2]int
	for i, from := range f.layers {
		entries[i], queries[i] = from.cell(c), len(from.cell(c))
		if part != all {
			entries[i], queries[i] = lists[i].choose(f.upTo(i, c, part, last), part, last)
		}
		if len(entries[i]) == 0 {
			return false
		}
	}
	for i, from := range f.layers {
		lists[i].fill(p, f, from, c, entries[i], queries[i], join)
	}
	return true
}

// fill makes the list of some entries of a layer in cell c, of which the first so many in the order of the sweep are queries.
func (l *cellList) fill(p *Plan, f *familyPlan, from *layer, c int, entries []keyed, queries int, join joiner) {
	n := len(entries)
	l.room(n, from.largest)
	l.sorter.sort(entries, l.ids)
	join(l, p, from, l.ids[:n])
	l.list.N = queries // the others are targets alone
	l.list.HomeY, l.list.HomeZ = f.grid.home[0][c/f.grid.n[1]], f.grid.home[1][c%f.grid.n[1]]
}

// room makes room for n primitives and their vertices, of most.
func (l *cellList) room(n, most int) {
	if len(l.ids) < n+simd.SweepPad {
		more := spread(n, most)
		l.ids, l.ints = make([]int32, more), make([]int32, 3*more)
	}
	for k := range l.list.Vert {
		l.list.Vert[k] = l.ints[k*(n+simd.SweepPad) : (k+1)*(n+simd.SweepPad)]
	}
}

// spread is room for n entries and their padding, and for some more if there will be some, but for no more than most.
func spread(n, most int) int {
	n = whole(n)
	return max(n, min(n+n/4, whole(most)))
}

// whole is the entries of n and their padding in whole registers, and in an odd number of them: of columns that lie a power of
// two apart the first-level cache could keep eight.
func whole(n int) int { return ((n+2*simd.SweepPad-1)/simd.SweepPad | 1) * simd.SweepPad }

// joinEnds makes the boxes at both ends, for a sweep.
func (l *cellList) joinEnds(p *Plan, from *layer, ids []int32) {
	n := whole(len(ids))
	if len(l.ends) < simd.EndColumns*n {
		l.ends = aligned(new([]float32), simd.EndColumns*spread(len(ids), from.largest))
	}
	l.list.Ends, l.list.Stride = l.ends[:simd.EndColumns*n], n
	simd.JoinEnds(p.rec, from.verts, from.Shape.Vertices(), ids, &l.list)
}

// joinWhole makes the boxes over the whole motion, for a list.
func (l *cellList) joinWhole(p *Plan, from *layer, ids []int32) {
	n := len(ids) + simd.SweepPad
	if len(l.floats) < 6*n {
		most := spread(len(ids), from.largest)
		l.floats, l.records = make([]float32, 6*most), make([]float32, 16*most)
	}
	for k := range l.list.Box {
		l.list.Box[k] = l.floats[k*n : (k+1)*n]
	}
	l.list.IDs = l.ids[:n]
	simd.JoinRecords(p.rec, from.verts, from.Shape.Vertices(), ids, l.records, &l.list)
}
