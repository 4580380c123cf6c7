package rigid

import (
	"slices"

	"ccd/core/geom"
	"ccd/core/num"
	"ccd/core/rigid/poses"
)

// swept encloses where a body is at the times in [t0, t1], at which m.Check passes.
//
// The motion's enclosure, applied to the body's box, holds every point of the box at all these
// times. The body also lies in the ball about the pivot, which moves on a line. The former is tight
// for bodies that turn little, the latter for those that turn much; their intersection holds the
// body.
func swept(b *Body, m *Motion, t0, t1 float64) poses.Box {
	arc := m.Around(t0)
	over := arc.Over(num.Interval{Lo: 0, Hi: num.SubUp(t1, t0)})
	r := b.radiusAbout(m.Pivot)
	lo, hi, pivot := geom.Components(b.lo), geom.Components(b.hi), geom.Components(m.Pivot)
	var arms poses.Box
	for k := range arms {
		arms[k] = num.Interval{Lo: num.SubDown(lo[k], pivot[k]), Hi: num.SubUp(hi[k], pivot[k])}
	}
	out := over.R.Apply(arms)
	if b.grown.outer > 0 {
		out.Inflate(b.grown.outer)
	}
	for k := range out {
		ball := num.Interval{Lo: num.SubDown(over.X[k].Lo, r), Hi: num.AddUp(over.X[k].Hi, r)}
		out[k] = poses.Both(ball, out[k].Add(over.X[k]))
	}
	return out
}

// A pair of bodies, a < b.
type pair struct{ a, b int32 }

func (p pair) compare(q pair) int {
	if p.a != q.a {
		return int(p.a) - int(q.a)
	}
	return int(p.b) - int(q.b)
}

// sweep finds the pairs of boxes that come within reach of each other on every axis: sorted along
// the axis on which the boxes are narrowest next to the whole, each is compared with those that
// begin before it ends.
type sweep struct {
	boxes []poses.Box
	reach float64
	axis  int
	order []int32
	at    int // position in the order of the current box
	next  int // the position of the box that it is compared with next
}

// begin sorts the boxes.
func (w *sweep) begin(reach float64) {
	boxes := w.boxes
	w.reach, w.at, w.next, w.order = reach, 0, 1, w.order[:0]
	if len(boxes) == 0 {
		return
	}
	axis := narrowest(boxes)
	w.axis = axis
	for i := range boxes {
		w.order = append(w.order, int32(i))
	}
	slices.SortFunc(w.order, func(i, j int32) int {
		switch x, y := boxes[i][axis].Lo, boxes[j][axis].Lo; {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return int(i) - int(j)
	})
}

// more lists further pairs that keep allows, sorted, in the memory of out: at most n, and none at
// the end.
func (w *sweep) more(out []pair, most int, keep func(pair) bool) []pair {
	out = out[:0]
	for ; w.at < len(w.order) && len(out) < most; w.at, w.next = w.at+1, w.at+2 {
		i := w.order[w.at]
		end := num.AddUp(w.boxes[i][w.axis].Hi, w.reach)
		for ; w.next < len(w.order); w.next++ {
			j := w.order[w.next]
			if w.boxes[j][w.axis].Lo > end {
				break
			}
			p := pair{min(i, j), max(i, j)}
			if within(&w.boxes[i], &w.boxes[j], w.reach) && keep(p) {
				if len(out) == most {
					slices.SortFunc(out, pair.compare)
					return out
				}
				out = append(out, p)
			}
		}
	}
	slices.SortFunc(out, pair.compare)
	return out
}

// within reports whether boxes come within reach on every axis; if not, what they hold stays
// farther apart than reach.
func within(a, b *poses.Box, reach float64) bool {
	for k := range a {
		if b[k].Lo > num.AddUp(a[k].Hi, reach) || a[k].Lo > num.AddUp(b[k].Hi, reach) {
			return false
		}
	}
	return true
}

// narrowest returns the axis with the least sum of widths relative to the extent of all boxes. Any
// axis is correct.
func narrowest(boxes []poses.Box) int {
	best, least := 0, 0.0
	for k := range 3 {
		whole, sum := boxes[0][k], 0.0
		for i := range boxes {
			whole = whole.Union(boxes[i][k])
			sum += boxes[i][k].Width()
		}
		if share := sum / whole.Width(); k == 0 || share < least {
			best, least = k, share
		}
	}
	return best
}
