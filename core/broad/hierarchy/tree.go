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
}

// build makes the tree of the primitives ids, in any order.
func (t *tree) build(c *maker) {
	const group = box.Children * box.Children
	n, width := len(t.ids), t.shape.Vertices()
	cells := c.inOrder(t.shape, t.ids)
	t.n, t.ids, t.corners = n, make([]int32, (n+group-1)/group*group), make([]int32, 0, width*n)
	for i := range t.ids {
		if i >= n {
			t.ids[i] = -1
			continue
		}
		t.ids[i] = cells[i].id
		t.corners = append(t.corners, c.verticesOf(t.shape, cells[i].id)...)
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

// center is the mean of the vertices of a primitive, in the space.
type center struct {
	at [3]float32
	id int32
}

// inOrder returns the primitives in their order: a search is fast where each block, each 8 blocks
// and so on are near each other.
func (c *maker) inOrder(s geom.Shape, ids []int32) []center {
	cells := make([]center, len(ids))
	part := 1 / float64(s.Vertices())
	for i, id := range ids {
		cell := center{id: id}
		for k := range cell.at {
			x := 0.0
			for _, v := range c.verticesOf(s, id) {
				x += float64(part * c.mo.Rec[8*int(v)+k])
			}
			cell.at[k] = float32(c.space.Scale * (x - c.space.C[0][k]))
		}
		cells[i] = cell
	}
	cut(cells)
	return cells
}

// cut puts primitives in order: it cuts them in two across their longest side, at a multiple of the
// largest power of 8 that is less than their number, so that nodes are cells, and so on.
func cut(c []center) {
	for len(c) > box.Children {
		unit := box.Children
		for unit*box.Children < len(c) {
			unit *= box.Children
		}
		left := (len(c) + unit - 1) / unit / 2 * unit // One unit or more, and less than all.
		nth(c, left, longest(c))
		cut(c[:left])
		c = c[left:]
	}
}

// longest returns the axis along which the centers extend the most.
func longest(c []center) int {
	lo, hi := c[0].at, c[0].at
	for i := range c {
		x := &c[i].at
		for k := range 3 {
			lo[k], hi[k] = min(lo[k], x[k]), max(hi[k], x[k])
		}
	}
	axis := 0
	for k := 1; k < 3; k++ {
		if hi[k]-lo[k] > hi[axis]-lo[axis] {
			axis = k
		}
	}
	return axis
}

// nth brings the centers before the k-th along an axis before it, and those after it behind:
// Hoare's selection.
func nth(c []center, k, axis int) {
	for lo, hi := 0, len(c)-1; lo < hi; {
		pivot := c[lo+(hi-lo)/2].at[axis]
		i, j := lo, hi
		for i <= j {
			for c[i].at[axis] < pivot {
				i++
			}
			for c[j].at[axis] > pivot {
				j--
			}
			if i <= j {
				c[i], c[j] = c[j], c[i]
				i++
				j--
			}
		}
		switch {
		case k <= j:
			hi = j
		case k >= i:
			lo = i
		default:
			return
		}
	}
}
