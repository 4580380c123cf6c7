package broad

import (
	"math"

	"ccd/core/geom"
	"ccd/core/mesh"
)

// When a mesh gets an order, and how it is made. Only speed depends on it.
const (
	orderLeast  = 1 << 15 // vertices below which caches hold what an order would bring together
	orderAfter  = 3       // the call, of those that an order would serve, that makes it: as long as they lose
	orderJumps  = 0.25    // the part of neighbors in memory that are far apart, from which on an order pays
	orderSample = 128     // neighbors in memory that are looked at, of each shape
	orderReach  = 8       // how many lengths of an edge, or distances of vertices as if they filled their box, are far
	orderPause  = 64      // calls after which an order is tried again where none helped
)

// Renumber says when meshes get an order.
type Renumber int

const (
	RenumberIfItPays Renumber = iota
	RenumberNever             // RenumberNever and RenumberAlways are for tests.
	RenumberAlways
)

// Renumbering is RenumberIfItPays but in tests.
var Renumbering = RenumberIfItPays

// orderFor returns the order of a mesh that suits a step, or nil.
func orderFor(m *mesh.Mesh, mo *geom.Trajectories) *mesh.Order {
	switch {
	case Renumbering == RenumberNever || m.IgnoresSome() ||
		// Lists of these are in the mesh's own numbers.
		len(m.CodimVertices) > 0 || len(m.CodimEdges) > 0 || len(m.Faces) == 0:
		return nil
	case Renumbering == RenumberAlways:
		return m.UpdateOrder(func(*mesh.Order, int) (*mesh.Order, int) { return makeOrder(m, mo), 0 })
	case m.NV < orderLeast:
		return nil
	}
	return m.UpdateOrder(func(o *mesh.Order, calls int) (*mesh.Order, int) {
		s := jumpSampler{m: m, mo: mo}
		if o != nil && s.jumps(o) <= orderJumps+o.Jumps {
			return o, 0
		}
		if calls++; calls < 0 {
			return nil, calls
		}
		now := s.jumps(nil)
		switch {
		case now <= orderJumps:
			return nil, 0
		case calls < orderAfter:
			return nil, calls
		}
		o = makeOrder(m, mo)
		if o.Jumps = s.jumps(o); o.Jumps > now/2 {
			return nil, -orderPause
		}
		return o, 0
	})
}

// jumpSampler looks at neighbors in memory.
type jumpSampler struct {
	m     *mesh.Mesh
	mo    *geom.Trajectories
	reach float64 // what is farther apart is far; 0: not known yet
}

// jumps returns the part of sampled neighbors in memory that are far apart at the start: vertices,
// edges and faces of an order, or of the mesh itself.
func (s *jumpSampler) jumps(o *mesh.Order) float64 {
	if s.reach == 0 {
		s.measure()
	}
	number := func(ids []int32, i int) int32 {
		if ids == nil {
			return int32(i)
		}
		return ids[i]
	}
	var vertices, edges, faces []int32
	if o != nil {
		vertices, edges, faces = o.Vertices, o.EdgeIDs, o.FaceIDs
	}
	far, of := 0, 0
	for shape, ids := range [3][]int32{vertices, edges, faces} {
		n := s.m.Count(geom.Shape(shape))
		step := 1 + n/orderSample
		var v [1]int32
		for i := 0; i+1 < n; i += step {
			a := verticesOf(s.m, geom.Shape(shape), number(ids, i), &v)[0]
			b := verticesOf(s.m, geom.Shape(shape), number(ids, i+1), &v)[0]
			if s.distance(a, b) > s.reach {
				far++
			}
			of++
		}
	}
	return float64(far) / float64(max(of, 1))
}

// measure sets reach.
func (s *jumpSampler) measure() {
	n, length, sampled := len(s.m.Edges), 0.0, 0
	lo, hi := [3]float64{}, [3]float64{}
	for i := 0; i < n; i += 1 + n/orderSample {
		e := s.m.Edges[i]
		length += s.distance(e[0], e[1])
		for k, x := range s.mo.Rec[8*int(e[0]):][:3] {
			if sampled == 0 {
				lo[k], hi[k] = x, x
			}
			lo[k], hi[k] = min(lo[k], x), max(hi[k], x)
		}
		sampled++
	}
	length /= float64(max(sampled, 1))
	volume := 1.0
	for k := range lo {
		volume *= math.Cbrt(hi[k] - lo[k])
	}
	s.reach = orderReach * max(length, volume/math.Cbrt(float64(s.m.NV)), math.SmallestNonzeroFloat64)
}

// distance returns the distance of two vertices at the start, in the max norm.
func (s *jumpSampler) distance(a, b int32) (d float64) {
	x, y := s.mo.Rec[8*int(a):][:3], s.mo.Rec[8*int(b):][:3]
	for k := range x {
		d = max(d, math.Abs(x[k]-y[k]))
	}
	return d
}

// codeBits is the number of bits of a Morton code along each axis.
const codeBits = 10

// makeOrder makes the order of a mesh whose vertices are where mo begins: vertices along a Morton
// curve, edges and faces by the last place of a vertex, whose others are in cache then.
func makeOrder(m *mesh.Mesh, mo *geom.Trajectories) *mesh.Order {
	o := &mesh.Order{Place: make([]int32, m.NV), Vertices: make([]int32, m.NV)}
	for i, c := range sortCodes(mortonCodes(mo)) {
		v := int32(uint32(c))
		o.Vertices[i], o.Place[v] = v, int32(i)
	}
	first := make([]int32, m.NV+1)
	keys := make([]int32, max(len(m.Edges), len(m.Faces)))
	o.Edges, o.EdgeIDs = make([][2]int32, len(m.Edges)), make([]int32, len(m.Edges))
	for i, e := range m.Edges {
		keys[i] = max(o.Place[e[0]], o.Place[e[1]])
	}
	byKey(keys[:len(m.Edges)], first, func(i int, at int32) {
		e := &m.Edges[i]
		o.Edges[at], o.EdgeIDs[at] = [2]int32{o.Place[e[0]], o.Place[e[1]]}, int32(i)
	})
	o.Faces, o.FaceIDs = make([][3]int32, len(m.Faces)), make([]int32, len(m.Faces))
	for i, f := range m.Faces {
		keys[i] = max(o.Place[f[0]], o.Place[f[1]], o.Place[f[2]])
	}
	byKey(keys[:len(m.Faces)], first, func(i int, at int32) {
		f := &m.Faces[i]
		o.Faces[at], o.FaceIDs[at] = [3]int32{o.Place[f[0]], o.Place[f[1]], o.Place[f[2]]}, int32(i)
	})
	return o
}

// byKey calls put for each key, with the place of the key in ascending order; equal keys keep their
// order. first has room for the largest key and two more.
func byKey(keys, first []int32, put func(i int, at int32)) {
	clear(first)
	for _, k := range keys {
		first[k+1]++
	}
	for k := 1; k < len(first); k++ {
		first[k] += first[k-1]
	}
	for i, k := range keys {
		put(i, first[k])
		first[k]++
	}
}

// mortonCodes returns the codes of the vertices at the start, each above the number of its vertex:
// codeBits an axis, in cubes.
func mortonCodes(mo *geom.Trajectories) []uint64 {
	lo, hi := [3]float64{}, [3]float64{}
	for v := range mo.N {
		for k, x := range mo.Rec[8*v : 8*v+3] {
			if v == 0 {
				lo[k], hi[k] = x, x
			}
			lo[k], hi[k] = min(lo[k], x), max(hi[k], x)
		}
	}
	size := max(hi[0]-lo[0], hi[1]-lo[1], hi[2]-lo[2])
	codes := make([]uint64, mo.N)
	for v := range codes {
		c := uint32(0)
		for k, x := range mo.Rec[8*v : 8*v+3] {
			if size > 0 {
				c |= spread(uint32((x-lo[k])/size*(1<<codeBits-1))) << k
			}
		}
		codes[v] = uint64(c)<<32 | uint64(v)
	}
	return codes
}

// spread puts two zeros above each of the codeBits low bits.
func spread(x uint32) uint32 {
	x = (x | x<<16) & 0x030000FF
	x = (x | x<<8) & 0x0300F00F
	x = (x | x<<4) & 0x030C30C3
	return (x | x<<2) & 0x09249249
}

// sortCodes sorts by the upper half, codeBits at a time; equal codes keep their order.
func sortCodes(a []uint64) []uint64 {
	const digit = 1<<codeBits - 1
	b := make([]uint64, len(a))
	for shift := 32; shift < 32+3*codeBits; shift += codeBits {
		var first [digit + 2]int32
		for _, x := range a {
			first[x>>shift&digit+1]++
		}
		for i := 1; i < len(first); i++ {
			first[i] += first[i-1]
		}
		for _, x := range a {
			at := &first[x>>shift&digit]
			b[*at] = x
			*at++
		}
		a, b = b, a
	}
	return a
}
