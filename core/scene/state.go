package scene

import (
	"cmp"
	"slices"

	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/proximity"
)

// state is what is known of the edges and faces that share a point at the positions of the scene.
//
// Law 2 of the package: let U be the unknown vertices. An allowed edge and face without a common
// vertex and without a vertex in U share a point if and only if they are in crossings. Proof. After
// Reset U has all vertices. A commit of a proven motion changes no pair, if keeps: a pair without a
// moving vertex rests, and law 10 holds for the others. (The pairs of law 10 that the call skipped
// have no vertex that moves: they are at rest. Pairs of static vertices do not move, because static
// vertices do not.) Any other commit adds the vertices whose positions change to U and takes their
// pairs from the list. Check lists the pairs with a vertex in U and empties it.
type state struct {
	loses     int        // parts for whose filters law 10 does not hold
	unknown   []bool     // unknown[v] is true if vertex v is in U; false for numbers that no vertex has
	count     int        // the number of vertices in U
	crossings [][2]int32 // edge and face, sorted
}

// add makes the vertices of a part unknown that is new in the scene.
func (t *state) add(p *mesh.Piece) {
	if !p.Filter.KeepsCrossings() {
		t.loses++
	}
	from, to := int(p.First(geom.Vertex)), int(p.First(geom.Vertex))+p.Count(geom.Vertex)
	if len(t.unknown) < to {
		t.unknown = append(t.unknown, make([]bool, to-len(t.unknown))...)
	}
	for v := from; v < to; v++ {
		t.unknown[v] = true
	}
	t.count += p.Count(geom.Vertex)
}

// remove forgets a part.
func (t *state) remove(p *mesh.Piece) {
	if !p.Filter.KeepsCrossings() {
		t.loses--
	}
	first := int(p.First(geom.Vertex))
	for v := first; v < first+p.Count(geom.Vertex); v++ {
		if t.unknown[v] {
			t.unknown[v] = false
			t.count--
		}
	}
	t.crossings = slices.DeleteFunc(t.crossings, func(c [2]int32) bool {
		return p.Has(geom.Edge, c[0]) || p.Has(geom.Face, c[1])
	})
}

// forget makes all vertices unknown.
func (t *state) forget(parts *mesh.Assembly) {
	t.count, t.crossings = 0, t.crossings[:0]
	for _, p := range parts.Pieces() {
		first := int(p.First(geom.Vertex))
		for v := first; v < first+p.Count(geom.Vertex); v++ {
			t.unknown[v] = true
		}
		t.count += p.Count(geom.Vertex)
	}
}

// change makes the vertices unknown whose positions in x are not the rows of to.
func (t *state) change(parts *mesh.Assembly, moved []int32, x, to []float64) {
	for i, v := range moved {
		if [3]float64(x[3*v:]) != [3]float64(to[3*i:]) && !t.unknown[v] {
			t.unknown[v] = true
			t.count++
		}
	}
	t.crossings = slices.DeleteFunc(t.crossings, func(p [2]int32) bool {
		return anyOf(parts, p, func(v int32) bool { return t.unknown[v] })
	})
}

// none reports whether it is known that no crossing has a vertex in moved.
func (t *state) none(parts *mesh.Assembly, moved []int32) bool {
	if t.count > 0 {
		return false
	}
	return !slices.ContainsFunc(t.crossings, func(p [2]int32) bool {
		return anyOf(parts, p, func(v int32) bool {
			_, found := slices.BinarySearch(moved, v)
			return found
		})
	})
}

// anyOf reports whether a vertex of an edge or a face satisfies f.
func anyOf(parts *mesh.Assembly, p [2]int32, f func(v int32) bool) bool {
	e, t := parts.Edge(p[0]), parts.Face(p[1])
	return slices.ContainsFunc(e[:], f) || slices.ContainsFunc(t[:], f)
}

// State returns the number of vertices of which it is known which edge-face pairs with them share a
// point, and the number of those pairs. If all vertices are known, it is the number of all pairs
// that do.
func (s *Scene) State() (known, crossings int) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.parts.Count(geom.Vertex) - s.state.count, len(s.state.crossings)
}

// Check tests the edges and faces of the vertices whose state is unknown: the pairs of
// proximity.Intersections of kind geom.EdgeFace. Then the state is known, and stays so over proven
// commits.
func (s *Scene) Check(o *engine.CallOptions) error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if err := s.stale(); err != nil {
		return err
	}
	if o == nil {
		o = &engine.CallOptions{}
	}
	var moved []int32
	for v, unknown := range s.state.unknown {
		if unknown {
			moved = append(moved, int32(v))
		}
	}
	x := make([]float64, 3*len(moved))
	s.copyRows(moved, x)
	s.view.kept = false
	// Static vertices move in this view.
	defer func() { s.view.kept = false }()
	// Static ones too: they may have been placed elsewhere.
	v, own, err := s.view.of(s, moved, x, func(int32) bool { return true }, 0, false, o)
	if err != nil {
		return err
	}
	found, err := proximity.Intersections(v.m, v.x0, &proximity.Options{CallOptions: own})
	if err != nil {
		return err
	}
	for _, f := range found {
		im := geom.Impact{Kind: f.Kind, A: f.A, B: f.B}
		v.name(&im)
		if p := [2]int32{int32(im.A), int32(im.B)}; f.Kind == geom.EdgeFace && s.parts.Allows(f.Kind, p[0], p[1]) {
			s.state.crossings = append(s.state.crossings, p)
		}
	}
	slices.SortFunc(s.state.crossings, func(p, q [2]int32) int {
		return cmp.Or(cmp.Compare(p[0], q[0]), cmp.Compare(p[1], q[1]))
	})
	clear(s.state.unknown)
	s.state.count = 0
	return nil
}
