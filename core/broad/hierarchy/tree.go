package hierarchy

import (
	"ccd/core/bound"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/simd/box"
)

// A tree is some primitives of one shape in an order by space. A block is 8 primitives that follow
// each other. Node i of level 0 holds the boxes of block i; node i of a level above holds those of
// 8 nodes of the level below, from node 8i on.
type tree struct {
	shape   geom.Shape
	n       int     // primitives
	ids     []int32 // The primitive at each place, and -1 beyond the last up to a multiple of 64.
	corners []int32 // The vertices of the primitive at each place below n.
	nodes   []int   // The number on each level, two or more: a multiple of 8 on the first, 1 on the last.
}

// maker makes a tree.
type maker struct {
	m     *mesh.Mesh
	mo    *geom.Trajectories
	space *bound.RecordSpace
	at    []center // where the vertices are
}

// build makes the tree of the primitives ids, in any order.
func (t *tree) build(c *maker) {
	const group = box.Children * box.Children
	n, width := len(t.ids), t.shape.Vertices()
	cells := c.centers(t.shape, t.ids)
	cut(cells)
	t.n, t.ids, t.corners = n, make([]int32, (n+group-1)/group*group), make([]int32, 0, width*n)
	for i := range t.ids {
		if i >= n {
			t.ids[i] = -1
			continue
		}
		id := cells[i][3]
		t.ids[i] = id
		t.corners = append(t.corners, c.verticesOf(t.shape, id)...)
	}
	for m := len(t.ids) / box.Children; ; {
		t.nodes = append(t.nodes, m)
		if m <= 1 && len(t.nodes) > 1 {
			return
		}
		m = (m + box.Children - 1) / box.Children
	}
}

// verticesOf returns the vertices of a primitive.
func (c *maker) verticesOf(s geom.Shape, id int32) []int32 {
	switch s {
	case geom.Edge:
		return c.m.Edges[id][:]
	case geom.Face:
		return c.m.Faces[id][:]
	}
	return []int32{id}
}
