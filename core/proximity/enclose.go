package proximity

import (
	"math"

	"ccd/core/geom"
	"ccd/core/num"
)

// enclose fills the distance of the pair in w.query, at rest, and its nearest points: in floats where that gives a tight
// enclosure, else exactly. With floats alone it is content when they prove that the distance exceeds d.
func (w *worker) enclose(k geom.Kind, d float64, out *NearPair) {
	h := &w.convex
	h.load(k, &w.query)
	if !h.nothing && h.exp > -900 {
		s := h.nearest()
		lo, hi, ok := h.floats(&s)
		out.Lo, out.Hi = math.Ldexp(lo, h.exp), math.Ldexp(hi, h.exp)
		if ok || out.Lo > d {
			out.U, out.V = s.u, s.v
			out.place(&w.query)
			return
		}
	}
	w.exactly(k, out)
	if k == geom.VertexFace { // rounding must not leave the domain
		out.V = math.Min(out.V, num.SubDown(1, out.U))
	}
	out.place(&w.query)
}

// exactly asks first whether the pair touches, which takes a microsecond, and only then the judge.
func (w *worker) exactly(k geom.Kind, out *NearPair) {
	var im geom.Impact
	if w.resolver.Resolve(k, w.query[:k.Len()], 1, &im); im.Verdict == geom.Contact {
		out.Lo, out.Hi, out.U, out.V = 0, 0, im.U, im.V
		return
	}
	t := Judge(k, w.query[:3*k.Points()])
	out.Lo, out.Hi = t.Enclose()
	out.U, _ = t.U.Float64()
	out.V, _ = t.V.Float64()
}

// place fills the nearest points from the parameters: the vertices themselves at the ends of an edge.
func (n *NearPair) place(q *[24]float64) {
	p := func(i int) *vec { return (*vec)(q[3*i:]) }
	between := func(a, b *vec, t float64) (x vec) {
		if t == 1 {
			return *b
		}
		for k := range 3 {
			x[k] = a[k] + float64(t*(b[k]-a[k]))
		}
		return x
	}
	n.PointA = *p(0)
	switch n.Kind {
	case geom.VertexFace:
		a, b, c := p(1), p(2), p(3)
		switch {
		case n.U == 1:
			n.PointB = *b
		case n.V == 1:
			n.PointB = *c
		default:
			for k := range 3 {
				n.PointB[k] = a[k] + float64(n.U*(b[k]-a[k])) + float64(n.V*(c[k]-a[k]))
			}
		}
	case geom.EdgeEdge:
		n.PointA, n.PointB = between(p(0), p(1), n.U), between(p(2), p(3), n.V)
	case geom.PointEdge:
		n.PointB = between(p(1), p(2), n.U)
	default:
		n.PointB = *p(1)
	}
}

// gap is the distance of the boxes of a pair, rounded down: a bound on the distance of the pair from below.
//
// Differences err by u, squares by u more, the sum by 2u, the root by u, so 8u is enough. Where squares underflow the result
// is too small, which is no harm.
func (s *scan) gap(k geom.Kind, a, b int32) float64 {
	v := s.m.Indices(k, a, b)
	n := 1
	if k == geom.EdgeEdge {
		n = 2
	}
	var sum float64
	for i := range 3 {
		lo, hi := [2]float64{math.Inf(1), math.Inf(1)}, [2]float64{math.Inf(-1), math.Inf(-1)}
		for j, vertex := range v {
			side := 0
			if j >= n {
				side = 1
			}
			x := s.mo.Rec[8*int(vertex)+i]
			lo[side], hi[side] = min(lo[side], x), max(hi[side], x)
		}
		g := max(lo[0]-hi[1], lo[1]-hi[0], 0)
		sum += float64(g * g)
	}
	return math.Sqrt(sum) * (1 - 8*0x1p-53)
}
