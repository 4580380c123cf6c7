package mesh

import (
	"math"
	"slices"
	"sort"
	"sync"

	"ccd/core/geom"
	"ccd/core/status"
)

// Assembly is meshes side by side, its pieces, with numbers of their own for all primitives. It
// copies no topology: a piece is a mesh, the filter that the mesh had, and the first number of each
// shape.
//
// The pieces are in one order for all shapes: all numbers of a piece are below those of the next. A
// number keeps its meaning while its piece is there. A piece that is removed leaves a gap, which a
// later one fills if it fits.
//
// Groups belong to a piece: vertices of different pieces are never of one group, whatever their
// ids. Pairs of two pieces are excluded only if both primitives are static.
type Assembly struct{ pieces []*Piece }

// Elements counts the elements of a mesh like the primitives of a shape.
const Elements geom.Shape = 3

// A Piece is a mesh in an assembly.
type Piece struct {
	Mesh       *Mesh
	Filter     *Filter // the mesh's filter when the piece was added
	first, end [4]int32
}

// Assemble returns an assembly of one piece, whose numbers are those of the mesh.
func Assemble(m *Mesh) *Assembly {
	a := &Assembly{}
	if _, err := a.Add(m); err != nil {
		panic(err) // This cannot happen: a mesh has no more primitives than an assembly may have.
	}
	return a
}

// mostOf is the largest number of primitives of each shape, and of elements: as in CheckSizes.
var mostOf = [4]int64{math.MaxInt32, math.MaxInt32, math.MaxInt32 / 3, math.MaxInt32}

// Add adds a mesh in the first gap that it fits, else after all pieces.
func (a *Assembly) Add(m *Mesh) (*Piece, error) {
	p := &Piece{Mesh: m, Filter: m.Filter()}
	at := 0
	for ; at < len(a.pieces) && !p.fits(a.end(at), a.pieces[at].first); at++ {
	}
	p.first = a.end(at)
	for s := range p.end {
		shape := geom.Shape(s)
		end := int64(p.first[s]) + int64(m.Count(shape))
		if end > mostOf[s] {
			name := "elements"
			if shape != Elements {
				name = shape.Plural()
			}
			return nil, status.Errorf(status.ErrArgument,
				"mesh has %d %s, from number %d on: numbers must be less than %d",
				m.Count(shape), name, p.first[s], mostOf[s])
		}
		p.end[s] = int32(end)
	}
	a.pieces = slices.Insert(a.pieces, at, p)
	return p, nil
}

// end returns the numbers after the first pieces.
func (a *Assembly) end(pieces int) [4]int32 {
	if pieces == 0 {
		return [4]int32{}
	}
	return a.pieces[pieces-1].end
}

// fits reports whether a piece has room in a gap.
func (p *Piece) fits(from, to [4]int32) bool {
	for s := range from {
		if int64(to[s])-int64(from[s]) < int64(p.Mesh.Count(geom.Shape(s))) {
			return false
		}
	}
	return true
}

// Remove takes a piece out of the assembly.
func (a *Assembly) Remove(p *Piece) {
	i := slices.Index(a.pieces, p)
	a.pieces = slices.Delete(a.pieces, i, i+1)
}

// Pieces returns the pieces in order. The list is valid until one is added or removed.
func (a *Assembly) Pieces() []*Piece { return a.pieces }

// Only returns the mesh if it is the only piece and begins at 0; else nil.
func (a *Assembly) Only() *Mesh {
	if len(a.pieces) == 1 && a.pieces[0].first == [4]int32{} {
		return a.pieces[0].Mesh
	}
	return nil
}

// Extent returns the number after the last one of a shape: no number in use is as large.
func (a *Assembly) Extent(s geom.Shape) int { return int(a.end(len(a.pieces))[s]) }

// Count returns how many primitives of a shape there are.
func (a *Assembly) Count(s geom.Shape) (n int) {
	for _, p := range a.pieces {
		n += p.Count(s)
	}
	return n
}

// At returns the piece that has a primitive, or nil.
func (a *Assembly) At(s geom.Shape, i int32) *Piece {
	at := sort.Search(len(a.pieces), func(k int) bool { return a.pieces[k].first[s] > i }) - 1
	// Pieces without primitives of this shape may begin at any number.
	for ; at >= 0 && a.pieces[at].first[s] == a.pieces[at].end[s]; at-- {
	}
	if at < 0 || !a.pieces[at].Has(s, i) {
		return nil
	}
	return a.pieces[at]
}

// Same returns p if it has the primitive, and At otherwise. It is quick where numbers lie together.
func (a *Assembly) Same(p *Piece, s geom.Shape, i int32) *Piece {
	if p != nil && p.Has(s, i) {
		return p
	}
	return a.At(s, i)
}

// Edge returns the vertices of an edge.
func (a *Assembly) Edge(e int32) [2]int32 { return a.At(geom.Edge, e).Edge(e) }

// Face returns the vertices of a face.
func (a *Assembly) Face(f int32) [3]int32 { return a.At(geom.Face, f).Face(f) }

// Allows reports whether a pair of primitives is to be tested, as Filter.Allows.
func (a *Assembly) Allows(k geom.Kind, i, j int32) bool {
	s := k.Info().Shapes
	p, q := a.At(s[0], i), a.At(s[1], j)
	if p == q {
		return p.Filter.Allows(k, i-p.first[s[0]], j-p.first[s[1]])
	}
	for k, piece := range [2]*Piece{p, q} {
		if v := [2]int32{i, j}[k]; s[k] == geom.Vertex && piece.Mesh.Ignores(v-piece.first[geom.Vertex]) {
			return false
		}
	}
	return !p.static(s[0], i) || !q.static(s[1], j)
}

// Has reports whether a primitive, or an element, is in the piece.
func (p *Piece) Has(s geom.Shape, i int32) bool { return p.first[s] <= i && i < p.end[s] }

// First returns the first number of a shape, or of the elements.
func (p *Piece) First(s geom.Shape) int32 { return p.first[s] }

// Count returns the number of primitives of a shape, or of elements.
func (p *Piece) Count(s geom.Shape) int { return int(p.end[s] - p.first[s]) }

// Edge returns the vertices of an edge of the piece.
func (p *Piece) Edge(e int32) [2]int32 {
	v := &p.Mesh.Edges[e-p.first[geom.Edge]]
	return [2]int32{v[0] + p.first[geom.Vertex], v[1] + p.first[geom.Vertex]}
}

// Face returns the vertices of a face of the piece.
func (p *Piece) Face(f int32) [3]int32 {
	v, first := &p.Mesh.Faces[f-p.first[geom.Face]], p.first[geom.Vertex]
	return [3]int32{v[0] + first, v[1] + first, v[2] + first}
}

// faceEdges returns the edges of a face of the piece.
func (p *Piece) faceEdges(f int32) [3]int32 {
	e, first := &p.Mesh.FaceEdges[f-p.first[geom.Face]], p.first[geom.Edge]
	return [3]int32{e[0] + first, e[1] + first, e[2] + first}
}

// Static reports whether a vertex of the piece is static.
func (p *Piece) Static(v int32) bool { return p.static(geom.Vertex, v) }

func (p *Piece) static(s geom.Shape, i int32) bool {
	static := p.Filter.static[s]
	return static != nil && static[i-p.first[s]]
}

// Radius returns the radius of a vertex of the piece.
func (p *Piece) Radius(v int32) float64 {
	return p.Filter.radii.Of(geom.Vertex, v-p.first[geom.Vertex])
}

// Element returns the vertices of an element of the piece, in the memory of out.
func (p *Piece) Element(i int32, out *[3]int32) []int32 {
	v := p.Mesh.element(i-p.first[Elements], out)
	for k := range v {
		v[k] += p.first[geom.Vertex]
	}
	return v
}

// Around calls f for the elements at a vertex of the piece.
func (p *Piece) Around(v int32, f func(element int32)) {
	at := p.Mesh.incident()
	v -= p.first[geom.Vertex]
	for _, e := range at.list[at.start[v]:at.start[v+1]] {
		f(e + p.first[Elements])
	}
}

// incidence is the elements at each vertex: those at v are list[start[v]:start[v+1]].
type incidence struct{ start, list []int32 }

// element returns the vertices of an element of the mesh, in the memory of out. Elements are the
// faces, then the codimensional edges, then the codimensional vertices: every vertex and every edge
// is in one.
func (m *Mesh) element(i int32, out *[3]int32) []int32 {
	if int(i) < len(m.Faces) {
		*out = m.Faces[i]
		return out[:]
	}
	i -= int32(len(m.Faces))
	if int(i) < len(m.CodimEdges) {
		v := &m.Edges[m.CodimEdges[i]]
		out[0], out[1] = v[0], v[1]
		return out[:2]
	}
	out[0] = m.CodimVertices[int(i)-len(m.CodimEdges)]
	return out[:1]
}

// incident returns the elements at each vertex, which the first call finds.
func (m *Mesh) incident() *incidence {
	m.incidenceOnce.Do(m.findIncidence)
	return &m.incidence
}

// incidenceOf is what a mesh keeps of its elements.
type incidenceOf struct {
	incidenceOnce sync.Once
	incidence     incidence
}

func (m *Mesh) findIncidence() {
	start := make([]int32, m.NV+1)
	var room [3]int32
	n := m.Count(Elements)
	for i := range n {
		for _, v := range m.element(int32(i), &room) {
			start[v]++
		}
	}
	sum := int32(0)
	for v := range start {
		sum += start[v]
		start[v] = sum
	}
	list := make([]int32, sum)
	for i := n - 1; i >= 0; i-- {
		for _, v := range m.element(int32(i), &room) {
			start[v]--
			list[start[v]] = int32(i)
		}
	}
	m.incidence = incidence{start, list}
}
