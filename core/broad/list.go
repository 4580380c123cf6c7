package broad

import (
	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/simd"
)

// A record in single precision is a little larger than the box of doubles, by a known bound. So the records divide pairs into
// three groups: boxes that are apart, boxes that overlap even if each is as small as the bound allows (bound.RecordSpace.PairSlack),
// and a few uncertain pairs, whose boxes of doubles are compared. The result is the same as if all boxes were boxes of doubles.

// list appends the candidates of a task to into, until the budget is spent. The plan's record space is at rest, and the plan
// covers the whole step.
func (w *Worker) list(p *Plan, t *Task, into *pairList, b *engine.Budget) {
	f := &p.work[t.family]
	slack := p.space.PairSlack(p.how.most())
	if !p.how.Radii.Uniform() {
		slack = allUncertain
	}
	doubt := grow(&w.uncertain, uncertainLen)
	for c := t.c0; c < t.c1; c++ {
		if !w.fill(p, f, c, t.keys, (*cellList).joinWhole) {
			continue
		}
		w.a.list.Slack, w.b.list.Slack = slack, slack
		var state simd.SweepState
		for !state.Done() {
			out := into.reserve()
			var sure, doubts int
			if f.self {
				sure, doubts = simd.ListSelf(&w.a.list, &state, out, doubt)
			} else {
				sure, doubts = simd.ListAcross(&w.a.list, &w.b.list, &state, out, doubt)
			}
			w.Swept += int64(sure + doubts)
			if !f.self && f.kind.Info().Symmetric() {
				inOrder(out[:sure])
				inOrder(doubt[:doubts])
			}
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

// inOrder puts the smaller primitive of each pair first.
func inOrder(pairs [][2]int32) {
	for i, x := range pairs {
		pairs[i] = [2]int32{min(x[0], x[1]), max(x[0], x[1])}
	}
}

// allUncertain is more than any float of a record, so that no overlap of records is sure: with radii a record may be larger than the box of
// its primitive by any amount (InflatedRecords).
const allUncertain = 0x1p100

// uncertainLen is the size of the buffer for uncertain pairs. About one pair in fifty is uncertain.
const uncertainLen = 512

// testDoubles appends the pairs whose swept boxes of doubles overlap and returns their number.
func (w *Worker) testDoubles(p *Plan, f *familyPlan, doubt [][2]int32, into *pairList) int {
	second := f.b.Shape
	if f.self {
		second = f.a.Shape
	}
	kept := doubt[:0]
	for _, x := range doubt {
		if p.overlap(f.a.Shape, x[0], second, x[1]) {
			kept = append(kept, x)
		}
	}
	kept = w.filter(p, f, kept)
	w.Kept += int64(len(kept))
	all := len(kept)
	for len(kept) > 0 {
		n := copy(into.reserve(), kept)
		into.commit(n)
		kept = kept[n:]
	}
	return all
}

func (p *Plan) overlap(s geom.Shape, i int32, t geom.Shape, j int32) bool {
	x, y := sweptBox(p.m, p.mo, s, i, p.how.inflation(s, i)), sweptBox(p.m, p.mo, t, j, p.how.inflation(t, j))
	return x.Overlaps(&y)
}
