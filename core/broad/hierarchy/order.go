package hierarchy

import (
	"sync/atomic"

	"ccd/core/bound"
	"ccd/core/geom"
	"ccd/core/mesh"
)

// An Order is what a mesh has of its hierarchies: the order of its primitives, and which of them
// share vertices. It holds no positions. It is made once, for positions that it was made for to be
// fast; it serves all others with the same pairs. It may be used by many goroutines.
type Order struct {
	trees    []*tree
	families []family

	calls  atomic.Int64 // searches by this order so far
	blocks atomic.Int64 // pairs of blocks of its first search; 0: none yet
	stale  atomic.Bool  // a search has compared far more pairs of blocks than the first one

	doubtful atomic.Bool  // a search left many pairs to doubles
	pause    atomic.Int64 // searches during which it is of no use to know that
}

// family is the pairs of one kind: of primitives of a with some of b, or with self the unordered
// pairs of a.
type family struct {
	kind geom.Kind
	a, b *tree
	self bool
	near incidence
}

// Make makes the order of a mesh whose vertices are where mo begins, by cuts of the centers of its
// primitives in the space.
func Make(m *mesh.Mesh, mo *geom.Trajectories, space *bound.RecordSpace) *Order {
	c := maker{m: m, mo: mo, space: space}
	o := &Order{}
	particles := make([]int32, 0, m.NV)
	for v := range int32(m.NV) {
		if !m.Ignores(v) {
			particles = append(particles, v)
		}
	}
	pair := func(k geom.Kind, a, b *tree) {
		self := a == b
		if a.n == 0 || b.n == 0 || self && a.n < 2 {
			return
		}
		o.families = append(o.families, family{kind: k, a: a, b: b, self: self})
	}
	vertices, edges, faces := c.tree(geom.Vertex, particles), c.all(geom.Edge), c.all(geom.Face)
	points, rods := c.tree(geom.Vertex, m.EdgePoints), c.tree(geom.Edge, m.CodimEdges)
	alone := c.tree(geom.Vertex, withoutIgnored(m, m.CodimVertices))
	pair(geom.VertexFace, vertices, faces)
	pair(geom.EdgeEdge, edges, edges)
	pair(geom.PointEdge, points, rods)
	pair(geom.PointPoint, alone, alone)
	o.keepUsed([]*tree{vertices, edges, faces, points, rods, alone})
	for i := range o.families {
		f := &o.families[i]
		f.near = incident(f.a, f.b, f.self, m.NV)
	}
	return o
}

// withoutIgnored returns the vertices that the mesh does not ignore.
func withoutIgnored(m *mesh.Mesh, list []int32) (out []int32) {
	for _, v := range list {
		if !m.Ignores(v) {
			out = append(out, v)
		}
	}
	return out
}

// keepUsed keeps the trees that a family has, all of the height of the highest.
func (o *Order) keepUsed(all []*tree) {
	height := 0
	for _, t := range all {
		used := false
		for i := range o.families {
			used = used || o.families[i].a == t || o.families[i].b == t
		}
		if used {
			o.trees = append(o.trees, t)
			height = max(height, len(t.nodes))
		}
	}
	for _, t := range o.trees {
		for len(t.nodes) < height {
			t.nodes = append(t.nodes, 1)
		}
	}
}

// Bytes returns the memory of the order.
func (o *Order) Bytes() int64 {
	n := 0
	for _, t := range o.trees {
		n += 4 * (cap(t.ids) + cap(t.corners))
	}
	for i := range o.families {
		n += o.families[i].near.bytes()
	}
	return int64(n)
}

// When an order is made anew. Only speed depends on it.
const (
	staleAfter = 32  // searches that an order serves at least: to make it takes as long as some of them by the grid
	staleRatio = 1.5 // how many more pairs of blocks than its first search a search compares with a stale order
)

// note counts a search that compared some pairs of blocks.
func (o *Order) note(blocks int64) {
	calls := o.calls.Add(1)
	if o.blocks.CompareAndSwap(0, max(1, blocks)) {
		return
	}
	if calls > staleAfter && float64(blocks) > staleRatio*float64(o.blocks.Load()) {
		o.stale.Store(true)
	}
}

// Stale reports whether the order should be made anew: positions have changed so that searches
// compare far more pairs of blocks than the first one.
func (o *Order) Stale() bool { return o.stale.Load() }
