package scene

import (
	"cmp"
	"math"
	"slices"

	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/status"
)

// PartInfo says which numbers the primitives of a part have in the scene: primitive i of its mesh
// has the number First + i.
type PartInfo struct {
	ID                                int64
	FirstVertex, FirstEdge, FirstFace int64
	VertexCount, EdgeCount, FaceCount int64
}

// Add adds the mesh m to the scene with vertex i at x[i], as a part. It takes the filters and radii
// that the mesh has now; later changes do not concern the part. Nothing is known of what its edges
// and faces intersect, and no motion is proven any more.
//
// Numbers of the part follow those of the others, or fill the first gap that a removed part has
// left, if all of them fit there. They do not change while the part is there. Groups belong to the
// part: its vertices share none with others.
func (s *Scene) Add(m *mesh.Mesh, x []float64) (PartInfo, error) {
	if len(x) != 3*m.NV {
		return PartInfo{}, status.Errorf(status.ErrArgument, "x has %d coordinates; the mesh has %d vertices, so %d",
			len(x), m.NV, 3*m.NV)
	}
	if i := firstBad(x); i >= 0 {
		return PartInfo{}, badCoordinate("x", x, i)
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	p, err := s.parts.Add(m)
	if err != nil {
		return PartInfo{}, err
	}
	s.x = atLeast(s.x, 3*s.parts.Extent(geom.Vertex))
	from, to := rowsOf(p)
	copy(s.x[from:to], x)
	id := s.next
	s.next++
	s.ids[id] = p
	s.proof.held = false
	s.state.add(p)
	s.view.add(s, p)
	return infoOf(id, p), nil
}

// Remove takes a part out of the scene; 0 is the mesh with which it was created. Its numbers are
// free. No motion is proven any more.
func (s *Scene) Remove(id int64) error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	p, there := s.ids[id]
	if !there {
		why := "there was none yet"
		if id >= 0 && id < s.next {
			why = "it was removed"
		}
		return status.Errorf(status.ErrIndex, "part is %d: the scene has no such part: %s", id, why)
	}
	s.proof.held = false
	s.view.remove(s, p)
	s.state.remove(p)
	from, to := rowsOf(p)
	clear(s.x[from:to])
	s.parts.Remove(p)
	s.x = s.x[:3*s.parts.Extent(geom.Vertex)]
	delete(s.ids, id)
	return nil
}

// Parts returns the parts in the order of their numbers; those without vertices come before the one
// with their numbers, as they were added.
func (s *Scene) Parts() []PartInfo {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	id := make(map[*mesh.Piece]int64, len(s.ids))
	for i, p := range s.ids {
		id[p] = i
	}
	out := make([]PartInfo, 0, len(id))
	for _, p := range s.parts.Pieces() {
		out = append(out, infoOf(id[p], p))
	}
	slices.SortFunc(out, func(p, q PartInfo) int {
		return cmp.Or(cmp.Compare(p.FirstVertex, q.FirstVertex),
			cmp.Compare(min(p.VertexCount, 1), min(q.VertexCount, 1)), cmp.Compare(p.ID, q.ID))
	})
	return out
}

func infoOf(id int64, p *mesh.Piece) PartInfo {
	return PartInfo{
		id, int64(p.First(geom.Vertex)), int64(p.First(geom.Edge)), int64(p.First(geom.Face)),
		int64(p.Count(geom.Vertex)), int64(p.Count(geom.Edge)), int64(p.Count(geom.Face)),
	}
}

// checkRadii returns an error if the minimum separation and two radii together are too large.
func (s *Scene) checkRadii(separation float64) error {
	if !(separation <= math.MaxFloat64) {
		return nil // Package step returns the error for this.
	}
	for _, p := range s.parts.Pieces() {
		if err := p.Filter.Radii().Check(separation); err != nil {
			return err
		}
	}
	return nil
}

// atLeast returns a list with zeros after it, if it has fewer than n values.
func atLeast(list []float64, n int) []float64 {
	if n <= len(list) {
		return list
	}
	return append(list, make([]float64, n-len(list))...)
}
