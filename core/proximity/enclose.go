package proximity

import (
	"math"

	"ccd/core/geom"
	"ccd/core/num"
)

// enclose fills the distance of the pair whose points are in w.query, and its nearest points: in floats where that gives a
// tight enclosure, else exactly. With floats alone it is content when they prove that the distance exceeds d; then Lo > d, as
// it would be in full.
func (w *worker) enclose(k geom.Kind, d float64, out *NearPair) {
	h := &w.convex
	h.load(k, &w.query)
	if !h.nothing && h.exp > -900 {
		c := h.centroid()
		lo := h.below(&c)
		if out.Lo = h.length(lo); out.Lo > d {
			return
		}
		s := h.nearest()
		lo, hi, ok := h.floats(&s, lo)
		out.Lo, out.Hi = h.length(lo), h.length(hi)
		if ok || out.Lo > d {
			out.U, out.V = s.u, s.v
			out.place(&w.query)
			return
		}
	}
	copy(w.query[3*k.Points():], w.query[:3*k.Points()]) // at rest
	w.exactly(k, out)
	if k.Info().Domain == geom.Triangle { // rounding must not leave the domain
		out.V = min(out.V, num.SubDown(1, out.U))
	}
	out.place(&w.query)
}

// length is a length in the input's units.
func (h *convex) length(x float64) float64 {
	if h.exp == 0 {
		return x
	}
	return math.Ldexp(x, h.exp)
}

// exactly tests first whether the pair touches, which mostly takes a microsecond, and only then finds the distance in integers.
func (w *worker) exactly(k geom.Kind, out *NearPair) {
	var im geom.Impact
	if w.resolver.Resolve(k, w.query[:k.Len()], 1, &im); im.Verdict == geom.Contact {
		out.Lo, out.Hi, out.U, out.V = 0, 0, im.U, im.V
		return
	}
	n := nearestOf(k, w.query[:3*k.Points()])
	out.Lo, out.Hi = n.enclose()
	out.U, out.V = n.parameters()
}

// place fills the nearest points from the parameters.
func (n *NearPair) place(q *[24]float64) { n.PointA, n.PointB = places[n.Kind](q, n.U, n.V) }

// places are the nearest points by kind: the vertices themselves at the ends of an edge.
var places = [...]func(q *[24]float64, u, v float64) (a, b vec){
	geom.VertexFace: func(q *[24]float64, u, v float64) (vec, vec) { return *point(q, 0), onFace(q, u, v) },
	geom.EdgeEdge: func(q *[24]float64, u, v float64) (vec, vec) {
		return between(point(q, 0), point(q, 1), u), between(point(q, 2), point(q, 3), v)
	},
	geom.PointEdge: func(q *[24]float64, u, _ float64) (vec, vec) {
		return *point(q, 0), between(point(q, 1), point(q, 2), u)
	},
	geom.PointPoint: func(q *[24]float64, _, _ float64) (vec, vec) { return *point(q, 0), *point(q, 1) },
}

func point(q *[24]float64, i int) *vec { return (*vec)(q[3*i:]) }

func between(a, b *vec, t float64) (x vec) {
	if t == 1 {
		return *b
	}
	for k := range 3 {
		x[k] = a[k] + float64(t*(b[k]-a[k]))
	}
	return x
}

// onFace is the point of the face of a vertex-face query.
func onFace(q *[24]float64, u, v float64) (x vec) {
	a, b, c := point(q, 1), point(q, 2), point(q, 3)
	switch {
	case u == 1:
		return *b
	case v == 1:
		return *c
	}
	for k := range 3 {
		x[k] = a[k] + float64(u*(b[k]-a[k])) + float64(v*(c[k]-a[k]))
	}
	return x
}
