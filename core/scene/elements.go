package scene

import (
	"ccd/core/bound"
	"ccd/core/geom"
	"ccd/core/mesh"
)

// elements are the elements of the scene's parts, with their boxes.
type elements struct {
	parts *mesh.Assembly
	last  *mesh.Piece // that of the last element: the next one is often of the same
}

// of returns the part of an element.
func (e *elements) of(i int32) *mesh.Piece {
	if e.last == nil || !e.last.Has(mesh.Elements, i) {
		e.last = e.parts.At(mesh.Elements, i)
	}
	return e.last
}

// radius returns the largest radius of a vertex of an element, which is at least that of each
// primitive in it.
func radius(p *mesh.Piece, vertices []int32) (r float64) {
	if radii := p.Filter.Radii(); radii.Uniform() {
		return radii.Largest()
	}
	for _, v := range vertices {
		r = max(r, p.Radius(v))
	}
	return r
}

// rest returns the box of an element where its vertices are at x, inflated by its radius: with
// moving, inflated for a separation of 2m, it has the law of bound.Inflation.
//
// Law. Let a primitive of element A and one of element B come within their separation at a time of
// the step, m the minimum separation. Then the box of the motion of A, inflated by
// bound.Inflation(2m, radius(A)), and that of B, inflated by bound.Inflation(0, radius(B)),
// overlap. Proof: as that of bound.Inflation. The two inflations are at least (m + r_A)(1 + 2^-52)
// and r_B (1 + 2^-52), Half(2m) being m. Their sum is at least (m + r_A + r_B)(1 + 2^-52), which is
// no less than the separation, rounded up, of any pair of primitives in A and B, whose radii are at
// most r_A and r_B.
func (e *elements) rest(i int32, x []float64) bound.Box { return restOf(e.of(i), i, x) }

// restOf is rest for an element of the part p. Workers may call it at once.
func restOf(p *mesh.Piece, i int32, x []float64) bound.Box {
	var room [3]int32
	v := p.Element(i, &room)
	b := boxAt(x, v)
	b.Inflate(bound.Inflation(0, radius(p, v)))
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

// piecesAt calls f for each vertex in a rising list, and the part that it is in.
func piecesAt(parts *mesh.Assembly, vertices []int32, f func(p *mesh.Piece, v int32)) {
	var p *mesh.Piece
	for _, v := range vertices {
		p = parts.Same(p, geom.Vertex, v)
		f(p, v)
	}
}
