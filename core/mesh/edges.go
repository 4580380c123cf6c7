package mesh

import (
	"slices"

	"ccd/core/status"
)

// halfEdge returns the edge j of face f, as (smaller, larger).
func (m *Mesh) halfEdge(f, j int) (lo, hi int32) {
	a, b := m.Faces[f][j], m.Faces[f][(j+1)%3]
	return min(a, b), max(a, b)
}

// deriveEdges finds the unique edges of the faces, sorted by the larger vertex and then the
// smaller.
func (m *Mesh) deriveEdges() {
	t := newTable(m.NV, 3*len(m.Faces), func(i int) (int32, uint64) {
		lo, hi := m.halfEdge(i/3, i%3)
		return hi, uint64(lo)
	})
	m.FaceEdges = make([][3]int32, len(m.Faces))
	for v := range m.NV {
		for _, e := range t.group(int32(v)) {
			edge := [2]int32{int32(e.key), int32(v)}
			if n := len(m.Edges); n == 0 || m.Edges[n-1] != edge {
				m.Edges = append(m.Edges, edge)
			}
			m.FaceEdges[e.id/3][e.id%3] = int32(len(m.Edges) - 1)
		}
	}
}

// takeEdges checks the given edges, and finds the edges of each face among them.
func (m *Mesh) takeEdges(edges []int32) error {
	m.Edges = make([][2]int32, len(edges)/2)
	for i := range m.Edges {
		e := [2]int32(edges[2*i:])
		for j, v := range e {
			if v < 0 || int(v) >= m.NV {
				return status.Errorf(status.ErrIndex,
					"edges[%d][%d] is %d: out of range for %d vertices, the first of which is 0", i, j, v, m.NV)
			}
		}
		if e[0] == e[1] {
			return status.Errorf(status.ErrIndex, "edges[%d] is degenerate: it repeats vertex %d", i, e[0])
		}
		m.Edges[i] = e
	}
	t := newTable(m.NV, len(m.Edges), func(i int) (int32, uint64) {
		e := &m.Edges[i]
		return max(e[0], e[1]), uint64(min(e[0], e[1]))
	})
	if i, j, found := t.twice(); found {
		return status.Errorf(status.ErrIndex, "edges[%d] is the same edge as edges[%d]: vertices %v", j, i, m.Edges[i])
	}
	m.FaceEdges = make([][3]int32, len(m.Faces))
	for f := range m.Faces {
		for j := range 3 {
			lo, hi := m.halfEdge(f, j)
			e := t.find(hi, uint64(lo))
			if e < 0 {
				return status.Errorf(status.ErrIndex, "edges lacks the edge (%d, %d) of faces[%d]", lo, hi, f)
			}
			m.FaceEdges[f][j] = e
		}
	}
	return nil
}

// ignore stores which vertices are no particles. They must be in no edge.
func (m *Mesh) ignore(ignored []bool) error {
	if ignored != nil && len(ignored) != m.NV {
		return status.Errorf(status.ErrArgument, "ignored has %d values; the mesh has %d vertices", len(ignored), m.NV)
	}
	if !slices.Contains(ignored, true) {
		return nil
	}
	for i, e := range m.Edges {
		for _, v := range e {
			if ignored[v] {
				return status.Errorf(status.ErrArgument,
					"ignored[%d] is true: edge %d, of vertices %d and %d, has this vertex", v, i, e[0], e[1])
			}
		}
	}
	m.ignored = slices.Clone(ignored)
	return nil
}

// Ignores reports whether a vertex is no particle: no pair has it.
func (m *Mesh) Ignores(vertex int32) bool { return m.ignored != nil && m.ignored[vertex] }

// IgnoresSome reports whether there is such a vertex.
func (m *Mesh) IgnoresSome() bool { return m.ignored != nil }

// findCodimensional lists the vertices in no edge, the edges in no face, and the points of the
// point-edge family.
func (m *Mesh) findCodimensional() {
	inFace := make([]bool, len(m.Edges))
	for f := range m.FaceEdges {
		for _, e := range m.FaceEdges[f] {
			inFace[e] = true
		}
	}
	for e := range m.Edges {
		if !inFace[e] {
			m.CodimEdges = append(m.CodimEdges, int32(e))
		}
	}
	degree := make([]int32, m.NV)
	for _, e := range m.Edges {
		degree[e[0]]++
		degree[e[1]]++
	}
	rods := m.rodNeighbors(degree)
	for v, d := range degree {
		switch {
		case d == 0 && m.Ignores(int32(v)):
		case d == 0:
			m.CodimVertices = append(m.CodimVertices, int32(v))
			m.addEdgePoint(int32(v), [2]int32{-1, -1})
		case d <= 2:
			if n, ok := rods[int32(v)]; ok {
				m.addEdgePoint(int32(v), n)
			}
		}
	}
}

func (m *Mesh) addEdgePoint(v int32, neighbors [2]int32) {
	m.EdgePoints = append(m.EdgePoints, v)
	m.hinges = append(m.hinges, neighbors)
}

// rodNeighbors returns the neighbors of those vertices all of whose edges may share a vertex with
// one codimensional edge that does not contain them: the free end of a rod, and a corner of a
// triangle of rods. All their edges are codimensional: a face gives a vertex two edges, and if
// these are all, the opposite edge belongs to the face.
func (m *Mesh) rodNeighbors(degree []int32) map[int32][2]int32 {
	if len(m.CodimEdges) == 0 {
		return nil
	}
	rods := make(map[int32][2]int32)
	pairs := make(map[[2]int32]bool, len(m.CodimEdges))
	for _, e := range m.CodimEdges {
		a, b := m.Edges[e][0], m.Edges[e][1]
		pairs[[2]int32{min(a, b), max(a, b)}] = true
		for _, p := range [][2]int32{{a, b}, {b, a}} {
			v, w := p[0], p[1]
			if degree[v] > 2 {
				continue
			}
			if n, ok := rods[v]; ok {
				rods[v] = [2]int32{n[0], w}
			} else {
				rods[v] = [2]int32{w, -1}
			}
		}
	}
	for v, n := range rods {
		if degree[v] == 2 && (n[1] < 0 || !pairs[[2]int32{min(n[0], n[1]), max(n[0], n[1])}]) {
			delete(rods, v)
		}
	}
	return rods
}
