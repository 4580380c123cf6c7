package volume

import (
	"ccd/core/geom"
	"cmp"
)

// bruteForce tests every pair of the universe, of the wanted classes and features, without boxes.
// It is the reference implementation of the tree.
func (s *Scene) bruteForce(emit emitter) error {
	s.classify()
	v, w := s.v, s.workers[0]
	vertex, edge := []bool(nil), []bool(nil)
	if s.o.Surface {
		vertex, edge = v.Surface()
	}
	w.begin(s, emit, nil)
	w.chosen.grow(batch)
	w.chosen.n = 0
	s.call.Progress.Part(int64(v.NV+len(v.Edges)), 1)
	for a := range v.NV {
		if v.VertexOwner[a] < 0 || vertex != nil && !vertex[a] {
			continue
		}
		for b := range v.Faces {
			f := &v.Faces[b]
			if v.FaceOwner[b] < 0 || s.o.Surface && !v.OnSurface(int32(b)) || int32(a) == f[0] || int32(a) == f[1] ||
				int32(a) == f[2] {
				continue
			}
			w.testPair(geom.VertexFace, int32(a), int32(b), [4]int32{int32(a), f[0], f[1], f[2]})
		}
		s.call.Progress.Pass(1)
		if err := cmp.Or(s.call.Progress.Err(), s.call.Budget.Err()); err != nil {
			return err
		}
	}
	w.testChosen(geom.VertexFace, nil, nil)
	w.chosen.n = 0
	for a := range v.Edges {
		e := &v.Edges[a]
		if v.EdgeOwner[a] < 0 || edge != nil && !edge[a] {
			continue
		}
		for b := range a {
			g := &v.Edges[b]
			if v.EdgeOwner[b] < 0 || edge != nil && !edge[b] || e[0] == g[0] || e[0] == g[1] || e[1] == g[0] ||
				e[1] == g[1] {
				continue
			}
			w.testPair(geom.EdgeEdge, int32(a), int32(b), [4]int32{e[0], e[1], g[0], g[1]})
		}
		s.call.Progress.Pass(1)
		if err := cmp.Or(s.call.Progress.Err(), s.call.Budget.Err()); err != nil {
			return err
		}
	}
	w.testChosen(geom.EdgeEdge, nil, nil)
	w.sort()
	return nil
}

// testPair adds a pair of features to the batch, and tests the batch when it is full.
func (w *worker) testPair(kind geom.Kind, a, b int32, q [4]int32) {
	c := &w.chosen
	if kind.Info().Symmetric() && inOrder(&q) {
		a, b = b, a
	}
	c.idx[c.n], c.lanes[c.n] = q, [2]int32{a, b}
	if c.n++; c.n == batch {
		w.testChosen(kind, nil, nil)
		c.n = 0
	}
}
