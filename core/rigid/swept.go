package rigid

import (
	"slices"

	"ccd/core/num"
)

// swept encloses where a body is at the times in [t0, t1], at which m.Check passes.
//
// At one time the place of a point is affine in the point, so the body lies in the convex hull of the places of its box's corners, and so
// in any box that holds the enclosures of all eight. It also lies in the ball about the pivot, which moves on a line.
// The former is tight for bodies that turn little, the latter for those that turn much: what both share holds the body.
func swept(b *Body, m *Motion, t0, t1 float64) Box {
	arc := m.Around(t0)
	over := arc.Over(num.Interval{Lo: 0, Hi: num.SubUp(t1, t0)})
	r := b.radiusAbout(m.Pivot)
	var out Box
	for k := range out {
		out[k] = num.Interval{Lo: num.SubDown(over.x[k].Lo, r), Hi: num.AddUp(over.x[k].Hi, r)}
	}
	var hull Box
	for i := range 8 {
		p := b.lo
		if i&1 != 0 {
			p.X = b.hi.X
		}
		if i&2 != 0 {
			p.Y = b.hi.Y
		}
		if i&4 != 0 {
			p.Z = b.hi.Z
		}
		at := over.Position(p)
		for k := range hull {
			if i == 0 {
				hull[k] = at[k]
			}
			hull[k] = hull[k].Union(at[k])
		}
	}
	for k := range out {
		out[k] = both(out[k], hull[k])
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

// sweep lists the pairs of boxes that come within reach of each other on every axis and that keep allows, in their order: sorted along the
// axis on which the boxes are narrowest next to the whole, each is compared with those that begin before it ends.
func sweep(boxes []Box, reach float64, keep func(pair) bool) []pair {
	axis := narrowest(boxes)
	order := make([]int32, len(boxes))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(i, j int32) int {
		switch x, y := boxes[i][axis].Lo, boxes[j][axis].Lo; {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return int(i) - int(j)
	})
	var out []pair
	for n, i := range order {
		end := num.AddUp(boxes[i][axis].Hi, reach)
		for _, j := range order[n+1:] {
			if boxes[j][axis].Lo > end {
				break
			}
			p := pair{min(i, j), max(i, j)}
			if within(&boxes[i], &boxes[j], reach) && keep(p) {
				out = append(out, p)
			}
		}
	}
	slices.SortFunc(out, pair.compare)
	return out
}

// within tells whether boxes come within reach on every axis; if not, what they hold stays farther apart than reach.
func within(a, b *Box, reach float64) bool {
	for k := range a {
		if b[k].Lo > num.AddUp(a[k].Hi, reach) || a[k].Lo > num.AddUp(b[k].Hi, reach) {
			return false
		}
	}
	return true
}

// narrowest is the axis with the least sum of widths in units of the whole. Any axis would do.
func narrowest(boxes []Box) int {
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
