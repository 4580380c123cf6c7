package ccd

import (
	"ccd/core/mesh"
	"ccd/core/status"
	"ccd/core/step"
)

// Group is some primitives of a mesh, by their numbers: an object, or the part of one that is to be
// tested. Mesh.GroupOf makes one of vertices.
type Group struct{ Vertices, Edges, Faces []int32 }

// GroupOf returns the group of these vertices with the edges and faces all of whose vertices are
// among them.
func (m *Mesh) GroupOf(vertices []int32) (g Group, err error) {
	err = m.set(func(c *mesh.Mesh) error {
		in := make([]bool, c.NV)
		for i, v := range vertices {
			if v < 0 || int(v) >= c.NV {
				return status.Errorf(ErrIndex, "vertices[%d] is %d: out of range for %d vertices", i, v, c.NV)
			}
			if !in[v] {
				in[v] = true
				g.Vertices = append(g.Vertices, v)
			}
		}
		for i, e := range c.Edges {
			if in[e[0]] && in[e[1]] {
				g.Edges = append(g.Edges, int32(i))
			}
		}
		for i, f := range c.Faces {
			if in[f[0]] && in[f[1]] && in[f[2]] {
				g.Faces = append(g.Faces, int32(i))
			}
		}
		return nil
	})
	if err != nil {
		return Group{}, err
	}
	return g, nil
}

// Between returns the step with those of its pairs alone of which one primitive is in group a and
// the other in group b: one object against another, or vertices against faces one way. Filters of
// the mesh apply. Results have the bits of those of the step, without the impacts of other pairs;
// only the primitives of the groups are swept. A number that is out of range, repeated or in both
// groups is an ErrIndex of the calls; a step of a scene or of a list of neighbors is an
// ErrUnsupported.
func (s *Step) Between(a, b Group) *Step {
	if s == nil || s.core == nil {
		return s
	}
	c, err := s.core.Between(step.Group(a), step.Group(b))
	return &Step{core: c, rows: s.rows, err: err}
}
