package untangle

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/proximity"
)

// Crossing is all intersections of two objects, or of one with itself. Objects are named by their
// least vertices. Its layout is that of ccd_crossing: 48 bytes, no hidden padding.
type Crossing struct {
	A, B  int64 // A <= B; A = B for an object that crosses itself
	Pairs int64 // the number of pairs of primitives that share a point
	// Edge and Face are the pair of an edge and a face that cross the deepest; -1 where the objects
	// only touch, without an edge that meets a face.
	Edge, Face int64
	// Depth is how far, up to rounding, the nearer end of Edge is beyond the plane of Face: the
	// most of all pairs, 0 for what only touches.
	Depth float64
}

// Crossings returns which objects of m cross or touch where its vertices are at x, sorted by (A,
// B). It is empty if and only if proximity.Intersections is, which is exact.
func Crossings(m *mesh.Mesh, x []float64, o *proximity.Options) ([]Crossing, error) {
	list, err := proximity.Intersections(m, x, o)
	if err != nil {
		return nil, err
	}
	return grouped(m, x, list, objectsOf(m)), nil
}

// objectsOf returns the least vertex of each vertex's component.
func objectsOf(m *mesh.Mesh) []int32 {
	of := m.Components()
	least := make(map[int32]int32, 8)
	out := make([]int32, len(of))
	for v, c := range of {
		if _, ok := least[c]; !ok {
			least[c] = int32(v)
		}
		out[v] = least[c]
	}
	return out
}

// grouped groups intersections by the objects of their first vertices.
func grouped(m *mesh.Mesh, x []float64, list []proximity.Intersection, object []int32) (out []Crossing) {
	number := make(map[[2]int32]int)
	for i := range list {
		p := &list[i]
		v, split := verticesOf(m, p)
		a, b := object[v[0]], object[v[split]]
		if a > b {
			a, b = b, a
		}
		k, ok := number[[2]int32{a, b}]
		if !ok {
			k = len(out)
			number[[2]int32{a, b}] = k
			out = append(out, Crossing{A: int64(a), B: int64(b), Edge: -1, Face: -1})
		}
		c := &out[k]
		c.Pairs++
		if p.Kind != geom.EdgeFace {
			continue
		}
		found := crossOf(x, &v)
		if d := found.depth(); c.Edge < 0 || d > c.Depth {
			c.Edge, c.Face, c.Depth = p.A, p.B, d
		}
	}
	slices.SortFunc(out, func(a, b Crossing) int {
		if a.A != b.A {
			return int(a.A - b.A)
		}
		return int(a.B - b.B)
	})
	return out
}

// verticesOf returns the vertices of a pair, those of its first primitive first, and how many these
// are.
func verticesOf(m *mesh.Mesh, p *proximity.Intersection) (v [5]int32, split int) {
	if p.Kind == geom.EdgeFace {
		e, f := m.Edges[p.A], m.Faces[p.B]
		return [5]int32{e[0], e[1], f[0], f[1], f[2]}, 2
	}
	four := m.Indices(p.Kind, int32(p.A), int32(p.B))
	copy(v[:], four[:])
	return v, p.Kind.Info().Split
}

func at(x []float64, v int32) r3.Vec { return geom.VecOf(x[3*v:]) }

// cross is an edge that meets a face.
type cross struct {
	normal r3.Vec // unit; 0 for a face without an area
	d      [2]float64
	point  r3.Vec
	s      float64    // where the point is on the edge
	w      [3]float64 // the weights of the face's corners in it
}

// crossOf computes where the edge of the first two vertices meets the plane of the other three. An
// edge in the plane meets it in its middle.
func crossOf(x []float64, v *[5]int32) (c cross) {
	p0, p1, q0 := at(x, v[0]), at(x, v[1]), at(x, v[2])
	e1, e2 := r3.Sub(at(x, v[3]), q0), r3.Sub(at(x, v[4]), q0)
	n := geom.Cross(e1, e2)
	length := geom.Norm(n)
	c.s, c.w = 0.5, [3]float64{1. / 3, 1. / 3, 1. / 3}
	c.point = geom.Scale(0.5, r3.Add(p0, p1))
	if !(length > 0) {
		return c
	}
	c.normal = geom.Scale(1/length, n)
	c.d = [2]float64{geom.Dot(c.normal, r3.Sub(p0, q0)), geom.Dot(c.normal, r3.Sub(p1, q0))}
	if c.d[0] != c.d[1] {
		c.s = min(max(c.d[0]/(c.d[0]-c.d[1]), 0), 1)
	}
	c.point = r3.Add(p0, geom.Scale(c.s, r3.Sub(p1, p0)))
	w := r3.Sub(c.point, q0)
	c.w[1] = min(max(geom.Dot(c.normal, geom.Cross(w, e2))/length, 0), 1)
	c.w[2] = min(max(geom.Dot(c.normal, geom.Cross(e1, w))/length, 0), 1)
	c.w[0] = max(1-c.w[1]-c.w[2], 0)
	return c
}

// depth is how far the nearer end of the edge is beyond the plane.
func (c *cross) depth() float64 {
	if c.d[0] < 0 == (c.d[1] < 0) {
		return 0
	}
	return min(math.Abs(c.d[0]), math.Abs(c.d[1]))
}
