package broad

import (
	"ccd/core/geom"
	"ccd/simd/box"
)

// collect appends the pairs at the found positions to the block, if the filter allows them.
func (w *Worker) collect(p *Plan, f *familyPlan, found [][2]int32, second *cellList) {
	a, b := w.a.ids, second.ids
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

func (*cells) forget() {}
