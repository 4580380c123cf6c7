package proximity

import (
	"cmp"

	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/status"
)

// NearPair is the distance of a pair. Its layout is that of ccd_near_pair: 104 bytes, no hidden
// padding.
//
// The distance is that of the surfaces: of the primitives themselves, less their radii
// (mesh.Radii), and 0 where they overlap. U, V and the points are those of the primitives
// themselves, the center points, lines and faces.
//
// Laws:
//  1. The distance is in [Lo, Hi].
//  2. Both are 0 if and only if the primitives touch or overlap.
//  3. Hi - Lo <= 2^-24 Hi, unless Lo and Hi are neighbors. With radii: Hi - Lo <= 2^-23 (Hi + r_a +
//     r_b), and neighbors' roundings.
//  4. The bits do not depend on the other pairs of the call.
type NearPair struct {
	Kind     geom.Kind
	Reserved int32
	A, B     int64
	Lo, Hi   float64
	U, V     float64    // parameters of nearest points, as in geom.Impact
	PointA   [3]float64 // nearest points, rounded
	PointB   [3]float64
}

// Near returns every allowed pair with Lo <= d where the vertices of m are at x, sorted by (kind,
// a, b). It contains all pairs at a distance of at most d, and none beyond d (1 + 2^-23); with
// radii none beyond d + 2^-22 (d + r_a + r_b).
func Near(m *mesh.Mesh, x []float64, d float64, o *Options) ([]NearPair, error) {
	if !(d >= 0) || d > geom.MaxCoordinate {
		return nil, status.Errorf(status.ErrArgument, "d is %v: must be in [0, 1e150]", d)
	}
	s, err := startPart(m, x, o)
	if err != nil {
		return nil, err
	}
	defer s.end()
	s.lists, s.near, s.radii = true, true, m.Filter().Radii()
	s.Progress.Reserve()
	if err := s.radii.CheckDistance("d", d); err != nil {
		return nil, err
	}
	starts := 8 * (max(m.NV, len(m.Edges)) + 1) // memory of gather without the pairs
	if !s.Budget.Take(int64(starts)) {
		return nil, s.Budget.Err()
	}
	if err := s.inside.use(s, true, true); err != nil {
		return nil, err
	}
	err = s.all(d, false, func(w *worker, k geom.Kind, pairs [][2]int32) {
		s.eachNear(w, k, pairs, func() float64 { return d }, func(n *NearPair) { w.near[k-1].add(n, &s.Budget) })
	})
	if err != nil {
		return nil, err
	}
	all, err := s.gather()
	if err != nil {
		return nil, err
	}
	if err := s.finish(len(all)); err != nil {
		return nil, err
	}
	return all, nil
}

// beyond is by how much a pair that Near returns may be farther apart than its separation: the
// distance of its surfaces is at most Hi, which law 3 bounds where Lo is at most d. Here is more,
// for the roundings, and for the least doubles.
func beyond(d, radius float64) float64 {
	return float64(0x1p-21*d) + float64(0x1p-20*radius) + 0x1p-1060
}

// byPair compares pairs by (kind, a, b).
func byPair(x, y NearPair) int {
	return cmp.Or(cmp.Compare(x.Kind, y.Kind), cmp.Compare(x.A, y.A), cmp.Compare(x.B, y.B))
}
