package broad

import (
	"ccd/core/engine"
	"ccd/simd/box"
)

// A record in single precision is a little larger than the box of doubles, by a known bound. So the
// records divide pairs into three groups: boxes that are apart, boxes that overlap even if each is
// as small as the bound allows (bound.RecordSpace.PairSlack), and a few uncertain pairs, whose
// boxes of doubles are compared. The result is the same as if all boxes were boxes of doubles.

// list appends the candidates of a task to into, until the budget is spent. The plan's record space
// is at rest, and the plan covers the whole step.
func (w *Worker) list(p *Plan, t *Task, into *pairList, b *engine.Budget) {
	f := &p.work[t.family]
	slack := p.space.PairSlack(p.how.most())
	if !p.how.Input.Radii.Uniform() {
		slack = allUncertain
	}
	doubt := grow(&w.uncertain, uncertainLen)
	for c := t.c0; c < t.c1; c++ {
		if !w.fill(p, f, c, t.keys, (*cellList).joinWhole) {
			continue
		}
		w.a.list.Slack, w.b.list.Slack = slack, slack
		var state box.SweepState
		for !state.Done() {
			out := into.reserve()
			var sure, doubts int
			if f.self {
				sure, doubts = box.ListSelf(&w.a.list, &state, out, doubt)
			} else {
				sure, doubts = box.ListAcross(&w.a.list, &w.b.list, &state, out, doubt)
			}
			w.Swept += int64(sure + doubts)
			f.smallerFirst(out[:sure])
			n := len(w.filter(p, f, out[:sure]))
			into.commit(n)
			w.Kept += int64(n)
			n += w.testDoubles(p, f, doubt[:doubts], into)
			if !b.Take(int64(n) * pairBytes) {
				return
			}
		}
	}
}

// smallerFirst puts the smaller primitive of symmetric pairs first, unless a kernel has done so.
func (w *familyPlan) smallerFirst(pairs [][2]int32) {
	if w.kind.Info().Symmetric() && !w.self { // box.ListSelf has done so.
		for i, x := range pairs {
			pairs[i] = [2]int32{min(x[0], x[1]), max(x[0], x[1])}
		}
	}
}

// allUncertain is more than any float of a record, so that no overlap of records is sure: with
// radii a record may be larger than the box of its primitive by any amount (InflatedRecords).
const allUncertain = 0x1p100

// uncertainLen is the size of the buffer for uncertain pairs. About one pair in fifty is uncertain.
const uncertainLen = 512

// testDoubles appends the pairs whose swept boxes of doubles overlap and returns their number.
// Meshes on a lattice (grids, extruded tubes, flat sheets) have many such pairs: boxes that touch,
// whose bounds are equal.
func (w *Worker) testDoubles(p *Plan, f *familyPlan, doubt [][2]int32, into *pairList) int {
	if len(doubt) == 0 {
		return 0
	}
	first, second := f.layers[0], f.last()
	kept := box.SweptOverlaps(p.mo.Rec, first.swept(), second.swept(), w.inflations(p, first, second, doubt),
		doubt, doubt)
	f.smallerFirst(doubt[:kept])
	found := w.filter(p, f, doubt[:kept])
	w.Kept += int64(len(found))
	all := len(found)
	for len(found) > 0 {
		n := copy(into.reserve(), found)
		into.commit(n)
		found = found[n:]
	}
	return all
}

// inflations returns how far the boxes of pairs are inflated, nil if they are not. The slice
// belongs to the worker.
func (w *Worker) inflations(p *Plan, a, b *layer, pairs [][2]int32) [][2]float64 {
	most := p.how.most()
	if most == 0 {
		return nil
	}
	grow := grow(&w.grown, len(pairs))
	if p.how.Input.Radii.Uniform() {
		for i := range grow {
			grow[i] = [2]float64{most, most}
		}
		return grow
	}
	for i, x := range pairs {
		grow[i] = [2]float64{p.how.inflation(a.Shape, x[0]), p.how.inflation(b.Shape, x[1])}
	}
	return grow
}

// swept returns all primitives of the layer's shape, for tests of their boxes of doubles.
func (l *layer) swept() box.SweptSet {
	return box.SweptSet{Verts: l.verts, Width: l.Shape.Vertices()}
}
