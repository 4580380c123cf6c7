package mesh

import (
	"math/bits"
	"slices"

	"ccd/core/geom"
)

// Part is a mesh of some elements of a mesh: faces, codimensional edges and codimensional vertices, with their edges and vertices. Its memory
// serves one part after the other.
//
// A primitive belongs to the families of the whole mesh, even if it has fewer neighbours in the part: a vertex of which no edge is in the part is no
// codimensional vertex. Indices ascend as in the whole mesh, and the vertices of a primitive keep their order. So a pair of the part
// is allowed if and only if it is allowed in the whole mesh and its vertices are not all at rest, it is the same query, and the order of pairs is the same.
type Part struct {
	whole *Mesh
	mesh  *Mesh

	vertices, edges, faces set // what is in the part
	rods, points           set // codimensional edges and vertices
	chosen                 [3][]int32
	at                     [2][]int32 // by vertex and by edge of the whole mesh: its number in the part, if it is in the part
}

// NewPart returns a part without elements.
func NewPart(whole *Mesh) *Part {
	p := &Part{whole: whole, mesh: &Mesh{hinged: func() (none [2][][2]int32) { return none }}}
	p.vertices, p.edges, p.faces = newSet(whole.NV), newSet(len(whole.Edges)), newSet(len(whole.Faces))
	p.rods, p.points = newSet(len(whole.Edges)), newSet(whole.NV)
	p.at = [2][]int32{make([]int32, whole.NV), make([]int32, len(whole.Edges))}
	return p
}

// AddFace adds a face.
func (p *Part) AddFace(f int32) { p.faces.add(f) }

// AddEdge adds a codimensional edge.
func (p *Part) AddEdge(e int32) { p.rods.add(e) }

// AddVertex adds a codimensional vertex.
func (p *Part) AddVertex(v int32) { p.points.add(v) }

// AddLoose adds a vertex that need not be on an element of the part. If it is on none, its pairs may be missing.
func (p *Part) AddLoose(v int32) { p.vertices.add(v) }

// Of returns the primitives of the whole mesh that the part has, by shape, ascending.
func (p *Part) Of(s geom.Shape) []int32 { return p.chosen[s] }

// At returns the number in the part of a vertex that is in it.
func (p *Part) At(v int32) int32 { return p.at[0][v] }

// Build returns the part as a mesh with the filter f of the whole mesh, but for its static vertices: all for which moves is false. The part is empty then,
// and the mesh is valid until Build is called again.
func (p *Part) Build(f *Filter, moves func(v int32) bool) *Mesh {
	w, m := p.whole, p.mesh
	p.chosen[geom.Face] = p.faces.drain(p.chosen[geom.Face])
	for _, i := range p.chosen[geom.Face] {
		for k := range 3 {
			p.vertices.add(w.Faces[i][k])
			p.edges.add(w.FaceEdges[i][k])
		}
	}
	m.CodimEdges, m.CodimVertices = p.rods.drain(m.CodimEdges), p.points.drain(m.CodimVertices)
	for _, e := range m.CodimEdges {
		p.edges.add(e)
		p.vertices.add(w.Edges[e][0])
		p.vertices.add(w.Edges[e][1])
	}
	for _, v := range m.CodimVertices {
		p.vertices.add(v)
	}
	p.chosen[geom.Vertex], p.chosen[geom.Edge] = p.vertices.drain(p.chosen[geom.Vertex]), p.edges.drain(p.chosen[geom.Edge])
	p.copyTopology()
	p.copyEdgePoints()
	p.copyFilter(f)
	static := make([]bool, m.NV)
	for i, v := range p.chosen[geom.Vertex] {
		static[i] = !moves(v)
	}
	if err := m.SetStatic(static); err != nil {
		panic(err)
	}
	return m
}

// copyTopology numbers the primitives of the part.
func (p *Part) copyTopology() {
	w, m := p.whole, p.mesh
	m.NV = len(p.chosen[geom.Vertex])
	for i, v := range p.chosen[geom.Vertex] {
		p.at[0][v] = int32(i)
	}
	m.Edges = slices.Grow(m.Edges[:0], len(p.chosen[geom.Edge]))
	for i, e := range p.chosen[geom.Edge] {
		p.at[1][e] = int32(i)
		m.Edges = append(m.Edges, [2]int32{p.at[0][w.Edges[e][0]], p.at[0][w.Edges[e][1]]})
	}
	m.Faces, m.FaceEdges = slices.Grow(m.Faces[:0], len(p.chosen[geom.Face])), slices.Grow(m.FaceEdges[:0], len(p.chosen[geom.Face]))
	for _, i := range p.chosen[geom.Face] {
		var v, e [3]int32
		for k := range 3 {
			v[k], e[k] = p.at[0][w.Faces[i][k]], p.at[1][w.FaceEdges[i][k]]
		}
		m.Faces, m.FaceEdges = append(m.Faces, v), append(m.FaceEdges, e)
	}
}

// copyEdgePoints numbers the codimensional primitives, and the points of the point-edge family: these are codimensional vertices and vertices of
// codimensional edges. An edge at such a point that is not in the part still covers its pairs, so its other end becomes a number that
// no vertex has.
func (p *Part) copyEdgePoints() {
	w, m := p.whole, p.mesh
	var points []int32
	points = append(points, m.CodimVertices...)
	for i, e := range m.CodimEdges {
		points = append(points, w.Edges[e][:]...)
		m.CodimEdges[i] = p.at[1][e]
	}
	for i, v := range m.CodimVertices {
		m.CodimVertices[i] = p.at[0][v]
	}
	slices.Sort(points)
	m.EdgePoints, m.hinges = m.EdgePoints[:0], m.hinges[:0]
	for _, v := range slices.Compact(points) {
		i, found := slices.BinarySearch(w.EdgePoints, v)
		if !found {
			continue
		}
		ends := w.hinges[i]
		for k, n := range ends {
			if n < 0 {
				continue
			}
			if ends[k] = p.at[0][n]; int(ends[k]) >= m.NV || p.chosen[geom.Vertex][ends[k]] != n {
				ends[k] = int32(m.NV)
			}
		}
		m.EdgePoints, m.hinges = append(m.EdgePoints, p.at[0][v]), append(m.hinges, ends)
	}
}

// copyFilter gives the part the groups, exclusions and radii of a filter of the whole mesh.
func (p *Part) copyFilter(f *Filter) {
	own := &Filter{mesh: p.mesh}
	for s, list := range p.chosen {
		if f.group[s] != nil {
			own.group[s] = make([]int32, len(list))
			for i, id := range list {
				own.group[s][i] = f.group[s][id]
			}
		}
	}
	for k := range f.excluded {
		if len(f.excluded[k]) > 0 {
			own.excluded[k] = p.excluded(geom.Kind(k), f.excluded[k])
		}
	}
	own.radii = p.radii(f.radii)
	p.mesh.filter.Store(own)
}

// excluded returns the excluded pairs of a kind that are in the part. A key begins with the first primitive, so the pairs of each are a
// run.
func (p *Part) excluded(k geom.Kind, keys []uint64) (own []uint64) {
	s := k.Info().Shapes
	for i, a := range p.chosen[s[0]] {
		from, _ := slices.BinarySearch(keys, uint64(uint32(a))<<32)
		for _, key := range keys[from:] {
			if int32(key>>32) != a {
				break
			}
			if j, found := slices.BinarySearch(p.chosen[s[1]], int32(uint32(key))); found {
				own = append(own, uint64(uint32(i))<<32|uint64(uint32(j)))
			}
		}
	}
	return own
}

// radii returns the radii of the part's primitives: those that they have in the whole mesh.
func (p *Part) radii(r *Radii) *Radii {
	if r.Uniform() {
		return r
	}
	own := &Radii{largest: r.largest, mean: r.mean}
	for s, list := range p.chosen {
		own.shape[s] = make([]float64, len(list))
		for i, id := range list {
			own.shape[s][i] = r.shape[s][id]
		}
	}
	own.around = make([]float64, len(p.chosen[geom.Vertex]))
	for i, v := range p.chosen[geom.Vertex] {
		own.around[i] = r.around[v]
	}
	return own
}

// set is a set of numbers below some n, which lists them in order in a time that depends on how many there are.
type set struct {
	words []uint64 // a bit for each number
	some  []uint64 // a bit for each word that is not 0
}

func newSet(n int) set {
	words := (n + 63) / 64
	return set{make([]uint64, words), make([]uint64, (words+63)/64)}
}

// add adds a number.
func (s *set) add(i int32) {
	w := i >> 6
	s.words[w] |= 1 << (i & 63)
	s.some[w>>6] |= 1 << (w & 63)
}

// drain lists the numbers in the memory of out, ascending, and empties the set.
func (s *set) drain(out []int32) []int32 {
	out = out[:0]
	for i, some := range s.some {
		for ; some != 0; some &= some - 1 {
			w := i<<6 + bits.TrailingZeros64(some)
			for word := s.words[w]; word != 0; word &= word - 1 {
				out = append(out, int32(w<<6+bits.TrailingZeros64(word)))
			}
			s.words[w] = 0
		}
		s.some[i] = 0
	}
	return out
}
