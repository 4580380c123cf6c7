package mesh

import "ccd/core/geom"

// AtRest returns a mesh with the same topology, on which calls skip pairs whose vertices all rest.
// Its filter is a snapshot of that of m, without the static vertices of m: rest replaces them. rest
// has a value for each vertex. What calls make of the topology of one of the two meshes serves
// both.
func (m *Mesh) AtRest(rest []bool) *Mesh {
	out := &Mesh{
		NV: m.NV, Edges: m.Edges, Faces: m.Faces, FaceEdges: m.FaceEdges,
		CodimVertices: m.CodimVertices, CodimEdges: m.CodimEdges, EdgePoints: m.EdgePoints,
		ignored: m.ignored, hinges: m.hinges, hinged: m.hinged,
	}
	out.ordered.shared = m.ordered.those() // They have neither positions nor a filter.
	f := *m.Filter()
	f.mesh = out
	out.filter.Store(&f)
	if err := out.SetStatic(rest); err != nil {
		panic(err)
	}
	return out
}

// KeepsCrossings reports whether the filter skips none of the five pairs in any edge and face that
// it allows, apart from pairs of static vertices: what law 10 requires. That is so without lists of
// excluded pairs, and if the vertices of each edge are of one collision group, or all of none.
// (Then so are those of each face; an allowed edge and face are of different groups, and so are
// their parts.)
func (f *Filter) KeepsCrossings() bool {
	for _, x := range f.excluded {
		if len(x) > 0 {
			return false
		}
	}
	group := f.group[geom.Vertex]
	if group == nil {
		return true
	}
	for _, e := range f.mesh.Edges {
		if group[e[0]] != group[e[1]] {
			return false
		}
	}
	return true
}
