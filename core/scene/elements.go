package scene

import (
	"ccd/core/bound"
	"ccd/core/geom"
	"ccd/core/mesh"
)

// elements numbers the elements of a mesh: its faces, then its codimensional edges, then its codimensional vertices. Every vertex and every edge
// is in one.
type elements struct {
	m     *mesh.Mesh
	radii *mesh.Radii
	start []int32 // the elements at vertex v are list[start[v]:start[v+1]]
	list  []int32
}

// count returns the number of elements.
func (e *elements) count() int { return len(e.m.Faces) + len(e.m.CodimEdges) + len(e.m.CodimVertices) }

// vertices returns the vertices of an element, in the memory of out.
func (e *elements) vertices(i int32, out *[3]int32) []int32 {
	if int(i) < len(e.m.Faces) {
		*out = e.m.Faces[i]
		return out[:]
	}
	i -= int32(len(e.m.Faces))
	if int(i) < len(e.m.CodimEdges) {
		v := &e.m.Edges[e.m.CodimEdges[i]]
		out[0], out[1] = v[0], v[1]
		return out[:2]
	}
	out[0] = e.m.CodimVertices[int(i)-len(e.m.CodimEdges)]
	return out[:1]
}

// addTo adds an element to a part.
func (e *elements) addTo(p *mesh.Part, i int32) {
	if int(i) < len(e.m.Faces) {
		p.AddFace(i)
		return
	}
	i -= int32(len(e.m.Faces))
	if int(i) < len(e.m.CodimEdges) {
		p.AddEdge(e.m.CodimEdges[i])
	} else {
		p.AddVertex(e.m.CodimVertices[int(i)-len(e.m.CodimEdges)])
	}
}

// at returns the elements at a vertex.
func (e *elements) at(v int32) []int32 { return e.list[e.start[v]:e.start[v+1]] }

// index finds the elements at each vertex.
func (e *elements) index() {
	e.start = make([]int32, e.m.NV+1)
	var room [3]int32
	n := e.count()
	for i := range n {
		for _, v := range e.vertices(int32(i), &room) {
			e.start[v]++
		}
	}
	sum := int32(0)
	for v := range e.start {
		sum += e.start[v]
		e.start[v] = sum
	}
	e.list = make([]int32, sum)
	for i := n - 1; i >= 0; i-- {
		for _, v := range e.vertices(int32(i), &room) {
			e.start[v]--
			e.list[e.start[v]] = int32(i)
		}
	}
}

// radius returns the largest radius of a vertex of an element, which is at least that of each primitive in it.
func (e *elements) radius(vertices []int32) (r float64) {
	if e.radii.Uniform() {
		return e.radii.Largest()
	}
	for _, v := range vertices {
		r = max(r, e.radii.Of(geom.Vertex, v))
	}
	return r
}

// rest returns the box of an element where its vertices are at x, inflated by its radius: with moving, inflated for a separation of 2m, it has the law of
// bound.Inflation.
//
// Law. Let a primitive of element A and one of element B come within their separation at a time of the step, m the minimum separation. Then the box of the motion of A,
// inflated by bound.Inflation(2m, radius(A)), and that of B, inflated by bound.Inflation(0, radius(B)), overlap. Proof: as that of bound.Inflation. The two
// inflations are at least (m + r_A)(1 + 2^-52) and r_B (1 + 2^-52), Half(2m) being m. Their sum is at least (m + r_A + r_B)(1 + 2^-52), which is no less than the
// separation, rounded up, of any pair of primitives in A and B, whose radii are at most r_A and r_B.
func (e *elements) rest(i int32, x []float64) bound.Box {
	var room [3]int32
	v := e.vertices(i, &room)
	b := boxAt(x, v)
	b.Inflate(bound.Inflation(0, e.radius(v)))
	return b
}

// boxAt returns the box of some vertices.
func boxAt(x []float64, vertices []int32) bound.Box {
	b := bound.Box{Min: [3]float64(x[3*vertices[0]:]), Max: [3]float64(x[3*vertices[0]:])}
	for _, v := range vertices[1:] {
		for k, c := range x[3*v : 3*v+3] {
			b.Min[k], b.Max[k] = min(b.Min[k], c), max(b.Max[k], c)
		}
	}
	return b
}

// join extends a box by another.
func join(a, b *bound.Box) {
	for k := range 3 {
		a.Min[k], a.Max[k] = min(a.Min[k], b.Min[k]), max(a.Max[k], b.Max[k])
	}
}
