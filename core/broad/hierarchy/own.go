package hierarchy

import (
	"ccd/core/num"
	"ccd/simd/box"
)

// Own inflations. Where each primitive has an inflation of its own (Input.Own), the boxes of blocks
// are made of primitives, not of the rows of vertices.
//
// Law 9. Law 1 holds for boxes that are inflated by different amounts, if the row of each primitive
// is the map M of the bounds of its own box of doubles, inflated by its own inflation.
//
// Proof. Law 1 is about two doubles, whatever they are: that M(lo) < M(hi) proves lo < hi, for M is
// one function, that never decreases, for all primitives. The bounds of the hull of the vertices
// are doubles, taken without rounding; StepRows inflates them as bound.Box.Inflate does, and takes
// M of the result. The rows of nodes are minima of those of primitives, as in law 2. Floats do not
// overflow, since newRowMap has seen the largest inflation. Pairs whose floats are equal are
// decided by doubles, each box inflated by its own inflation.
//
// What differs is the row of a primitive: the minimum of those of its vertices where all have one
// inflation, which no longer holds where a vertex is of primitives with different ones. Rows are
// not closed, for closeRows looks at the rows of vertices.

// ownRun is the number of nodes whose primitives are inflated at once.
const ownRun = 16

// inOrder is the numbers of rows that follow each other.
var inOrder = numbers(ownRun * box.Children)

// hullsOf writes the boxes of doubles {lo x y z, 0, hi x y z, 0} of vertices over a step from their
// records {x0 y0 z0 0 x1 y1 z1 0}.
func hullsOf(rec, hulls []float64) {
	for v := 0; v < len(rec); v += 8 {
		r, h := (*[8]float64)(rec[v:]), (*[8]float64)(hulls[v:])
		for k := range 3 {
			h[k], h[4+k] = min(r[k], r[4+k]), max(r[k], r[4+k])
		}
	}
}

// ownLeaves computes the nodes of a part, and their hulls, by law 9.
func (s *Search) ownLeaves(p *part) {
	t, b := s.order.trees[p.tree], &s.trees[p.tree]
	var boxes [8 * box.Children * ownRun]float64
	var rows [rowLen * box.Children * ownRun]float32
	width, m := t.shape.Vertices(), s.m
	m.Grow = 0 // The boxes are inflated.
	for from := p.from; from < p.to; from += ownRun {
		to := min(from+ownRun, p.to)
		first := box.Children * from
		count := max(0, min(t.n-first, box.Children*(to-from)))
		for i := range count {
			at := width * (first + i)
			s.ownBox(t.corners[at:at+width], s.in.Own(t.shape, t.ids[first+i]), (*[8]float64)(boxes[8*i:]))
		}
		box.StepRows(boxes[:8*count], &m, rows[:])
		box.Leaves(b.levels[0][from:to], b.hulls[0][rowLen*from:rowLen*to], rows[:], inOrder[:count], 1, count)
	}
}

// ownBox sets b to the box of some vertices, inflated by r as bound.Box.Inflate does.
func (s *Search) ownBox(vertices []int32, r float64, b *[8]float64) {
	h := (*[8]float64)(s.hulls[8*int(vertices[0]):])
	lx, ly, lz, hx, hy, hz := h[0], h[1], h[2], h[4], h[5], h[6]
	for _, v := range vertices[1:] {
		h := (*[8]float64)(s.hulls[8*int(v):])
		lx, ly, lz = min(lx, h[0]), min(ly, h[1]), min(lz, h[2])
		hx, hy, hz = max(hx, h[4]), max(hy, h[5]), max(hz, h[6])
	}
	b[0], b[1], b[2] = num.AddDown(lx, -r), num.AddDown(ly, -r), num.AddDown(lz, -r)
	b[4], b[5], b[6] = num.AddUp(hx, r), num.AddUp(hy, r), num.AddUp(hz, r)
}
