package mesh

import (
	"slices"

	"ccd/core/geom"
	"ccd/core/status"
)

// MostRings is the largest number of rings: a vertex of a regular triangle mesh has 3 k (k + 1)
// others within k.
const MostRings = 64

// rings finds the vertices within some edges of others.
type rings struct {
	m       *Mesh
	edges   *table
	seen    []int32 // the number of the search that reached each vertex last
	search  int32
	reached []int32 // the vertices of the last search, those that it began at first
}

func newRings(m *Mesh) *rings {
	at := newTable(m.NV, 2*len(m.Edges), func(i int) (int32, uint64) { return m.Edges[i/2][i%2], uint64(i / 2) })
	return &rings{m: m, edges: at, seen: make([]int32, m.NV)}
}

// from searches from some vertices, by at most n edges.
func (r *rings) from(start []int32, n int) {
	r.search++
	r.reached = r.reached[:0]
	add := func(v int32) {
		if r.seen[v] != r.search {
			r.seen[v] = r.search
			r.reached = append(r.reached, v)
		}
	}
	for _, v := range start {
		add(v)
	}
	for first := 0; n > 0 && first < len(r.reached); n-- {
		last := len(r.reached)
		for _, v := range r.reached[first:last] {
			for _, e := range r.edges.group(v) {
				ends := r.m.Edges[e.key]
				add(ends[0] + ends[1] - v)
			}
		}
		first = last
	}
}

// has reports whether one of some vertices was reached.
func (r *rings) has(vertices []int32) bool {
	return slices.ContainsFunc(vertices, func(v int32) bool { return r.seen[v] == r.search })
}

// RingsBetween returns the least number of edges from one of some vertices to one of others, or -1
// if it is above MostRings.
func (m *Mesh) RingsBetween(a, b []int32) int32 {
	r := newRings(m)
	for n := range MostRings + 1 {
		if r.from(a, n); r.has(b) {
			return int32(n)
		}
	}
	return -1
}

// VerticesOf returns the vertices of a primitive.
func (m *Mesh) VerticesOf(s geom.Shape, i int32) []int32 {
	var v [3]int32
	m.vertices(s, i, v[:])
	return append([]int32(nil), v[:s.Vertices()]...)
}

// PairQuery returns the query of a pair of primitives whose vertices go from x0 to x1, as Kind
// orders it, and their radii; nothing if the kind is 0.
func (m *Mesh) PairQuery(k geom.Kind, a, b int32, x0, x1 []float64) (q []float64, radii [2]float64) {
	if k == 0 {
		return nil, radii
	}
	shapes, vertices := k.Info().Shapes, m.PairVertices(k, a, b)
	q = make([]float64, 0, k.Len())
	for _, x := range [2][]float64{x0, x1} {
		for _, v := range vertices {
			q = append(q, x[3*v:3*v+3]...)
		}
	}
	of := m.Filter().Radii()
	return q, [2]float64{of.Of(shapes[0], a), of.Of(shapes[1], b)}
}

// PairVertices returns the vertices of a pair of primitives, as Kind orders them.
func (m *Mesh) PairVertices(k geom.Kind, a, b int32) []int32 {
	shapes := k.Info().Shapes
	return append(m.VerticesOf(shapes[0], a), m.VerticesOf(shapes[1], b)...)
}

// Within returns the pairs of a kind of which a vertex of one primitive is within n edges of a
// vertex of the other. Pairs with the same first primitive cost least one after the other.
func (m *Mesh) Within(k geom.Kind, pairs [][2]int64, n int) (near [][2]int64) {
	r, last := newRings(m), int64(-1)
	split, points := k.Info().Split, k.Info().Points
	for _, p := range pairs {
		v := m.Indices(k, int32(p[0]), int32(p[1]))
		if p[0] != last {
			r.from(v[:split], n)
			last = p[0]
		}
		if r.has(v[split:points]) {
			near = append(near, p)
		}
	}
	return near
}

// RingPairs returns the vertex-face, edge-edge or point-edge pairs that share no vertex, of which a
// vertex of one primitive is within n edges of a vertex of the other. Point-point pairs have no
// edges between them.
func (m *Mesh) RingPairs(k geom.Kind, n int) (near [][2]int64) {
	if k == geom.PointPoint {
		return nil
	}
	second := k.Info().Shapes[1]
	width := second.Vertices()
	at := newTable(m.NV, width*m.Count(second), func(i int) (int32, uint64) {
		var v [3]int32
		m.vertices(second, int32(i/width), v[:])
		return v[i%width], uint64(i / width)
	})
	r, found := newRings(m), make([]int32, m.Count(second))
	for a := range int32(m.Count(k.Info().Shapes[0])) {
		if _, isPoint := slices.BinarySearch(m.EdgePoints, a); k == geom.PointEdge && !isPoint {
			continue
		}
		var start [3]int32
		m.vertices(k.Info().Shapes[0], a, start[:])
		r.from(start[:k.Info().Split], n)
		for _, v := range r.reached {
			for _, x := range at.group(v) {
				b := int32(x.key)
				if found[b] == a+1 || k == geom.EdgeEdge && b <= a || !m.apart(k, a, b) {
					continue
				}
				if _, isRod := slices.BinarySearch(m.CodimEdges, b); k == geom.PointEdge && !isRod {
					continue
				}
				found[b] = a + 1
				near = append(near, [2]int64{int64(a), int64(b)})
			}
		}
	}
	return near
}

// AddExcluded excludes these pairs of a kind beside those that are excluded, and returns how many
// of them were not. Each must be one of the mesh.
func (m *Mesh) AddExcluded(k geom.Kind, pairs [][2]int64) (added int) {
	if len(pairs) == 0 {
		return 0
	}
	keys := make([]uint64, 0, len(pairs))
	for _, p := range pairs {
		keys = append(keys, pack(k, int32(p[0]), int32(p[1])))
	}
	m.change(func(f *Filter) {
		all := slices.Concat(f.excluded[k], keys)
		slices.Sort(all)
		all = slices.Compact(all)
		added = len(all) - len(f.excluded[k])
		f.excluded[k] = all
	})
	return added
}

// CheckRings reports a number of rings that is out of range.
func CheckRings(n int32) error {
	if n < 0 || n > MostRings {
		return status.Errorf(status.ErrArgument, "rings is %d: must be 0 to %d", n, MostRings)
	}
	return nil
}
