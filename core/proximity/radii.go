package proximity

import (
	"math"

	"ccd/core/exact"
	"ccd/core/geom"
	"ccd/core/num"
)

// Distances with radii: that of the surfaces, |p_a - p_b| - radius(a) - radius(b), and 0 where they
// touch or overlap.

// measure writes the distance of a pair to out and reports whether it may be at most d.
//
// The pair is dropped if lo, of its centers, exceeds cut, the least double not below d + r_a + r_b;
// hence if it is more than d + r_a + r_b. If it is measured nevertheless, lo - r_a - r_b > d, so
// its Lo is at least d: which pairs are dropped changes no least Lo (Distance).
func (s *scan) measure(w *worker, k geom.Kind, a, b int32, d float64, out *NearPair) bool {
	*out = NearPair{Kind: k, A: int64(a), B: int64(b)}
	s.load(w, out)
	cut := s.cut(out, d)
	w.enclose(k, cut, out)
	return out.Lo <= cut && s.thick(w, out, d)
}

// load copies the points of a pair to w.query.
func (s *scan) load(w *worker, n *NearPair) {
	v := s.m.Indices(n.Kind, int32(n.A), int32(n.B))
	for i := range n.Kind.Points() {
		copy(w.query[3*i:3*i+3], s.mo.Rec[8*int(v[i]):])
	}
}

// radiiOf returns the radii of a pair's primitives.
func (s *scan) radiiOf(n *NearPair) (ra, rb float64) {
	if s.radii == nil {
		return 0, 0
	}
	shapes := &n.Kind.Info().Shapes
	return s.radii.Of(shapes[0], int32(n.A)), s.radii.Of(shapes[1], int32(n.B))
}

// cut returns the distance of a pair's centers beyond which it is dropped.
func (s *scan) cut(n *NearPair, d float64) float64 {
	ra, rb := s.radiiOf(n)
	return centerDistance(ra, rb, d)
}

// thick makes the distance of a pair's centers that of its surfaces, and reports whether it may be
// at most d.
func (s *scan) thick(w *worker, n *NearPair, d float64) bool {
	if ra, rb := s.radiiOf(n); ra != 0 || rb != 0 {
		s.load(w, n)
		w.subtract(n.Kind, ra, rb, n)
	}
	return n.Lo <= d
}

// centerDistance returns the least double not below d + ra + rb: what centers are apart where
// surfaces are d apart.
func centerDistance(ra, rb, d float64) float64 {
	if math.IsInf(d, 0) || ra == 0 && rb == 0 {
		return d
	}
	return num.AddUp3(ra, rb, d)
}

// subtract makes the distance of the centers that of the surfaces: both ends are rounded outwards,
// and both are 0 if and only if the exact distance is at most r_a + r_b.
func (w *worker) subtract(k geom.Kind, ra, rb float64, out *NearPair) {
	lo, hi := num.AddDown3(-ra, -rb, out.Lo), num.AddUp3(-ra, -rb, out.Hi)
	apart := num.AddUp3(-ra, -rb, out.Lo) > 0
	if hi <= 0 || !apart && exact.NearestOf(k, w.query[:3*k.Points()]).Within(ra, rb) {
		out.Lo, out.Hi = 0, 0
		return
	}
	out.Lo, out.Hi = max(lo, 0), hi
}
