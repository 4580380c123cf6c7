package broad

import (
	"math"

	"ccd/core/broad/hierarchy"
	"ccd/core/geom"
	"ccd/simd/box"
)

// Worker holds the memory in which one goroutine sweeps the tasks of a plan. Once grown, it
// allocates no more.
type Worker struct {
	Swept int64 // pairs compared so far: their boxes overlap on the sweep's axis
	Kept  int64 // of these, pairs that were emitted

	a, b      cellList
	found     [][2]int32 // positions in the two lists
	uncertain [][2]int32
	grown     [][2]float64  // inflations of uncertain pairs
	block     [][2]int32    // primitives
	places    [][2]int32    // of a plan with an Ordered: the places of those
	placed    bool          // whether the plan that was swept last has one
	ends      [2][]endBoxes // of the primitives of a plan of few
	groups    hierarchy.Worker
}

// blockLen is the number of pairs emitted at once: they and their vertices stay in cache.
const blockLen = 2048

// foundLen is the size of a sweep's output buffer.
const foundLen = 2048

// BlockLen is the largest number of pairs of a block. WorkerBytes is the memory of a worker without
// the lists of a cell.
const (
	BlockLen    = blockLen + foundLen
	WorkerBytes = 8 * (foundLen + BlockLen)
)

// cellList holds the boxes of one cell in the layout of the kernels.
type cellList struct {
	list    box.SweepList
	ends    []float32 // for Worker.Sweep
	floats  []float32 // for Worker.list
	records []float32 // for Worker.list
	ints    []int32
	ids     []int32 // with SweepPad more
	numbers []int32 // of a plan with an Ordered: the primitives at the places ids
	chosen  []keyed // the entries of a key range
	read    int64   // number of entries read to choose those of key ranges; for tests
	sorter  cellSorter
}

// NewWorker returns a Worker.
func NewWorker() *Worker {
	return &Worker{found: make([][2]int32, foundLen), block: make([][2]int32, 0, BlockLen)}
}

// Bytes returns the memory of the worker.
func (w *Worker) Bytes() int64 {
	n := 8*(cap(w.found)+cap(w.uncertain)+cap(w.block)+cap(w.places)) + 16*cap(w.grown)
	for _, l := range []*cellList{&w.a, &w.b} {
		n += 4*(cap(l.ends)+cap(l.floats)+cap(l.records)+cap(l.ints)+cap(l.ids)+cap(l.numbers)) + 8*cap(l.chosen) + l.sorter.bytes()
	}
	return int64(n)
}

// Forget frees the lists.
func (w *Worker) Forget() { w.a, w.b = cellList{}, cellList{} }

// Sweep finds the pairs of a task and emits them in blocks. In the plan's record space, the boxes
// of a pair overlap on every axis at one end of the motion, or change sides between the ends
// (kinetic boxes). The pair shares no vertex and the filter allows it. The block belongs to the
// worker and is valid until emit returns; emit returns false to stop.
func (w *Worker) Sweep(p *Plan, t *Task, emit func(k geom.Kind, pairs [][2]int32) bool) {
	w.SweepUntil(p, t, p.how.Input.Until, emit)
}

// SweepUntil is Sweep where pairs that do not come within their separation until some time, at most
// that of the plan, are of no interest. A plan that sieves leaves out most of them.
func (w *Worker) SweepUntil(p *Plan, t *Task, until float64, emit func(k geom.Kind, pairs [][2]int32) bool) {
	w.placed, w.places = p.ordered != nil, w.places[:0]
	switch {
	case p.given != nil:
		w.pass(p, t, emit)
		return
	case p.remote != nil:
		w.windows(p, t, emit)
		return
	case len(p.few) > 0:
		w.all(p, t, emit)
		return
	case p.grouped:
		w.near(p, t, until, emit)
		return
	}
	f := &p.work[t.family]
	w.block = w.block[:0]
	for c := t.c0; c < t.c1; c++ {
		if !w.cell(p, f, c, t.keys, emit) {
			return
		}
	}
	if len(w.block) > 0 {
		emit(t.Kind, w.block)
	}
}

// cell sweeps one cell, or a key range of it, and reports whether to go on.
func (w *Worker) cell(p *Plan, f *familyPlan, c int, keys keyRange, emit func(geom.Kind, [][2]int32) bool) bool {
	if !w.fill(p, f, c, keys, (*cellList).joinEnds) {
		return true
	}
	var state box.SweepState
	defer func() { w.Swept += int64(state.Seen()) }()
	for !state.Done() {
		var n int
		b := &w.b
		switch {
		case f.self:
			b = &w.a
			n = box.SweepSelf(&w.a.list, &state, w.found)
		case f.kind == geom.EdgeFace:
			n = box.SweepEF(&w.a.list, &w.b.list, &state, w.found)
		default:
			n = box.SweepAcross(&w.a.list, &w.b.list, &state, w.found)
		}
		if p.ordered != nil {
			w.collectPlaces(p, f, w.found[:n], &w.a, b)
		} else {
			w.collect(p, f, w.found[:n], w.a.ids, b.ids)
		}
		if len(w.block) >= blockLen {
			if !emit(f.kind, w.block) {
				return false
			}
			w.block, w.places = w.block[:0], w.places[:0]
		}
	}
	return true
}

// collect appends the pairs at the found positions to the block, if the filter allows them.
func (w *Worker) collect(p *Plan, f *familyPlan, found [][2]int32, a, b []int32) {
	from := len(w.block)
	w.block = w.block[:from+len(found)] // within its capacity: a block is emitted when it has blockLen pairs
	out := w.block[from:]
	if f.kind.Info().Symmetric() {
		for k, x := range found {
			i, j := a[x[0]], b[x[1]]
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

// filter keeps the pairs of a family that the plan keeps.
func (w *Worker) filter(p *Plan, f *familyPlan, pairs [][2]int32) [][2]int32 {
	if p.pieces != nil {
		return p.pieces.parents(f.kind, pairs)
	}
	return p.keeps.wanted(f.kind, p.keeps.allowed(&f.family, pairs))
}

// joiner computes the boxes of the primitives ids of a layer.
type joiner func(l *cellList, p *Plan, from *layer, ids []int32)

// fill makes the lists of a key range of cell c and reports whether there can be a pair.
func (w *Worker) fill(p *Plan, f *familyPlan, c int, keys keyRange, join joiner) bool {
	lists := [2]*cellList{&w.a, &w.b}
	last, boxes := int32(math.MinInt32), 0
	for i, from := range f.layers {
		entries := from.cell(c)
		if boxes += len(entries); len(entries) == 0 {
			return false
		}
		if keys == wholeCell {
			last = keys.to
		} else {
			last = max(last, lists[i].reach(p, from, f.ownEntries(i, c, keys), keys))
		}
	}
	if boxes < 2 {
		return false
	}
	// The entries of both lists are chosen before any list is filled: in a cell of many vertices
	// and few faces, most key ranges have no face.
	var entries [2][]keyed
	var queries [2]int
	for i, from := range f.layers {
		entries[i], queries[i] = from.cell(c), len(from.cell(c))
		if keys != wholeCell {
			entries[i], queries[i] = lists[i].choose(f.entriesUpTo(i, c, keys, last), keys, last)
		}
		if len(entries[i]) == 0 {
			return false
		}
	}
	if p.keeps.box != nil && !p.keeps.codes.mayOwn(f, &entries) {
		return false
	}
	for i, from := range f.layers {
		lists[i].fill(p, f, from, c, entries[i], queries[i], join)
	}
	return true
}

// fill makes the list of some entries of a layer in cell c. The first ones in the order of the
// sweep are queries, the others only targets.
func (l *cellList) fill(p *Plan, f *familyPlan, from *layer, c int, entries []keyed, queries int, join joiner) {
	n := len(entries)
	l.reserve(n, from.largest)
	l.sorter.sort(entries, l.ids)
	if from.numbers != nil {
		numbers := grow(&l.numbers, n)
		for i, place := range l.ids[:n] {
			numbers[i] = from.numbers[place]
		}
	}
	join(l, p, from, l.ids[:n])
	l.list.N = queries
	l.list.HomeY, l.list.HomeZ = f.grid.home[0][c/f.grid.n[1]], f.grid.home[1][c%f.grid.n[1]]
}

// reserve grows the list to n primitives and their vertices; no list will have more than most.
func (l *cellList) reserve(n, most int) {
	if len(l.ids) < n+box.SweepPad {
		more := paddedCap(n, most)
		l.ids, l.ints = make([]int32, more), make([]int32, 3*more)
	}
	for k := range l.list.Vert {
		l.list.Vert[k] = l.ints[k*(n+box.SweepPad) : (k+1)*(n+box.SweepPad)]
	}
}

// paddedCap returns the capacity for n entries and their padding, with a reserve of a quarter, but
// for no more than most entries.
func paddedCap(n, most int) int {
	n = paddedLen(n)
	return max(n, min(n+n/4, paddedLen(most)))
}

// paddedLen rounds n entries and their padding up to an odd number of registers: columns at a
// distance of a power of two would alias in the first-level cache.
func paddedLen(n int) int { return ((n+2*box.SweepPad-1)/box.SweepPad | 1) * box.SweepPad }

// joinEnds computes the boxes at both ends of the motion, for Worker.Sweep.
func (l *cellList) joinEnds(p *Plan, from *layer, ids []int32) {
	n := paddedLen(len(ids))
	if len(l.ends) < box.EndColumns*n {
		l.ends = aligned(new([]float32), box.EndColumns*paddedCap(len(ids), from.largest))
	}
	l.list.Ends, l.list.Stride, l.list.AtRest = l.ends[:box.EndColumns*n], n, p.how.Input.AtRest
	box.JoinEnds(p.rec, from.places, from.Shape.Vertices(), ids, &l.list)
}

// joinWhole computes the boxes over the whole motion, for Worker.list.
func (l *cellList) joinWhole(p *Plan, from *layer, ids []int32) {
	n := len(ids) + box.SweepPad
	if len(l.floats) < 6*n {
		most := paddedCap(len(ids), from.largest)
		l.floats, l.records = make([]float32, 6*most), make([]float32, 16*most)
	}
	for k := range l.list.Box {
		l.list.Box[k] = l.floats[k*n : (k+1)*n]
	}
	l.list.IDs = l.ids[:n]
	box.JoinRecords(p.rec, from.places, from.Shape.Vertices(), ids, l.records, &l.list)
}
