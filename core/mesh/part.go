package mesh

import (
	"math/bits"
	"slices"
	"sort"

	"ccd/core/geom"
)

// Part is a mesh of some elements of an assembly: faces, codimensional edges and codimensional
// vertices, with their edges and vertices. Its memory serves one part after the other.
//
// A primitive belongs to the families of its mesh, even if it has fewer neighbors in the part: a
// vertex of which no edge is in the part is no codimensional vertex. Indices ascend as in the
// assembly, and the vertices of a primitive keep their order. So a pair of the part is allowed if
// and only if it is allowed in the assembly and its vertices are not all at rest, it is the same
// query, and the order of pairs is the same.
type Part struct {
	of   *Assembly
	mesh *Mesh

	vertices, edges, faces set // the primitives in the part
	rods, points           set // codimensional edges and vertices
	chosen                 [3][]int32
	// at[0][v] and at[1][e] are the numbers in the part of vertex v and edge e of the assembly, if
	// they are in it.
	at [2][]int32

	before topology // before is the topology of the part that was built before.
}

// topology is what of a mesh decides its orders and hierarchy, which later calls use (ordersOf).
type topology struct {
	vertices                              int
	edges                                 [][2]int32
	faces                                 [][3]int32
	codimVertices, codimEdges, edgePoints []int32
}

// topology returns that of a mesh, which shares the memory of its lists.
func (m *Mesh) topology() topology {
	return topology{m.NV, m.Edges, m.Faces, m.CodimVertices, m.CodimEdges, m.EdgePoints}
}

// exchange gives the mesh the lists of another topology, and returns its own.
func (m *Mesh) exchange(t topology) topology {
	own := m.topology()
	m.NV, m.Edges, m.Faces = t.vertices, t.edges, t.faces
	m.CodimVertices, m.CodimEdges, m.EdgePoints = t.codimVertices, t.codimEdges, t.edgePoints
	return own
}

// equal reports whether two topologies are the same.
func (t *topology) equal(u topology) bool {
	return t.vertices == u.vertices && slices.Equal(t.edges, u.edges) && slices.Equal(t.faces, u.faces) &&
		slices.Equal(t.codimVertices, u.codimVertices) && slices.Equal(t.codimEdges, u.codimEdges) &&
		slices.Equal(t.edgePoints, u.edgePoints)
}

// NewPart returns a part without elements.
func NewPart(of *Assembly) *Part {
	p := &Part{of: of, mesh: &Mesh{hinged: func() (none [2][][2]int32) { return none }}}
	p.Fit()
	return p
}

// Fit makes room for the numbers of the assembly, after a mesh was added to it.
func (p *Part) Fit() {
	nv, ne, nf := p.of.Extent(geom.Vertex), p.of.Extent(geom.Edge), p.of.Extent(geom.Face)
	for _, s := range []*set{&p.vertices, &p.points} {
		s.fit(nv)
	}
	for _, s := range []*set{&p.edges, &p.rods} {
		s.fit(ne)
	}
	p.faces.fit(nf)
	p.at[0], p.at[1] = atLeast(p.at[0], nv), atLeast(p.at[1], ne)
}

// Bytes returns the memory that the part keeps for each number of the assembly.
func (p *Part) Bytes() int64 {
	n := 4 * (cap(p.at[0]) + cap(p.at[1]))
	for _, s := range []*set{&p.vertices, &p.edges, &p.faces, &p.rods, &p.points} {
		n += 8 * (cap(s.words) + cap(s.some))
	}
	return int64(n)
}

// Add adds an element.
func (p *Part) Add(piece *Piece, element int32) {
	i, m := element-piece.first[Elements], piece.Mesh
	if int(i) < len(m.Faces) {
		p.faces.add(i + piece.first[geom.Face])
		return
	}
	if i -= int32(len(m.Faces)); int(i) < len(m.CodimEdges) {
		p.rods.add(m.CodimEdges[i] + piece.first[geom.Edge])
	} else {
		p.points.add(m.CodimVertices[int(i)-len(m.CodimEdges)] + piece.first[geom.Vertex])
	}
}

// AddAll adds all elements of the assembly.
func (p *Part) AddAll() {
	for _, piece := range p.of.pieces {
		for e := piece.first[Elements]; e < piece.end[Elements]; e++ {
			p.Add(piece, e)
		}
	}
}

// AddLoose adds a vertex that need not be on an element of the part. If it is on none, its pairs
// may be missing.
func (p *Part) AddLoose(v int32) { p.vertices.add(v) }

// Of returns the primitives of the assembly that the part has, by shape, ascending.
func (p *Part) Of(s geom.Shape) []int32 { return p.chosen[s] }

// At returns the number in the part of a vertex that is in it.
func (p *Part) At(v int32) int32 { return p.at[0][v] }

// Build returns the part as a mesh with the filters of the pieces, but for their static vertices:
// all for which moves is false. The part is empty then, and the mesh is valid until Build is called
// again. It keeps what calls have made of it where its topology is the one of the part before.
func (p *Part) Build(moves func(v int32) bool) *Mesh {
	m := p.mesh
	p.before = m.exchange(p.before) // Its lists are written over.
	p.chosen[geom.Face] = p.faces.drain(p.chosen[geom.Face])
	for r := range p.runs(geom.Face) {
		for _, i := range r.of(p) {
			v, e := r.piece.Face(i), r.piece.faceEdges(i)
			for k := range 3 {
				p.vertices.add(v[k])
				p.edges.add(e[k])
			}
		}
	}
	m.CodimEdges, m.CodimVertices = p.rods.drain(m.CodimEdges), p.points.drain(m.CodimVertices)
	var piece *Piece
	for _, e := range m.CodimEdges {
		piece = p.of.Same(piece, geom.Edge, e)
		v := piece.Edge(e)
		p.edges.add(e)
		p.vertices.add(v[0])
		p.vertices.add(v[1])
	}
	for _, v := range m.CodimVertices {
		p.vertices.add(v)
	}
	p.chosen[geom.Vertex], p.chosen[geom.Edge] = p.vertices.drain(p.chosen[geom.Vertex]),
		p.edges.drain(p.chosen[geom.Edge])
	p.copyTopology()
	p.copyEdgePoints()
	if !p.before.equal(m.topology()) {
		m.ordered.forget()
	}
	p.copyFilters()
	static := make([]bool, m.NV)
	for i, v := range p.chosen[geom.Vertex] {
		static[i] = !moves(v)
	}
	if err := m.SetStatic(static); err != nil {
		panic(err)
	}
	return m
}

// A run is the primitives of a shape that are chosen of a piece: chosen[from:to].
type run struct {
	piece    *Piece
	shape    geom.Shape
	from, to int
}

func (r *run) of(p *Part) []int32 { return p.chosen[r.shape][r.from:r.to] }

// runs calls f for the runs of a shape, in order.
func (p *Part) runs(s geom.Shape) func(f func(r run) bool) {
	return func(f func(r run) bool) {
		list := p.chosen[s]
		for from := 0; from < len(list); {
			piece := p.of.At(s, list[from])
			to := from + sort.Search(len(list)-from, func(k int) bool { return list[from+k] >= piece.end[s] })
			if !f(run{piece, s, from, to}) {
				return
			}
			from = to
		}
	}
}

// copyTopology numbers the primitives of the part.
func (p *Part) copyTopology() {
	m := p.mesh
	m.NV = len(p.chosen[geom.Vertex])
	for i, v := range p.chosen[geom.Vertex] {
		p.at[0][v] = int32(i)
	}
	m.Edges = slices.Grow(m.Edges[:0], len(p.chosen[geom.Edge]))
	for r := range p.runs(geom.Edge) {
		for i, e := range r.of(p) {
			p.at[1][e] = int32(r.from + i)
			v := r.piece.Edge(e)
			m.Edges = append(m.Edges, [2]int32{p.at[0][v[0]], p.at[0][v[1]]})
		}
	}
	m.Faces, m.FaceEdges = slices.Grow(m.Faces[:0], len(p.chosen[geom.Face])),
		slices.Grow(m.FaceEdges[:0], len(p.chosen[geom.Face]))
	for r := range p.runs(geom.Face) {
		for _, i := range r.of(p) {
			v, e := r.piece.Face(i), r.piece.faceEdges(i)
			for k := range 3 {
				v[k], e[k] = p.at[0][v[k]], p.at[1][e[k]]
			}
			m.Faces, m.FaceEdges = append(m.Faces, v), append(m.FaceEdges, e)
		}
	}
}

// copyEdgePoints numbers the codimensional primitives, and the points of the point-edge family:
// these are codimensional vertices and vertices of codimensional edges. An edge at such a point
// that is not in the part still covers its pairs, so its other end becomes a number that no vertex
// has.
func (p *Part) copyEdgePoints() {
	m := p.mesh
	var points []int32
	var piece *Piece
	points = append(points, m.CodimVertices...)
	for i, e := range m.CodimEdges {
		piece = p.of.Same(piece, geom.Edge, e)
		v := piece.Edge(e)
		points = append(points, v[:]...)
		m.CodimEdges[i] = p.at[1][e]
	}
	for i, v := range m.CodimVertices {
		m.CodimVertices[i] = p.at[0][v]
	}
	slices.Sort(points)
	m.EdgePoints, m.hinges = m.EdgePoints[:0], m.hinges[:0]
	for _, v := range slices.Compact(points) {
		piece = p.of.Same(piece, geom.Vertex, v)
		first := piece.first[geom.Vertex]
		i, found := slices.BinarySearch(piece.Mesh.EdgePoints, v-first)
		if !found {
			continue
		}
		ends := piece.Mesh.hinges[i]
		for k, n := range ends {
			if n < 0 {
				continue
			}
			n += first
			if ends[k] = p.at[0][n]; int(ends[k]) >= m.NV || p.chosen[geom.Vertex][ends[k]] != n {
				ends[k] = int32(m.NV)
			}
		}
		m.EdgePoints, m.hinges = append(m.EdgePoints, p.at[0][v]), append(m.hinges, ends)
	}
}

// copyFilters gives the part the groups, exclusions and radii of the pieces.
func (p *Part) copyFilters() {
	own := &Filter{mesh: p.mesh}
	p.copyGroups(own)
	for k := geom.VertexFace; k <= geom.EdgeFace; k++ {
		for r := range p.runs(k.Info().Shapes[0]) {
			if keys := r.piece.Filter.excluded[k]; len(keys) > 0 {
				own.excluded[k] = p.excluded(k, &r, keys, own.excluded[k])
			}
		}
	}
	own.radii = p.radii()
	p.mesh.filter.Store(own)
}

// copyGroups gives the part the groups of the pieces: with ids of their own, if there are several
// pieces.
func (p *Part) copyGroups(own *Filter) {
	var ids groupIDs
	pieces := 0
	for r := range p.runs(geom.Vertex) {
		pieces++
		if r.piece.Filter.group[geom.Vertex] != nil && own.group[geom.Vertex] == nil {
			for s := range own.group {
				own.group[s] = slices.Repeat([]int32{-1}, len(p.chosen[s]))
			}
		}
	}
	if own.group[geom.Vertex] == nil {
		return
	}
	for s := range geom.Shape(len(own.group)) {
		for r := range p.runs(s) {
			group := r.piece.Filter.group[s]
			if group == nil {
				continue
			}
			out := own.group[s][r.from:r.to]
			for i, id := range r.of(p) {
				out[i] = group[id-r.piece.first[s]]
				if pieces > 1 && out[i] >= 0 {
					out[i] = ids.of(r.piece, out[i])
				}
			}
		}
	}
}

// groupIDs numbers the groups of several pieces.
type groupIDs struct {
	ids   map[pieceGroup]int32
	last  pieceGroup // the group of the last vertex, because neighbors often have the same group
	id    int32
	valid bool
}

// pieceGroup is a group of a piece.
type pieceGroup struct {
	piece *Piece
	group int32
}

func (g *groupIDs) of(p *Piece, group int32) int32 {
	key := pieceGroup{p, group}
	if g.valid && g.last == key {
		return g.id
	}
	if g.ids == nil {
		g.ids = map[pieceGroup]int32{}
	}
	id, known := g.ids[key]
	if !known {
		id = int32(len(g.ids))
		g.ids[key] = id
	}
	g.last, g.id, g.valid = key, id, true
	return id
}

// excluded appends the excluded pairs of a kind whose first primitive is in a run, and whose other
// one is in the part. A key begins with the first primitive, so the pairs of each are a run of
// keys.
func (p *Part) excluded(k geom.Kind, r *run, keys, own []uint64) []uint64 {
	s := k.Info().Shapes
	for i, a := range r.of(p) {
		local := a - r.piece.first[s[0]]
		from, _ := slices.BinarySearch(keys, uint64(uint32(local))<<32)
		for _, key := range keys[from:] {
			if int32(key>>32) != local {
				break
			}
			if j, found := slices.BinarySearch(p.chosen[s[1]], int32(uint32(key))+r.piece.first[s[1]]); found {
				own = append(own, uint64(uint32(r.from+i))<<32|uint64(uint32(j)))
			}
		}
	}
	return own
}

// radii returns the radii of the part's primitives: those that they have in their pieces.
func (p *Part) radii() *Radii {
	var one *Radii
	equal, first := true, true
	own := &Radii{}
	for r := range p.runs(geom.Vertex) {
		radii := r.piece.Filter.radii
		equal = equal && radii.Uniform() && (first || radii.Largest() == one.Largest())
		one, first = radii, false
		own.largest, own.mean = max(own.largest, radii.Largest()), max(own.mean, radii.Typical())
	}
	if equal {
		return one
	}
	for s, list := range p.chosen {
		own.shape[s] = make([]float64, 0, len(list))
		for r := range p.runs(geom.Shape(s)) {
			for _, id := range r.of(p) {
				own.shape[s] = append(own.shape[s], r.piece.Filter.radii.Of(r.shape, id-r.piece.first[s]))
			}
		}
	}
	own.around = make([]float64, 0, len(p.chosen[geom.Vertex]))
	for r := range p.runs(geom.Vertex) {
		for _, v := range r.of(p) {
			own.around = append(own.around, r.piece.Filter.radii.Around(v-r.piece.first[geom.Vertex]))
		}
	}
	return own
}

// set is a set of numbers below some n, which lists them in order in a time that depends on how
// many there are.
type set struct {
	words []uint64 // a bit for each number
	some  []uint64 // a bit for each word that is not 0
}

// fit makes room for the numbers below n.
func (s *set) fit(n int) {
	words := (n + 63) / 64
	s.words, s.some = atLeast(s.words, words), atLeast(s.some, (words+63)/64)
}

// atLeast returns a list with zeros after it, if it has fewer than n values.
func atLeast[T any](list []T, n int) []T {
	if n <= len(list) {
		return list
	}
	return append(list, make([]T, n-len(list))...)
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
