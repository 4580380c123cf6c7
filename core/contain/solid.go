package contain

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/bvh"
	"ccd/core/geom"
)

// Triangle is the three corners of a triangle, whose coordinates are at most geom.MaxCoordinate in
// magnitude.
type Triangle = [3]geom.Vec

// Solid is a surface with a tree of boxes. It does not change: threads may share it.
type Solid struct {
	tri    []Triangle // the triangles, in the order of the leaves
	face   []int32    // the caller's number of each triangle of tri
	part   []int32    // the connected component of each triangle of tri
	firsts []int32    // the least face of each component; components ascend by it
	corner []geom.Vec // a corner of each component
	closed []bool     // whether a component is closed
	nodes  []node
	far    float64 // the greatest magnitude of a coordinate
	open   error   // nil, or which edge of the surface is not closed
}

// node is a node of the tree: the triangles tri[first : first+count] lie in its box.
type node struct {
	lo, hi geom.Vec
	left   int32 // the children are left and left+1; 0 at a leaf
	first  int32
	count  int32
}

// leafMost is the most triangles of a leaf.
const leafMost = 4

// New returns the solid of at least one triangle; triangle i is faces[i] in its errors. Nothing of
// the argument is kept, and the result does not depend on the number of threads.
func New(tri []bvh.Triangle, threads int) *Solid {
	return NewWhile(tri, threads, func() bool { return true })
}

// lookEvery is how many triangles are taken between two looks at goOn.
const lookEvery = 2048

// NewWhile is New, or nil where goOn, which is called every few milliseconds, returns false.
func NewWhile(tri []bvh.Triangle, threads int, goOn func() bool) *Solid {
	tree := bvh.Clusters(bvh.Boxes(tri), leafMost, threads)
	if !goOn() {
		return nil
	}
	s := &Solid{
		tri: make([]Triangle, len(tri)), face: tree.Order, part: make([]int32, len(tri)),
		nodes: make([]node, len(tree.Nodes)),
	}
	for i, f := range tree.Order {
		for c, p := range tri[f] {
			s.tri[i][c] = vec(p)
			s.far = max(s.far, geom.MaxAbs(p))
		}
	}
	// Children stand behind their parents.
	for i := len(tree.Nodes) - 1; i >= 0; i-- {
		from := tree.Nodes[i]
		n := &s.nodes[i]
		n.left, n.first, n.count = from.Left, from.First, from.Count
		n.lo, n.hi = geom.Vec{math.Inf(1), math.Inf(1), math.Inf(1)}, geom.Vec{math.Inf(-1), math.Inf(-1), math.Inf(-1)}
		if n.left != 0 {
			for _, c := range s.nodes[n.left : n.left+2] {
				n.widen(&c.lo)
				n.widen(&c.hi)
			}
			continue
		}
		for t := n.first; t < n.first+n.count; t++ {
			for c := range 3 {
				n.widen(&s.tri[t][c])
			}
		}
	}
	w := weld(tri, goOn)
	if w.corners == nil {
		return nil
	}
	if s.components(w); !goOn() {
		return nil
	}
	if s.findSeams(w, goOn) {
		return s
	}
	return nil
}

func vec(p r3.Vec) geom.Vec { return geom.Vec{p.X, p.Y, p.Z} }

// widen makes the box hold a point.
func (n *node) widen(p *geom.Vec) {
	for k := range 3 {
		n.lo[k], n.hi[k] = min(n.lo[k], p[k]), max(n.hi[k], p[k])
	}
}

// Closed returns nil, or an error that names an edge at which the surface is not closed.
func (s *Solid) Closed() error { return s.open }

// Components returns how many connected components the surface has: triangles with a corner at the
// same position are in one.
func (s *Solid) Components() int { return len(s.firsts) }

// Corner returns a corner of a component.
func (s *Solid) Corner(component int) *geom.Vec { return &s.corner[component] }

// welded is triangles by the numbers of their positions.
type welded struct {
	corners [][3]int32
	n       int
}

// weld numbers the positions of corners. Zeros of both signs are one. It returns none where goOn
// returns false.
func weld(tri []bvh.Triangle, goOn func() bool) welded {
	known := make(map[r3.Vec]int32, len(tri)/2+2)
	w := welded{corners: make([][3]int32, len(tri))}
	for i := range tri {
		if i%lookEvery == 0 && !goOn() {
			return welded{}
		}
		for c, p := range tri[i] {
			p = r3.Add(p, r3.Vec{}) // -0 + 0 is 0
			id, ok := known[p]
			if !ok {
				id = int32(len(known))
				known[p] = id
			}
			w.corners[i][c] = id
		}
	}
	w.n = len(known)
	return w
}

// components finds the connected components.
func (s *Solid) components(w welded) {
	root := make([]int32, w.n)
	for i := range root {
		root[i] = int32(i)
	}
	find := func(i int32) int32 {
		for root[i] != i {
			root[i] = root[root[i]]
			i = root[i]
		}
		return i
	}
	for _, c := range w.corners {
		a := find(c[0])
		for _, other := range c[1:] {
			if b := find(other); a != b {
				root[b] = a
			}
		}
	}
	number, of := make(map[int32]int32), make([]int32, len(w.corners))
	for f, c := range w.corners {
		r := find(c[0])
		k, ok := number[r]
		if !ok {
			k = int32(len(number))
			number[r] = k
			s.firsts = append(s.firsts, int32(f))
		}
		of[f] = k
	}
	s.corner = make([]geom.Vec, len(s.firsts))
	for i, f := range s.face {
		s.part[i] = of[f]
		if s.firsts[of[f]] == f {
			s.corner[of[f]] = s.tri[i][0]
		}
	}
}
