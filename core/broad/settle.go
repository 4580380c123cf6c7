package broad

import "ccd/simd"

// A record in single precision is a little larger than the box of doubles. How much larger at the most is known, so
// the records tell three sorts of pairs apart: boxes that are apart, boxes that overlap even if each is as small as it
// can be, and the few between, for which the doubles are asked. A candidate is thus exactly what the boxes of doubles
// say.

// shrink makes the first n records those of inner boxes: both ends alike, and on every side within the swept box of
// doubles. slack is the frame's, and says why lo + 2^-20 |lo| + slack is within; -hi is the same seen from the other
// side.
func (l *cellList) shrink(n int, slack float32) {
	for k := range 3 {
		lo, hi := l.list.Box[k], l.list.Box[3+k]
		for i := range n {
			in, out := inner(lo[i], slack), inner(-hi[i], slack)
			r := l.records[16*i : 16*i+16]
			r[k], r[3+k], r[6+k], r[9+k] = in, in, out, out
		}
	}
}

func inner(lo, slack float32) float32 {
	if lo < 0 {
		return lo - float32(lo*0x1p-20) + slack
	}
	return lo + float32(lo*0x1p-20) + slack
}

// settle leaves those of the found pairs whose swept boxes of doubles overlap.
func (w *Worker) settle(p *Plan, f *familyPlan, found [][2]int32, a, b *cellList) [][2]int32 {
	sure := grow(&w.sure, len(found))
	sure = sure[:simd.Kinetic(a.records, b.records, found, sure)]
	if len(sure) == len(found) {
		return found
	}
	kept, next := found[:0], 0
	second := f.b.shape
	if f.self {
		second = f.a.shape
	}
	for _, x := range found {
		if next < len(sure) && sure[next] == x {
			next++
		} else if !p.overlap(f.a.shape, a.ids[x[0]], second, b.ids[x[1]]) {
			continue
		}
		kept = append(kept, x)
	}
	return kept
}

func (p *Plan) overlap(s shape, i int32, t shape, j int32) bool {
	x, y := sweptBox(p.m, p.mo, s, i, p.how.Radius), sweptBox(p.m, p.mo, t, j, p.how.Radius)
	return x.Overlaps(&y)
}
