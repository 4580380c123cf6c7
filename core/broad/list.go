package broad

import (
	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/simd"
)

// A record in single precision is a little larger than the box of doubles. How much larger at the most is known, so
// the records tell three sorts of pairs apart: boxes that are apart, boxes that overlap even if each is as small as it
// can be (bound.Frame.PairSlack), and the few between, for which the doubles are asked. A candidate is thus exactly what
// the boxes of doubles say.

// list appends the candidates of a task to into, until the budget is spent. The plan's frame is at rest, and its time the whole
// step.
func (w *Worker) list(p *Plan, t *Task, into *pairList, b *engine.Budget) {
	f := &p.work[t.family]
	slack := p.frame.PairSlack(p.how.Radius)
	doubt := grow(&w.doubt, doubtLen)
	for c := t.c0; c < t.c1; c++ {
		if !w.fill(p, f, c, t.part, (*cellList).joinWhole) {
			continue
		}
		w.a.list.Slack, w.b.list.Slack = slack, slack
		var state simd.SweepState
		for !state.Done() {
			out := into.room()
			var sure, doubts int
			if f.self {
				sure, doubts = simd.ListSelf(&w.a.list, &state, out, doubt)
			} else {
				sure, doubts = simd.ListAcross(&w.a.list, &w.b.list, &state, out, doubt)
			}
			w.Swept += int64(sure + doubts)
			n := len(w.filter(p, f, out[:sure]))
			into.keep(n)
			w.Kept += int64(n)
			n += w.settle(p, f, doubt[:doubts], into)
			if !b.Take(int64(n) * pairBytes) {
				return
			}
		}
	}
}

// doubtLen is the room for pairs in doubt: about one in fifty is.
const doubtLen = 512

// settle appends those of the pairs whose swept boxes of doubles overlap, and returns their number.
func (w *Worker) settle(p *Plan, f *familyPlan, doubt [][2]int32, into *pairList) int {
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
		n := copy(into.room(), kept)
		into.keep(n)
		kept = kept[n:]
	}
	return all
}

func (p *Plan) overlap(s geom.Shape, i int32, t geom.Shape, j int32) bool {
	x, y := sweptBox(p.m, p.mo, s, i, p.how.Radius), sweptBox(p.m, p.mo, t, j, p.how.Radius)
	return x.Overlaps(&y)
}
