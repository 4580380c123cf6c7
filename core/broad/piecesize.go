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
	piecePairs   = 2000    // pairs of these whose pieces are compared
	pieceTests   = 1 << 17 // comparisons of pieces, at most
	pieceFirst   = 1 << 15 // comparisons of the first pairs' pieces, twice as many of which are allowed as of others'
	pieceCounts  = 100     // overlaps of pieces that are enough for an estimate
	costPiece    = 300     // a piece, in nanoseconds: its record, its entries in cells and their boxes
	costPieces   = 60      // a pair of pieces whose boxes overlap, with the test of its primitives by floats
	costBoxes    = 60      // a pair of primitives whose boxes overlap, with its test by floats
	pieceSavings = 0.7     // the part of the costs that pieces must leave, at most
)

// pieceSize returns the length of pieces that makes a sweep the cheapest, by a sample of the edges;
// 0 if dividing does not pay.
func (p *Plan) pieceSize() float64 {
	how := &p.how
	w := p.edgesWithMost()
	if how.Input.Bands != nil || how.Keep.Excerpt != nil || w == nil || how.largest == 0 {
		return 0
	}
	l := w.layers[0]
	always := how.Tactic.Orient == DivideAlways
	if !always && (l.n < orientLeast || w.crowding(p) < pieceCrowd) {
		return 0
	}
	c := outlines{p: p, layer: l, size: how.largest, outlineMemory: &p.scratch.outlined}
	grow(&c.some, min(l.n, pieceSample))
	longest := 0.0
	for i, stride := 0, engine.Stride(len(c.some)); i < len(c.some); i++ {
		c.some[i] = c.sampled(i, len(c.some), stride)
		longest = max(longest, c.some[i].length())
	}
	if always {
		return float64(longest * c.size / 4)
	}
	e := pieceEstimate{reach: 2 * how.typical() / c.size}
	if !(longest > 0) || !e.count(c.outlineMemory, longest) {
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

// edgesWithMost returns the family with edges that has the most pairs with other edges or with
// faces; nil if there is none.
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
		e := geom.Sub3(&o.at[end], &o.at[2+end])
		l = max(l, math.Abs(e[0]), math.Abs(e[1]), math.Abs(e[2]))
	}
	return l
}

// pieceEstimate counts the pairs of pieces whose boxes overlap.
type pieceEstimate struct {
	reach  float64 // how far apart boxes may be
	longer float64 // the length of the longest edge
	tested int     // pairs of edges
	scale  float64 // scale is that of counts beyond met[0], which are of some of the pairs.
	met    [pieceDepth + 1]float64
	tests  int // tests are the comparisons of pieces.
	most   int // most is how many of them the pairs so far may have.
}

// count compares the edges with each other, and the pieces of some pairs whose boxes overlap. It
// reports whether any overlap, and not too many pieces of them do. Of short edges that cross, about
// all pieces overlap: this shows in the first pairs, and ends the count long before pieceTests.
func (e *pieceEstimate) count(c *outlineMemory, longest float64) bool {
	e.longer = longest
	some, met := c.some, c.met[:0]
	boxes := grow(&c.boxes, len(some))
	for i := range some {
		if len(met) >= piecePairs {
			break
		}
		boxes[i] = some[i].boxes()
		e.tested += i
		for j := range boxes[:i] {
			if e.overlap(&boxes[i], &boxes[j]) {
				met = append(met, [2]int32{int32(i), int32(j)})
			}
		}
	}
	c.met, e.met[0] = met, float64(len(met))
	n := min(len(met), piecePairs)
	for i := range n {
		x := met[i*len(met)/n]
		e.most = min(pieceTests, pieceFirst+2*pieceTests*(i+1)/n)
		if e.halves(&some[x[0]], &some[x[1]], 1); e.tests >= e.most {
			return false
		}
	}
	e.scale = float64(len(met)) / float64(max(n, 1))
	return n > 0
}

// halves counts the overlaps of the pieces of two pieces, from a depth on.
func (e *pieceEstimate) halves(a, b *outline, depth int) {
	if depth > pieceDepth || e.tests >= e.most {
		return
	}
	s := math.Ldexp(e.longer, -depth)
	as, n := a.halved(s)
	bs, m := b.halved(s)
	of := [2]edgeBoxes{bs[0].boxes(), bs[1].boxes()}
	for i := range n {
		box := as[i].boxes()
		for j := range m {
			if e.tests++; e.overlap(&box, &of[j]) {
				e.met[depth]++
				e.halves(&as[i], &bs[j], depth+1)
			}
		}
	}
}

// halved returns the halves of an edge that is longer than s, or the edge, and how many these are.
func (o *outline) halved(s float64) (out [2]outline, n int) {
	if o.length() <= s {
		out[0] = *o
		return out, 1
	}
	for end := range 2 {
		a, b := o.at[end], o.at[2+end]
		m := geom.Vec{(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2}
		out[0].at[end], out[0].at[2+end], out[1].at[end], out[1].at[2+end] = a, m, m, b
	}
	out[0].n, out[1].n = 4, 4
	return out, 2
}

// edgeBoxes are the boxes of an edge at both ends.
type edgeBoxes struct{ lo, hi [2]geom.Vec }

// boxes returns the boxes of an edge.
func (o *outline) boxes() (b edgeBoxes) {
	for end := range 2 {
		for k := range 3 {
			x, y := o.at[end][k], o.at[2+end][k]
			b.lo[end][k], b.hi[end][k] = min(x, y), max(x, y)
		}
	}
	return b
}

// overlap reports whether the boxes of two edges overlap on every axis at an end, or change sides
// between.
func (e *pieceEstimate) overlap(a, b *edgeBoxes) bool {
	for k := range 3 {
		if a.lo[0][k] > b.hi[0][k]+e.reach && a.lo[1][k] > b.hi[1][k]+e.reach || b.lo[0][k] > a.hi[0][k]+e.reach &&
			b.lo[1][k] > a.hi[1][k]+e.reach {
			return false
		}
	}
	return true
}
