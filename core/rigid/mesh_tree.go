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

// ends is a box at TMin and one at TMax. Points that lie in them at the two ends and move on
// straight lines lie, at every time between, in the box between the two.
type ends [2]bvh.Box

func (e *ends) with(f *ends) {
	for k := range e {
		a, b := &e[k], &f[k]
		a.Lo = r3.Vec{X: min(a.Lo.X, b.Lo.X), Y: min(a.Lo.Y, b.Lo.Y), Z: min(a.Lo.Z, b.Lo.Z)}
		a.Hi = r3.Vec{X: max(a.Hi.X, b.Hi.X), Y: max(a.Hi.Y, b.Hi.Y), Z: max(a.Hi.Z, b.Hi.Z)}
	}
}

// hull returns the box of both.
func (e *ends) hull() bvh.Box {
	h := *e
	h.with(&ends{e[1], e[0]})
	return h[0]
}

// meshTree is a tree over the elements of a mesh. Its leaves are clusters of elements, and its
// nodes have boxes at both ends. It decides which pairs are tested and in which order, never their
// impacts: its topology is kept from call to call until boxes have grown.
//
// A call reads the vertices of each cluster once, 1.2 times as many as there are, and looks at
// elements only where a body comes near.
type meshTree struct {
	mesh     *mesh.Mesh
	x0, x1   []float64 // the positions of the call's step
	nodes    []bvh.Node
	order    []int32 // elements in the order of the leaves
	vertices []int32 // the vertices of the clusters, without repetition
	from     []int32 // node i has the vertices from[i] to from[i+1]-1; inner nodes have none
	ends     []ends  // the boxes of the nodes at both ends
	cost     float64
	stack    []int32
}

// clusterMost is the most elements of a leaf. Between 8 and 32 it hardly changes the time of a
// call.
const clusterMost = 16

// elements returns how many the mesh has. They are numbered: faces, then edges in no face, then
// vertices in no edge.
func (m *meshTree) elements() int {
	return len(m.mesh.Faces) + len(m.mesh.CodimEdges) + len(m.mesh.CodimVertices)
}

// element returns the shape of e, its index in the mesh, and its corners, which repeat for an edge
// and a vertex.
func (m *meshTree) element(e int32) (what Shape, index int32, corners [3]int32) {
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

// worn is the factor by which the sum of the tree's boxes may grow after it was built, before it is
// rebuilt.
const worn = 2

// load fits the tree to the vertices at both ends.
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
	if m.nodes != nil && m.fit() <= worn*m.cost {
		return
	}
	boxes := make([]bvh.Box, m.elements())
	for i := range boxes {
		e := m.endsOf(int32(i))
		boxes[i] = e.hull()
	}
	m.cluster(bvh.Clusters(boxes, clusterMost, threads))
	m.cost = m.fit()
}

// cluster takes a tree, its nodes breadth first, and lists the vertices of its leaves.
func (m *meshTree) cluster(t *bvh.Tree) {
	m.order, m.nodes, m.vertices, m.from = t.Order, append(m.nodes[:0], t.Nodes[0]), m.vertices[:0], m.from[:0]
	for i := 0; i < len(m.nodes); i++ {
		n := m.nodes[i]
		first := len(m.vertices)
		m.from = append(m.from, int32(first))
		if n.Left > 0 {
			m.nodes[i].Left = int32(len(m.nodes))
			m.nodes = append(m.nodes, t.Nodes[n.Left], t.Nodes[n.Left+1])
			continue
		}
		for _, e := range m.order[n.First : n.First+n.Count] {
			_, _, corners := m.element(e)
			m.vertices = append(m.vertices, corners[:]...)
		}
		slices.Sort(m.vertices[first:])
		m.vertices = m.vertices[:first+len(slices.Compact(m.vertices[first:]))]
	}
	m.from = append(m.from, int32(len(m.vertices)))
	m.ends = slices.Grow(m.ends[:0], len(m.nodes))[:len(m.nodes)]
}

// endsOf returns an element's boxes.
func (m *meshTree) endsOf(e int32) ends {
	_, _, corners := m.element(e)
	return ends{boxAround(m.x0, corners[:]), boxAround(m.x1, corners[:])}
}

// fit makes the boxes of all nodes, children before parents, and returns the sum of their half
// perimeters over both ends.
func (m *meshTree) fit() (cost float64) {
	for i := len(m.ends) - 1; i >= 0; i-- {
		e := &m.ends[i]
		if left := m.nodes[i].Left; left > 0 {
			*e = m.ends[left]
			e.with(&m.ends[left+1])
		} else {
			v := m.vertices[m.from[i]:m.from[i+1]]
			*e = ends{boxAround(m.x0, v), boxAround(m.x1, v)}
		}
		for k := range e {
			d := r3.Sub(e[k].Hi, e[k].Lo)
			cost += d.X + d.Y + d.Z
		}
	}
	return cost
}

// boxAround returns the box of some vertices. It branches, since a new extreme is rare: three times
// as fast here as min and max.
func boxAround(x []float64, vertices []int32) bvh.Box {
	p := geom.VecOf(x[3*vertices[0]:])
	lo, hi := p, p
	for _, v := range vertices[1:] {
		p := (*[3]float64)(x[3*int(v):])
		if p[0] < lo.X {
			lo.X = p[0]
		} else if p[0] > hi.X {
			hi.X = p[0]
		}
		if p[1] < lo.Y {
			lo.Y = p[1]
		} else if p[1] > hi.Y {
			hi.Y = p[1]
		}
		if p[2] < lo.Z {
			lo.Z = p[2]
		} else if p[2] > hi.Z {
			hi.Z = p[2]
		}
	}
	return bvh.Box{Lo: lo, Hi: hi}
}

// meshPair is a body and a cluster that may come within reach of each other, but not before start.
type meshPair struct {
	start float64
	body  int32
	node  int32
}

// leastPairs is how many pairs are listed at once however little memory there may be.
const leastPairs = 1 << 12

// pairsShare is the part of a memory limit that pairs may take: they grow by a quarter at a time,
// old and new beside each other, so that a quarter of the limit may become 9/16 of it, and the rest
// is for what is found.
const pairsShare = 4

// find lists the pairs of bodies and clusters that may meet, in the order in which they may, and
// hands them to solve in as many portions as the memory limit asks for, with the part of the bodies
// that will be done then.
func (s *MeshScene) find(solve func(upTo float64) error) error {
	s.pairs = s.pairs[:0]
	if s.tree.elements() == 0 {
		return nil
	}
	most := math.MaxInt
	if s.MemoryLimit > 0 {
		most = int(max(min(s.MemoryLimit/(pairsShare*uint64(unsafe.Sizeof(meshPair{}))), math.MaxInt32), leastPairs))
	}
	s.ways = slices.Grow(s.ways[:0], len(s.Bodies))[:len(s.Bodies)]
	for i := range s.Bodies {
		a := &s.ways[i]
		o := s.optionsOf(int32(i))
		o.MinSeparation = num.AddUp(o.MinSeparation, s.Bodies[i].grown.outer)
		a.set(s.Bodies[i], &s.Motions[i], &o)
		if _, meet := a.meets(&s.tree.ends[0], true); !meet {
			continue
		}
		a.cut(s.Bodies[i], &s.Motions[i])
		for s.tree.stack = append(s.tree.stack[:0], 0); len(s.tree.stack) > 0; {
			s.pairs = s.tree.clustersNear(a, int32(i), s.pairs, most)
			if len(s.pairs) >= most {
				if err := s.inOrder(solve, float64(i)/float64(len(s.Bodies))); err != nil {
					return err
				}
			}
		}
	}
	return s.inOrder(solve, 1)
}

// inOrder hands over the pairs that are listed.
func (s *MeshScene) inOrder(solve func(upTo float64) error, upTo float64) error {
	slices.SortFunc(s.pairs, func(x, y meshPair) int {
		return cmp.Or(cmp.Compare(x.start, y.start), cmp.Compare(x.body, y.body), cmp.Compare(x.node, y.node))
	})
	err := solve(upTo)
	s.pairs = s.pairs[:0]
	return err
}

// clustersNear appends the clusters that the body may come near to, until there are as many pairs
// as there may be, from the stack on.
func (m *meshTree) clustersNear(a *approach, body int32, pairs []meshPair, most int) []meshPair {
	for len(m.stack) > 0 && len(pairs) < most {
		i := m.stack[len(m.stack)-1]
		m.stack = m.stack[:len(m.stack)-1]
		start, meet := a.meets(&m.ends[i], true)
		switch left := m.nodes[i].Left; {
		case !meet:
		case left == 0:
			pairs = append(pairs, meshPair{start, body, i})
		default:
			m.stack = append(m.stack, left+1, left)
		}
	}
	return pairs
}

// bytes returns the memory of the tree.
func (m *meshTree) bytes() int64 {
	return int64(len(m.ends))*int64(unsafe.Sizeof(ends{})+unsafe.Sizeof(bvh.Node{})+4) +
		int64(4*(len(m.order)+len(m.vertices)))
}
