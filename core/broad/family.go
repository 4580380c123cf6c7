package broad

import (
	"math"

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
		family{
			kind: geom.PointEdge, a: set{geom.Vertex, len(m.EdgePoints), m.EdgePoints},
			b: set{geom.Edge, len(m.CodimEdges), m.CodimEdges},
		},
		family{kind: geom.PointPoint, a: set{geom.Vertex, len(m.CodimVertices), m.CodimVertices}, self: true},
	))
}

// intersectionFamilies returns the families of an intersection test of one configuration: edges
// with faces, and codimensional vertices and edges with all that they may touch. Package proximity
// explains why they suffice.
func intersectionFamilies(m *mesh.Mesh) []family {
	points := set{geom.Vertex, len(m.CodimVertices), m.CodimVertices}
	rods := set{geom.Edge, len(m.CodimEdges), m.CodimEdges}
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

// verticesOf returns the vertices of a primitive; v is memory for the vertex of a point.
func verticesOf(m *mesh.Mesh, of geom.Shape, id int32, v *[1]int32) []int32 {
	switch of {
	case geom.Edge:
		return m.Edges[id][:]
	case geom.Face:
		return m.Faces[id][:]
	}
	v[0] = id
	return v[:]
}

// extent returns the least and the largest coordinate of the vertices along an axis, over both ends
// of the step.
func extent(mo *geom.Trajectories, v []int32, axis int) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, i := range v {
		r := mo.Rec[8*int(i) : 8*int(i)+8]
		lo, hi = min(lo, r[axis], r[4+axis]), max(hi, r[axis], r[4+axis])
	}
	return lo, hi
}

// touched reports whether a vertex of a primitive changes.
func touched(m *mesh.Mesh, changed []bool, s geom.Shape, i int32) bool {
	switch s {
	case geom.Edge:
		e := &m.Edges[i]
		return changed[e[0]] || changed[e[1]]
	case geom.Face:
		f := &m.Faces[i]
		return changed[f[0]] || changed[f[1]] || changed[f[2]]
	}
	return changed[i]
}

// primitives returns the number of primitives of a mesh.
func primitives(m *mesh.Mesh) int { return m.NV + len(m.Edges) + len(m.Faces) }

// largestOf returns the number of the family with the most primitives.
func largestOf(fs []family) (largest int) {
	for i, f := range fs {
		if f.a.n+f.b.n > fs[largest].a.n+fs[largest].b.n {
			largest = i
		}
	}
	return largest
}
