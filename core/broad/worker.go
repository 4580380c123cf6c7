package broad

import (
	"ccd/core/bound"
	"ccd/core/broad/hierarchy"
	"ccd/core/geom"
	"ccd/simd/box"
)

// Worker holds the memory in which one goroutine sweeps the tasks of a plan. Once grown, it
// allocates no more.
type Worker struct {
	Swept int64 // pairs compared so far: their boxes overlap on the sweep's axis
	Kept  int64 // Kept counts those of them that were emitted.

	a, b      cellList
	found     [][2]int32 // positions in the two lists
	uncertain [][2]int32
	grown     [][2]float64  // inflations of uncertain pairs
	block     [][2]int32    // primitives
	places    [][2]int32    // places are those of a plan with an Ordered.
	ends      [2][]endBoxes // ends are those of the primitives of a plan of few.
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
	ends    []float32 // ends serve cells.sweep.
	floats  []float32 // floats and records serve Worker.list.
	records []float32
	ints    []int32
	ids     []int32 // ids has SweepPad more than there are.
	numbers []int32 // numbers are the primitives at the places ids, of a plan with an Ordered.
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
		n += 4 * (cap(l.ends) + cap(l.floats) + cap(l.records) + cap(l.ints) + cap(l.ids) + cap(l.numbers))
		n += 8*cap(l.chosen) + l.sorter.bytes()
	}
	return int64(n)
}

// Forget frees the lists.
func (w *Worker) Forget() { w.a, w.b = cellList{}, cellList{} }

// emit emits the block, if there are pairs in it, and reports whether to go on.
func (w *Worker) emit(k geom.Kind, emit emitter) bool {
	if len(w.block) == 0 {
		return true
	}
	ok := emit(k, w.block)
	w.block, w.places = w.block[:0], w.places[:0]
	return ok
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

// endBoxes are the inflated boxes of a primitive at the start and at the end of the motion.
type endBoxes [2]bound.Box

// An emitter takes a block of pairs, which belong to the worker, and returns false to stop.
type emitter = func(k geom.Kind, pairs [][2]int32) bool
