package broad

import (
	"ccd/core/geom"
	"ccd/simd/box"
)

// A tactic is how the pairs of a plan's tasks are found. Build and Reuse choose one; what a tactic
// makes for a plan it keeps itself.
type tactic interface {
	// sweep emits the pairs of a task in blocks. Pairs that do not come within their separation
	// until some time are of no interest.
	sweep(w *Worker, p *Plan, t *Task, until float64, emit emitter)
	// bytes returns the memory of the tactic.
	bytes() int64
	// forget drops the references to the step, and keeps the memory.
	forget()
}

// An emitter takes a block of pairs, which belong to the worker, and returns false to stop.
type emitter = func(k geom.Kind, pairs [][2]int32) bool

// cells sweep the cells of a grid.
type cells struct {
	// collect appends the pairs at found positions of the worker's lists to the block; b is the
	// second list.
	collect func(w *Worker, p *Plan, f *familyPlan, found [][2]int32, b *cellList)
}

// byNumbers are cells of the numbers of primitives, byPlaces of their places in an order.
var (
	byNumbers = &cells{(*Worker).collect}
	byPlaces  = &cells{(*Worker).collectPlaces}
)

func (c *cells) sweep(w *Worker, p *Plan, t *Task, _ float64, emit emitter) {
	f := &p.work[t.family]
	w.block = w.block[:0]
	for i := t.c0; i < t.c1; i++ {
		if !c.cell(w, p, f, i, t.keys, emit) {
			return
		}
	}
	w.emit(t.Kind, emit)
}

// cell sweeps one cell, or a key range of it, and reports whether to go on.
func (c *cells) cell(w *Worker, p *Plan, f *familyPlan, number int, keys keyRange, emit emitter) bool {
	if !w.fill(p, f, number, keys, (*cellList).joinEnds) {
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
		if c.collect(w, p, f, w.found[:n], b); len(w.block) >= blockLen && !w.emit(f.kind, emit) {
			return false
		}
	}
	return true
}

func (*cells) bytes() int64 { return 0 }
func (*cells) forget()      {}
