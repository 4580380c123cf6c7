package rigid

import (
	"cmp"
	"math"
	"slices"
	"unsafe"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/bvh"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/num"
)

// ends is a box at T0 and one at T1. Points that lie in them at the two ends and move on straight lines lie, at every time between,
// in the box between the two.
type ends [2]bvh.Box

func (e *ends) with(f *ends) {
	for k := range e {
		a, b := &e[k], &f[k]
		a.Lo = r3.Vec{X: min(a.Lo.X, b.Lo.X), Y: min(a.Lo.Y, b.Lo.Y), Z: min(a.Lo.Z, b.Lo.Z)}
		a.Hi = r3.Vec{X: max(a.Hi.X, b.Hi.X), Y: max(a.Hi.Y, b.Hi.Y), Z: max(a.Hi.Z, b.Hi.Z)}
	}
}

// meshTree is a tree over the elements of a mesh with their boxes at both ends. It decides which pairs are asked about and in which
// order, never what they answer: its topology is kept from call to call until boxes have grown.
type meshTree struct {
	mesh   *mesh.Mesh
	x0, x1 []float64 // of the call
	tree   *bvh.Tree
	ends   []ends // of the nodes
	cost   float64
	stack  []int32
}

// elements is how many the mesh has. They are numbered: faces, then edges in no face, then vertices in no edge.
func (m *meshTree) elements() int {
	return len(m.mesh.Faces) + len(m.mesh.CodimEdges) + len(m.mesh.CodimVertices)
}

// element is what e is, its index in the mesh, and its corners: those of an edge and a vertex repeat.
func (m *meshTree) element(e int32) (what Element, index int32, corners [3]int32) {
	if e < int32(len(m.mesh.Faces)) {
		return MeshFace, e, m.mesh.Faces[e]
	}
	e -= int32(len(m.mesh.Faces))
	if e < int32(len(m.mesh.CodimEdges)) {
		i := m.mesh.CodimEdges[e]
		a, b := m.mesh.Edges[i][0], m.mesh.Edges[i][1]
		return MeshEdge, i, [3]int32{a, b, b}
	}
	v := m.mesh.CodimVertices[e-int32(len(m.mesh.CodimEdges))]
	return MeshVertex, v, [3]int32{v, v, v}
}

// worn is how much larger than when the tree was built its boxes may grow, in sum, before it is built anew.
const worn = 2

// load brings the tree to two frames.
func (m *meshTree) load(of *mesh.Mesh, x0, x1 []float64, still bool, threads int) {
	if still {
		x1 = x0
	}
	if m.mesh != of {
		*m = meshTree{mesh: of, stack: m.stack}
	}
	m.x0, m.x1 = x0, x1
	if m.elements() == 0 {
		return
	}
	if m.tree != nil && m.fit() <= worn*m.cost {
		return
	}
	boxes := make([]bvh.Box, m.elements())
	for i := range boxes {
		e := m.endsOf(int32(i))
		e.with(&ends{e[1], e[0]})
		boxes[i] = e[0]
	}
	m.tree = bvh.Build(boxes, threads)
	m.ends = slices.Grow(m.ends[:0], len(m.tree.Nodes))[:len(m.tree.Nodes)]
	m.cost = m.fit()
}

// endsOf are an element's boxes.
func (m *meshTree) endsOf(e int32) ends {
	_, _, corners := m.element(e)
	var out ends
	for i, v := range corners {
		p, q := geom.VecOf(m.x0[3*v:]), geom.VecOf(m.x1[3*v:])
		one := ends{{Lo: p, Hi: p}, {Lo: q, Hi: q}}
		if i == 0 {
			out = one
		}
		out.with(&one)
	}
	return out
}

// fit makes the boxes of all nodes, children before parents, and returns the sum of their half perimeters over both ends.
func (m *meshTree) fit() (cost float64) {
	for i := len(m.ends) - 1; i >= 0; i-- {
		n, e := &m.tree.Nodes[i], &m.ends[i]
		if n.Count == 1 {
			*e = m.endsOf(m.tree.Order[n.First])
			continue
		}
		*e = m.ends[n.Left]
		e.with(&m.ends[n.Left+1])
		for k := range e {
			d := r3.Sub(e[k].Hi, e[k].Lo)
			cost += d.X + d.Y + d.Z
		}
	}
	return cost
}

// meshPair is a body and an element that may come within reach of each other, but not before start.
type meshPair struct {
	start   float64
	body    int32
	element int32
}

// leastPairs is how many pairs are listed at once however little memory there may be.
const leastPairs = 1 << 12

// find lists the pairs that are asked about, by body and in the order in which they may meet, and hands them to answer in as many
// portions as the memory limit asks for, with the part of the bodies that will be done then.
func (s *MeshScene) find(answer func(upTo float64) error) error {
	s.pairs = s.pairs[:0]
	if s.tree.elements() == 0 {
		return nil
	}
	most := math.MaxInt
	if s.MemoryLimit > 0 {
		most = int(max(min(s.MemoryLimit/uint64(unsafe.Sizeof(meshPair{})), math.MaxInt32), leastPairs))
	}
	for i := range s.Bodies {
		a := approach{body: int32(i)}
		a.set(s.Bodies[i], &s.Motions[i], &s.options)
		for s.tree.stack = append(s.tree.stack[:0], 0); len(s.tree.stack) > 0; {
			from := len(s.pairs)
			s.pairs = s.tree.near(&a, s.pairs, most)
			slices.SortFunc(s.pairs[from:], func(x, y meshPair) int {
				return cmp.Or(cmp.Compare(x.start, y.start), cmp.Compare(x.element, y.element))
			})
			if len(s.pairs) >= most {
				if err := answer(float64(i) / float64(len(s.Bodies))); err != nil {
					return err
				}
				s.pairs = s.pairs[:0]
			}
		}
	}
	return answer(1)
}

// near appends the elements that the body may come near to, until there are as many pairs as there may be, from the stack on.
func (m *meshTree) near(a *approach, pairs []meshPair, most int) []meshPair {
	for len(m.stack) > 0 && len(pairs) < most {
		i := m.stack[len(m.stack)-1]
		m.stack = m.stack[:len(m.stack)-1]
		n := &m.tree.Nodes[i]
		start, meet := a.meets(&m.ends[i], n.Count > 1)
		switch {
		case !meet:
		case n.Count == 1:
			pairs = append(pairs, meshPair{start, a.body, m.tree.Order[n.First]})
		default:
			m.stack = append(m.stack, n.Left+1, n.Left)
		}
	}
	return pairs
}

// bytes is the memory of the tree.
func (m *meshTree) bytes() int64 {
	if m.tree == nil {
		return 0
	}
	return int64(len(m.ends))*int64(unsafe.Sizeof(ends{})+unsafe.Sizeof(bvh.Node{})) + int64(4*len(m.tree.Order))
}

// approach is what decides whether a body comes near to boxes that move: its own box over [T0, T1], and the ball about its pivot, which
// moves on a line.
type approach struct {
	body      int32
	swept     Box
	at        [2]place // the pivot, at T0 and at T1
	reach     float64  // of the ball, with the separation and the tolerance
	t0, t1    float64
	span      float64 // T1 - T0, rounded down
	tolerance float64 // separation and tolerance, rounded up
}

// place is a pivot's position as a pair of doubles, hi + lo.
type place struct{ hi, lo r3.Vec }

// placeAt is where the pivot of m is at the time t. Product and sum are exact pairs; adding their low parts rounds by 2^-105 of the terms.
func placeAt(m *Motion, t float64) (p place) {
	one := func(x, v float64) (hi, lo float64) {
		h, l := num.TwoProd(v, t)
		hi, e := num.TwoSum(x, h)
		return hi, e + l
	}
	p.hi.X, p.lo.X = one(m.Position.X, m.Velocity.X)
	p.hi.Y, p.lo.Y = one(m.Position.Y, m.Velocity.Y)
	p.hi.Z, p.lo.Z = one(m.Position.Z, m.Velocity.Z)
	return p
}

// from is x seen from the place, within 2.1u of itself and 2^-104 of the terms that placeAt adds.
func (p *place) from(x r3.Vec) r3.Vec { return r3.Sub(r3.Sub(x, p.hi), p.lo) }

// pair is from as a pair, within 2^-104 of x and the place's terms. Its high part is rounded to nearest.
func (p *place) pair(x r3.Vec) (out place) {
	one := func(x, h, l float64) (hi, lo float64) {
		hi, e := num.TwoDiff(x, h)
		return num.TwoSum(hi, e-l)
	}
	out.hi.X, out.lo.X = one(x.X, p.hi.X, p.lo.X)
	out.hi.Y, out.lo.Y = one(x.Y, p.hi.Y, p.lo.Y)
	out.hi.Z, out.lo.Z = one(x.Z, p.hi.Z, p.lo.Z)
	return out
}

func (a *approach) set(b *Body, m *Motion, o *Options) {
	a.swept = swept(b, m, o.T0, o.T1)
	a.at = [2]place{placeAt(m, o.T0), placeAt(m, o.T1)}
	a.tolerance = num.AddUp(o.Separation, o.Tolerance)
	a.reach = num.AddUp(b.radiusAbout(m.Pivot), a.tolerance)
	// What from loses of the places' own terms, and underflow.
	a.reach = num.AddUp(a.reach, float64(2*pairMargin*path(m, o))+tiny)
	a.t0, a.t1, a.span = o.T0, o.T1, num.SubDown(o.T1, o.T0)
}

// path bounds the terms of a pivot's places.
func path(m *Motion, o *Options) float64 {
	return geom.Norm(m.Position) + float64(geom.Norm(m.Velocity)*(max(math.Abs(o.T0), math.Abs(o.T1))*(1+0x1p-40)))
}

// meets tells whether the body may come near to boxes, and a time before which it does not.
//
// On an axis, seen from the pivot, the near side of the boxes is at (1-f) p0 + f p1 for a fraction f of the interval; the ball is apart
// from it while that exceeds its reach. The computed p are off by 2.1u of themselves, so widened by 16u of the largest they are
// bounds, and so is their combination. With excess a > 0 at T0 and b <= 0 at T1 it stays positive for f < a/(a - b), whose computed value
// errs by 2u; likewise from the other end. If what is apart from the start and what is apart until the end cover [0, 1], then at every
// time some axis separates.
//
// Nodes take eight times the slack of leaves: what they exclude, all of their leaves do, so that the tree has no say in the pairs.
func (a *approach) meets(e *ends, node bool) (start float64, meet bool) {
	hull := *e
	hull.with(&ends{e[1], e[0]})
	lo, hi := components(hull[0].Lo), components(hull[0].Hi)
	for k := range 3 {
		if lo[k] > num.AddUp(a.swept[k].Hi, a.tolerance) || a.swept[k].Lo > num.AddUp(hi[k], a.tolerance) {
			return 0, false
		}
	}
	var p, q [2][3]float64
	most := 0.0
	for k := range 2 {
		x, y := a.at[k].from(e[k].Lo), a.at[k].from(e[k].Hi)
		p[k], q[k] = components(x), components(y)
		most = max(most, geom.MaxAbs(x), geom.MaxAbs(y))
	}
	slack := 0x1p-50
	if node {
		slack = 0x1p-47
	}
	reach := num.AddUp(a.reach, float64(16*u*most))
	first, last := 0.0, 0.0
	for k := range 3 {
		for _, x := range [2][2]float64{{p[0][k] - reach, p[1][k] - reach}, {-q[0][k] - reach, -q[1][k] - reach}} {
			switch {
			case x[0] > 0 && x[1] > 0:
				return 0, false
			case x[0] > 0:
				first = max(first, float64(x[0]/(x[0]-x[1])*(1-slack)))
			case x[1] > 0:
				last = max(last, float64(x[1]/(x[1]-x[0])*(1-slack)))
			}
		}
	}
	if num.AddDown(first, last) > 1 {
		return 0, false
	}
	return min(num.AddDown(a.t0, num.MulDown(first, a.span)), a.t1), true
}
