package broad

import (
	"slices"

	"ccd/core/bound"
	"ccd/core/geom"
	"ccd/core/mesh"
)

// set holds the primitives of one shape in a family: all n of them where ids is nil.
type set struct {
	geom.Shape
	n   int
	ids []int32
}

func (s *set) id(i int) int32 {
	if s.ids == nil {
		return int32(i)
	}
	return s.ids[i]
}

// family is the pairs of one kind: a x b, or with self the unordered pairs of a.
type family struct {
	kind geom.Kind
	a, b set
	self bool
}

// families returns the families of pairs that a step of a mesh tests, without empty ones, in the
// order of the kinds. Package mesh explains why they suffice.
func families(m *mesh.Mesh) []family { return appendFamilies(nil, m) }

// appendFamilies is families in the memory of out.
func appendFamilies(out []family, m *mesh.Mesh) []family {
	return nonEmpty(append(out[:0],
		family{kind: geom.VertexFace, a: set{geom.Vertex, m.NV, nil}, b: set{geom.Face, len(m.Faces), nil}},
		family{kind: geom.EdgeEdge, a: set{geom.Edge, len(m.Edges), nil}, self: true},
		family{kind: geom.PointEdge, a: set{geom.Vertex, len(m.EdgePoints), m.EdgePoints}, b: set{geom.Edge, len(m.CodimEdges), m.CodimEdges}},
		family{kind: geom.PointPoint, a: set{geom.Vertex, len(m.CodimVertices), m.CodimVertices}, self: true},
	))
}

// intersectionFamilies returns the families of an intersection test of one configuration: edges
// with faces, and codimensional vertices and edges with all that they may touch. Package proximity
// explains why they suffice.
func intersectionFamilies(m *mesh.Mesh) []family {
	points, rods := set{geom.Vertex, len(m.CodimVertices), m.CodimVertices}, set{geom.Edge, len(m.CodimEdges), m.CodimEdges}
	return nonEmpty([]family{
		{kind: geom.EdgeFace, a: set{geom.Edge, len(m.Edges), nil}, b: set{geom.Face, len(m.Faces), nil}},
		{kind: geom.VertexFace, a: points, b: set{geom.Face, len(m.Faces), nil}},
		{kind: geom.EdgeEdge, a: rods, self: true},
		{kind: geom.PointEdge, a: set{geom.Vertex, len(m.EdgePoints), m.EdgePoints}, b: rods},
		{kind: geom.PointPoint, a: points, self: true},
	})
}

// nonEmpty returns the families that have pairs, in the memory of all.
func nonEmpty(all []family) []family {
	out := all[:0]
	for i := range all {
		if f := &all[i]; f.self && f.a.n > 1 || !f.self && f.a.n > 0 && f.b.n > 0 {
			out = append(out, *f)
		}
	}
	return out
}

// boxes returns the swept boxes of a set, inflated, in the memory of out.
func boxes(out []bound.Box, m *mesh.Mesh, mo *geom.Trajectories, s *set, how *PlanOptions) []bound.Box {
	out = slices.Grow(out[:0], s.n)[:s.n]
	for i := range out {
		id := s.id(i)
		out[i] = sweptBox(m, mo, s.Shape, id, how.inflation(s.Shape, id))
	}
	return out
}

func sweptBox(m *mesh.Mesh, mo *geom.Trajectories, p geom.Shape, id int32, r float64) bound.Box {
	var v [1]int32
	b := bound.Swept(mo, verticesOf(m, p, id, &v)...)
	b.Inflate(r)
	return b
}
