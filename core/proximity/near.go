package proximity

import (
	"cmp"
	"fmt"
	"slices"
	"unsafe"

	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/status"
)

// NearPair is the distance of a pair. Its layout is that of ccd_near_pair: 104 bytes, no hidden padding.
//
// The distance is that of the surfaces: of the primitives themselves, less their radii (mesh.Radii), and 0 where they overlap. U, V and the
// points are those of the primitives themselves, the centre points, lines and faces.
//
// Laws:
//  1. The distance is in [Lo, Hi].
//  2. Both are 0 if and only if the primitives touch or overlap.
//  3. Hi - Lo <= 2^-24 Hi, unless Lo and Hi are neighbours. With radii: Hi - Lo <= 2^-23 (Hi + r_a + r_b), and neighbours' roundings.
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

// Near returns every allowed pair with Lo <= d where the vertices of m are at x, sorted by (kind, a, b). It contains all pairs at
// a distance of at most d, and none beyond d (1 + 2^-23); with radii none beyond d + 2^-22 (d + r_a + r_b).
func Near(m *mesh.Mesh, x []float64, d float64, o *Options) ([]NearPair, error) {
	if !(d >= 0) || d > geom.MaxCoordinate {
		return nil, fmt.Errorf("d is %v: must be in [0, %v]: %w", d, geom.MaxCoordinate, status.ErrArgument)
	}
	s, err := start(m, x, o)
	if err != nil {
		return nil, err
	}
	s.lists, s.radii = true, m.Filter().Radii()
	if err := s.radii.Check(d); err != nil {
		return nil, err
	}
	starts := 8 * (max(m.NV, len(m.Edges)) + 1) // memory of gather without the pairs
	if !s.Budget.Take(int64(starts)) {
		return nil, s.Budget.Err()
	}
	err = s.all(d, false, func(w *worker, k geom.Kind, pairs [][2]int32) {
		var n NearPair
		s.eachNear(w, k, pairs, func() float64 { return d }, func(p [2]int32) {
			if s.measure(w, k, p[0], p[1], d, &n) {
				w.near.Add(&n, &s.Budget, 2*nearBytes+int(unsafe.Sizeof(sortKey{})))
			}
		})
	})
	if err != nil {
		return nil, err
	}
	all := s.gather()
	if err := s.finish(len(all)); err != nil {
		return nil, err
	}
	return all, nil
}

const nearBytes = int(unsafe.Sizeof(NearPair{}))

// sortKey is the position of a near pair in a worker's list, and its b.
type sortKey struct {
	b, worker int32
	at        int
}

// gather merges the pairs of all workers, in order: for each kind a counting sort by a, and then a sort of the few pairs of each a
// by b. It sorts keys, which have a sixth of a pair's size.
func (s *scan) gather() []NearPair {
	var count [geom.EdgeFace]int
	for _, w := range s.workers {
		for i := range w.near.Len() {
			count[w.near.At(i).Kind-1]++
		}
	}
	all := make([]NearPair, 0, count[0]+count[1]+count[2]+count[3])
	for _, k := range geom.StepKinds {
		if count[k-1] == 0 {
			continue
		}
		start, keys := make([]int, max(s.m.NV, len(s.m.Edges))+1), make([]sortKey, count[k-1])
		each := func(visit func(who int32, at int, n *NearPair)) {
			for who, w := range s.workers {
				for i := range w.near.Len() {
					if n := w.near.At(i); n.Kind == k {
						visit(int32(who), i, n)
					}
				}
			}
		}
		each(func(_ int32, _ int, n *NearPair) { start[n.A+1]++ })
		for a := range len(start) - 1 {
			start[a+1] += start[a]
		}
		each(func(who int32, at int, n *NearPair) {
			keys[start[n.A]] = sortKey{int32(n.B), who, at}
			start[n.A]++ // at last the end of a's keys, where those of a+1 begin
		})
		from := 0
		for _, to := range start {
			slices.SortFunc(keys[from:to], func(x, y sortKey) int { return cmp.Compare(x.b, y.b) })
			from = to
		}
		for _, p := range keys {
			all = append(all, *s.workers[p.worker].near.At(p.at))
		}
	}
	return all
}

// byPair compares pairs by (kind, a, b).
func byPair(x, y NearPair) int {
	return cmp.Or(cmp.Compare(x.Kind, y.Kind), cmp.Compare(x.A, y.A), cmp.Compare(x.B, y.B))
}
