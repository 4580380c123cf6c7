package broad

import (
	"math"

	"ccd/core/engine"
	"ccd/core/geom"
)

// How pieces are chosen. Only speed depends on it.
const (
	pieceCrowd   = 32      // estimated overlaps of a primitive below which none is divided
	pieceSample  = 1000    // primitives whose boxes are compared
	piecePairs   = 4000    // pairs of these whose pieces are compared
	pieceTests   = 1 << 18 // comparisons of pieces, at most
	pieceCounts  = 100     // overlaps of pieces that are enough for an estimate
	costPiece    = 300     // a piece, in nanoseconds: its record, its entries in cells and their boxes
	costPieces   = 60      // a pair of pieces whose boxes overlap, with the test of its primitives by floats
	costBoxes    = 60      // a pair of primitives whose boxes overlap, with its test by floats
	pieceSavings = 0.7     // the part of the costs that pieces must leave, at most
)

// pieceSize returns the length of pieces that makes a sweep the cheapest, by a sample of the edges; 0 if dividing does not pay.
func (p *Plan) pieceSize() float64 {
	how := &p.how
	w := p.edgesWithMost()
	if how.Bands != nil || how.Excerpt != nil || w == nil || how.largest == 0 {
		return 0
	}
	l := w.layers[0]
	always := how.Orient == DivideAlways
	if !always && (l.n < orientLeast || w.crowding(p) < pieceCrowd) {
		return 0
	}
	c := outlines{p: p, layer: l, size: how.largest}
	c.some = make([]outline, min(l.n, pieceSample))
	longest := 0.0
	for i, stride := 0, engine.Stride(len(c.some)); i < len(c.some); i++ {
		c.some[i] = c.sampled(i, len(c.some), stride)
		longest = max(longest, c.some[i].length())
	}
	if always {
		return float64(longest * c.size / 4)
	}
	e := pieceEstimate{reach: 2 * how.typical() / c.size}
	if !(longest > 0) || !e.count(c.some, longest) {
		return 0
	}
	second := float64(w.last().n)
	pairs := float64(l.n) * second / float64(2*e.tested) // that each tested one stands for
	if !w.self {
		pairs *= 2
	}
	ratio := (float64(l.n) + second) / 2 / float64(len(c.some))
	best, size := pieceSavings*costBoxes*e.met[0]*pairs, 0.0
	for depth, met := 1, e.met[0]; depth <= pieceDepth; depth++ {
		s := math.Ldexp(longest, -depth)
		all := 0.0
		for i := range c.some {
			all += math.Exp2(max(0, math.Ceil(math.Log2(c.some[i].length()/s))))
		}
		if e.met[depth] >= pieceCounts {
			met = float64(e.met[depth] * e.scale)
		} else {
			met /= 2 // too few for an estimate: of pieces half as long, half as many meet
		}
		if cost := float64(costPiece*all*ratio) + float64(costPieces*met*pairs); cost < best {
			best, size = cost, float64(s*c.size)
		}
	}
	return size
}

// edgesWithMost returns the family with edges that has the most pairs with other edges or with faces; nil if there is none.
func (p *Plan) edgesWithMost() (best *familyPlan) {
	most := 0.0
	for i := range p.work {
		w := &p.work[i]
		if w.kind != geom.EdgeEdge && w.kind != geom.EdgeFace {
			continue
		}
		if pairs := float64(w.layers[0].n) * float64(w.last().n); pairs > most {
			best, most = w, pairs
		}
	}
	return best
}

// length returns the length of an edge in the max norm, the larger of both ends.
func (o *outline) length() (l float64) {
	for end := range 2 {
		e := minus(o.at[end], o.at[2+end])
		l = max(l, math.Abs(e[0]), math.Abs(e[1]), math.Abs(e[2]))
	}
	return l
}

// pieceEstimate counts the pairs of pieces whose boxes overlap.
type pieceEstimate struct {
	reach  float64 // how far apart boxes may be
	longer float64 // the length of the longest edge
	tested int     // pairs of edges
	scale  float64 // of counts beyond met[0], which are of some of the pairs
	met    [pieceDepth + 1]float64
	tests  int
}

// count compares the edges with each other, and the pieces of some pairs whose boxes overlap. It reports whether any overlap, and not too many
// pieces of them do.
func (e *pieceEstimate) count(some []outline, longest float64) bool {
	e.longer = longest
	e.tested = len(some) * (len(some) - 1) / 2
	var met [][2]int32
	for i := range some {
		for j := range some[:i] {
			if e.overlap(&some[i], &some[j]) {
				met = append(met, [2]int32{int32(i), int32(j)})
			}
		}
	}
	e.met[0] = float64(len(met))
	n := min(len(met), piecePairs)
	for i := range n {
		x := met[i*len(met)/n]
		e.halves(some[x[0]], some[x[1]], 1)
	}
	e.scale = float64(len(met)) / float64(max(n, 1))
	return n > 0 && e.tests < pieceTests
}

// halves counts the overlaps of the pieces of two pieces, from a depth on.
func (e *pieceEstimate) halves(a, b outline, depth int) {
	if depth > pieceDepth || e.tests >= pieceTests {
		return
	}
	s := math.Ldexp(e.longer, -depth)
	as, bs := a.halved(s), b.halved(s)
	for i := range as {
		for j := range bs {
			if e.tests++; e.overlap(&as[i], &bs[j]) {
				e.met[depth]++
				e.halves(as[i], bs[j], depth+1)
			}
		}
	}
}

// halved returns the halves of an edge that is longer than s, or the edge.
func (o *outline) halved(s float64) []outline {
	if o.length() <= s {
		return []outline{*o}
	}
	var out [2]outline
	for end := range 2 {
		a, b := o.at[end], o.at[2+end]
		m := vector{(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2}
		out[0].at[end], out[0].at[2+end], out[1].at[end], out[1].at[2+end] = a, m, m, b
	}
	out[0].n, out[1].n = 4, 4
	return out[:]
}

// overlap reports whether the boxes of two edges overlap on every axis at an end, or change sides between.
func (e *pieceEstimate) overlap(a, b *outline) bool {
	for k := range 3 {
		above, below := true, true
		for end := range 2 {
			x, y, v, w := a.at[end][k], a.at[2+end][k], b.at[end][k], b.at[2+end][k]
			above = above && min(x, y) > max(v, w)+e.reach
			below = below && min(v, w) > max(x, y)+e.reach
		}
		if above || below {
			return false
		}
	}
	return true
}
