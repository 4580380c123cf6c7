package mesh

import (
	"slices"

	"ccd/core/geom"
)

// Filter decides which pairs of a mesh are tested. It is immutable: a call takes one snapshot for a
// whole step.
type Filter struct {
	mesh *Mesh

	// Per vertex, edge and face: the collision group of all vertices of the primitive, or -1 if
	// they have no common one. Nil without groups.
	group [3][]int32
	// Per vertex, edge and face: whether all vertices of the primitive are static. Nil without
	// static vertices.
	static [3][]bool
	// Per shape, ascending: the primitives that are not static. Nil without static vertices.
	moving [3][]int32
	// Per kind, sorted: excluded pairs, see pack.
	excluded [geom.EdgeFace + 1][]uint64

	radii *Radii // thickness, which is part of the snapshot that a call takes; nil where all are 0
}

// Filter returns the present snapshot; it is never nil.
func (m *Mesh) Filter() *Filter { return m.filter.Load() }

// Trivial reports whether only pairs that share a vertex are excluded, and the mesh ignores no
// vertex.
func (f *Filter) Trivial() bool { return f.static[geom.Vertex] == nil && f.OnlyStatic() }

// OnlyStatic reports whether Trivial holds for pairs of which a primitive moves.
func (f *Filter) OnlyStatic() bool {
	for _, x := range f.excluded {
		if len(x) > 0 {
			return false
		}
	}
	return f.group[geom.Vertex] == nil && f.mesh.ignored == nil
}

// Allows reports whether the pair (a, b) is to be tested: it belongs to its kind's family, its
// primitives share no vertex, and no filter excludes it.
func (f *Filter) Allows(k geom.Kind, a, b int32) bool {
	return f.mesh.apart(k, a, b) && f.AllowsApart(k, a, b)
}

// AllowsApart is Allows for a pair that is known to belong to its family and to share no vertex.
func (f *Filter) AllowsApart(k geom.Kind, a, b int32) bool {
	s := &k.Info().Shapes
	if f.group[geom.Vertex] != nil {
		if p := f.group[s[0]][a]; p >= 0 && p == f.group[s[1]][b] {
			return false
		}
	}
	if f.static[geom.Vertex] != nil && f.static[s[0]][a] && f.static[s[1]][b] {
		return false
	}
	if x := f.excluded[k]; len(x) > 0 {
		_, found := slices.BinarySearch(x, pack(k, a, b))
		return !found
	}
	return true
}

// Vertices returns the collision group of each vertex, -1 for none, and which are static; each is
// nil where there are none.
func (f *Filter) Vertices() (group []int32, static []bool) {
	return f.group[geom.Vertex], f.static[geom.Vertex]
}

// Excluded returns the excluded pairs of a kind as a<<32 | b, sorted; the smaller index comes first
// in symmetric kinds.
func (f *Filter) Excluded(k geom.Kind) []uint64 { return f.excluded[k] }

// Group returns the collision group of a primitive, or -1, and whether the primitive is static. The
// primitive is the first or the second, which is 0 or 1, of a pair of the kind. Two primitives of
// one group are never tested, nor are two static ones.
func (f *Filter) Group(k geom.Kind, which int, i int32) (group int32, static bool) {
	s := k.Info().Shapes[which]
	group = -1
	if f.group[geom.Vertex] != nil {
		group = f.group[s][i]
	}
	return group, f.static[geom.Vertex] != nil && f.static[s][i]
}

// Static returns, for each primitive of a shape, whether it is static: nil if the mesh has no
// static vertices.
func (f *Filter) Static(s geom.Shape) []bool { return f.static[s] }

// Moving returns the primitives of a shape that are not static, ascending: nil if the mesh has no
// static vertices. Every pair that is allowed then has one of them.
func (f *Filter) Moving(s geom.Shape) []int32 { return f.moving[s] }

// apart reports whether a pair shares no vertex. For a point-edge pair it also requires that no
// edge-edge pair covers it: the point is in no edge, or all its edges share a vertex with b. See
// the package's doc.
func (m *Mesh) apart(k geom.Kind, a, b int32) bool {
	switch k {
	case geom.VertexFace:
		t := &m.Faces[b]
		return !m.Ignores(a) && a != t[0] && a != t[1] && a != t[2]
	case geom.EdgeEdge:
		e, g := &m.Edges[a], &m.Edges[b]
		return e[0] != g[0] && e[0] != g[1] && e[1] != g[0] && e[1] != g[1]
	case geom.PointEdge:
		e := &m.Edges[b]
		i, found := slices.BinarySearch(m.EdgePoints, a)
		if !found || a == e[0] || a == e[1] {
			return false
		}
		for _, n := range m.hinges[i] {
			if n >= 0 && n != e[0] && n != e[1] {
				return false
			}
		}
		return true
	case geom.EdgeFace:
		e, t := &m.Edges[a], &m.Faces[b]
		return e[0] != t[0] && e[0] != t[1] && e[0] != t[2] && e[1] != t[0] && e[1] != t[1] && e[1] != t[2]
	case geom.PointPoint:
		return a != b && !m.Ignores(a) && !m.Ignores(b)
	}
	panic("mesh: " + k.String())
}

// pack returns the pair as one key; for symmetric kinds the smaller index comes first.
func pack(k geom.Kind, a, b int32) uint64 {
	if k.Info().Symmetric() && a > b {
		a, b = b, a
	}
	return uint64(uint32(a))<<32 | uint64(uint32(b))
}

// perPrimitive extends a value per vertex to edges and faces; join combines the values of two
// vertices.
func perPrimitive[T any](m *Mesh, v []T, join func(a, b T) T) [3][]T {
	e, f := make([]T, len(m.Edges)), make([]T, len(m.Faces))
	for i, x := range m.Edges {
		e[i] = join(v[x[0]], v[x[1]])
	}
	for i, x := range m.Faces {
		f[i] = join(join(v[x[0]], v[x[1]]), v[x[2]])
	}
	return [3][]T{v, e, f}
}
