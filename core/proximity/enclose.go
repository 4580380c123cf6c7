package proximity

import (
	"math"

	"ccd/core/exact"
	"ccd/core/geom"
	"ccd/core/num"
)

// enclose computes the distance of the pair whose points are in w.query, and its nearest points: in
// floats where that gives a tight enclosure, else exactly. It stops as soon as floats prove that
// the distance exceeds d; then Lo > d, as in the full result.
func (w *worker) enclose(k geom.Kind, d float64, out *NearPair) {
	h := &w.convex
	h.load(k, &w.query)
	if !h.zero && h.exp > -900 {
		c := h.centroid()
		lo := h.lowerBound(&c)
		if out.Lo = h.length(lo); out.Lo > d {
			return
		}
		s := h.nearest()
		lo, hi, ok := h.encloseFloats(&s, lo)
		out.Lo, out.Hi = h.length(lo), h.length(hi)
		if ok || out.Lo > d {
			out.U, out.V = s.u, s.v
			out.place(w.points())
			return
		}
	}
	copy(w.query[3*k.Points():], w.query[:3*k.Points()]) // The points are at rest.
	w.exactly(k, out)
	if k.Info().Domain == geom.Triangle { // Rounding must not move (u, v) out of the domain.
		out.V = min(out.V, num.SubDown(1, out.U))
	}
	out.place(w.points())
}

// length converts a length to the unit of the input.
func (h *convex) length(x float64) float64 {
	if h.exp == 0 {
		return x
	}
	return math.Ldexp(x, h.exp)
}

// exactly first tests whether the pair touches, which mostly takes a microsecond, and only then
// computes the distance in integers.
func (w *worker) exactly(k geom.Kind, out *NearPair) {
	var im geom.Impact
	if w.resolver.Resolve(k, w.query[:k.Len()], 1, &im); im.Verdict == geom.Contact {
		out.Lo, out.Hi, out.U, out.V = 0, 0, im.U, im.V
		return
	}
	n := exact.NearestOf(k, w.query[:3*k.Points()])
	out.Lo, out.Hi = n.Enclose()
	out.U, out.V = n.Parameters()
}

// points returns the points of the query.
func (w *worker) points() *[4]*geom.Vec {
	q := &w.query
	return &[4]*geom.Vec{(*geom.Vec)(q[:]), (*geom.Vec)(q[3:]), (*geom.Vec)(q[6:]), (*geom.Vec)(q[9:])}
}

// place computes the nearest points from the parameters and the points of the pair: the vertices
// themselves at the ends of an edge. It is a switch because a table of functions that return two
// points costs a tenth of enclose.
func (n *NearPair) place(p *[4]*geom.Vec) {
	between := func(a, b *geom.Vec, t float64) (x geom.Vec) {
		if t == 1 {
			return *b
		}
		for k := range 3 {
			x[k] = a[k] + float64(t*(b[k]-a[k]))
		}
		return x
	}
	n.PointA = *p[0]
	switch n.Kind {
	case geom.VertexFace:
		a, b, c := p[1], p[2], p[3]
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
		n.PointA, n.PointB = between(p[0], p[1], n.U), between(p[2], p[3], n.V)
	case geom.PointEdge:
		n.PointB = between(p[1], p[2], n.U)
	case geom.PointPoint:
		n.PointB = *p[1]
	default:
		panic("proximity: " + n.Kind.String())
	}
}
