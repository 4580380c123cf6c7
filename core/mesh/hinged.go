package mesh

import "slices"

// Hinged returns the vertex-face and the edge-edge pairs that share no vertex, although every edge
// at the vertex shares one with the face, or every face at either edge shares one with the other
// edge. (Pairs of two codimensional primitives are not listed: they are families of their own.)
//
// A test of edges against faces misses these pairs. Where a vertex v touches a face f, so does
// every edge at v; where an edge e touches an edge g, e touches every face at g, and g every face
// at e. An edge-face pair that shares no vertex is among these, unless the pair is hinged: two
// faces on a common edge that are folded flat onto each other, for example.
//
// The lists are computed at the first call. They do not depend on filters.
func (m *Mesh) Hinged() (vertexFace, edgeEdge [][2]int32) {
	h := m.hinged()
	return h[0], h[1]
}

// apex holds the distinct third vertices of the faces at an edge, up to two, which a hinged pair
// may have; many is set where there are more.
type apex struct {
	v    [2]int32
	n    int8
	many bool
}

func (a *apex) add(v int32) {
	switch {
	case slices.Contains(a.v[:a.n], v):
	case a.n == 2:
		a.many = true
	default:
		a.v[a.n] = v
		a.n++
	}
}

// within reports whether every apex is an end of the edge e.
func (a *apex) within(e [2]int32) bool {
	for _, v := range a.v[:a.n] {
		if v != e[0] && v != e[1] {
			return false
		}
	}
	return !a.many
}

func (m *Mesh) findHinged() [2][][2]int32 {
	edgesAt := newTable(m.NV, 2*len(m.Edges), func(i int) (int32, uint64) { return m.Edges[i/2][i%2], uint64(i / 2) })
	facesAt := newTable(m.NV, 3*len(m.Faces), func(i int) (int32, uint64) { return m.Faces[i/3][i%3], uint64(i / 3) })
	return [2][][2]int32{m.hingedVertices(edgesAt, facesAt), m.hingedEdges(edgesAt)}
}

// hingedVertices tests the vertices with one to three edges: no more neighbors can be on one face.
func (m *Mesh) hingedVertices(edgesAt, facesAt *table) (pairs [][2]int32) {
	for v := range int32(m.NV) {
		edges := edgesAt.group(v)
		if len(edges) == 0 || len(edges) > 3 {
			continue
		}
		var others [3]int32
		for i, e := range edges {
			ends := m.Edges[e.key]
			others[i] = ends[0] + ends[1] - v
		}
		for _, x := range facesAt.group(others[0]) {
			f := m.Faces[x.key][:]
			if slices.Contains(f, v) || slices.ContainsFunc(others[:len(edges)], func(o int32) bool {
				return !slices.Contains(f, o)
			}) {
				continue
			}
			pairs = append(pairs, [2]int32{v, int32(x.key)})
		}
	}
	return pairs
}

// hingedEdges looks, for every edge with a face, at the edges that hold its apexes.
func (m *Mesh) hingedEdges(edgesAt *table) (pairs [][2]int32) {
	apexes := make([]apex, len(m.Edges))
	for f, edges := range m.FaceEdges {
		for j, e := range edges {
			apexes[e].add(m.Faces[f][(j+2)%3])
		}
	}
	for g := range m.Edges {
		if apexes[g].n == 0 || apexes[g].many {
			continue
		}
		for _, x := range edgesAt.group(apexes[g].v[0]) {
			e := int32(x.key)
			if !apexes[g].within(m.Edges[e]) || !apexes[e].within(m.Edges[g]) || m.meet(e, int32(g)) {
				continue
			}
			if apexes[e].n == 0 || e < int32(g) { // The other edge finds the same pair; list it once.
				pairs = append(pairs, [2]int32{min(e, int32(g)), max(e, int32(g))})
			}
		}
	}
	slices.SortFunc(pairs, func(x, y [2]int32) int { return slices.Compare(x[:], y[:]) })
	return slices.Compact(pairs)
}

// meet reports whether two edges share a vertex.
func (m *Mesh) meet(e, g int32) bool {
	a, b := m.Edges[e], m.Edges[g]
	return a[0] == b[0] || a[0] == b[1] || a[1] == b[0] || a[1] == b[1]
}
