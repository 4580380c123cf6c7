package robot

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
)

// node is eight boxes of a target's tree. Slots that are not used have the mask 0.
type node struct {
	lo, hi [3][8]float64
	half   [8]float64 // half of each box's diagonal
	child  [8]int32   // a node, or ^cluster for a leaf
	mask   [8]uint64  // a bit for each mover, modulo 64, that is tested against a body in the box
}

// boxTree makes the tree of boxes of the clusters of a target. Node 0 has the root's box in slot 0.
type boxTree struct {
	clusters []cluster
	mask     []uint64 // One for each body.
	boxes    []box    // One for each leaf, as those below.
	leaves   []int32  // clusters
	nodes    []node
}

// What the leaf of a target holds at most, so that a box of 12 triangles and 8 vertices is one.
const (
	targetPrimitives = 12
	targetVertices   = 8
)

// clustered divides the primitives of a target's body into clusters, and returns them.
func clustered(all []primitive, list []int32, off float64, out *[]cluster) (made []int32) {
	if len(list) == 0 {
		return nil
	}
	c := makeCluster(all, list[:min(len(list), targetPrimitives)], off)
	if len(list) == 1 || len(list) <= targetPrimitives && len(c.x) <= targetVertices {
		*out = append(*out, c)
		return []int32{int32(len(*out) - 1)}
	}
	middle := func(i int32) r3.Vec {
		b := emptyBox()
		for _, x := range all[i].x {
			b.add(x, 0)
		}
		return b.middle()
	}
	b := emptyBox()
	for _, i := range list {
		b.add(middle(i), 0)
	}
	k := longest(b.extent())
	at := component(b.middle(), k)
	n := 0
	for i := range list {
		if component(middle(list[i]), k) < at {
			list[i], list[n] = list[n], list[i]
			n++
		}
	}
	if n == 0 || n == len(list) {
		n = len(list) / 2
	}
	made = clustered(all, list[:n], off, out)
	return append(made, clustered(all, list[n:], off, out)...)
}

// makeBoxes makes the tree over some clusters; mask is by bodies.
func makeBoxes(clusters []cluster, leaves []int32, mask []uint64) []node {
	t := boxTree{clusters: clusters, mask: mask, leaves: leaves}
	for _, c := range leaves {
		b := emptyBox()
		for i, x := range clusters[c].x {
			b.add(x, clusters[c].r[i])
		}
		t.boxes = append(t.boxes, b.grown(2*clusters[c].off))
	}
	t.nodes = append(t.nodes, node{})
	if len(leaves) == 0 {
		return t.nodes
	}
	t.slot(0, 0, 0, len(leaves))
	child := t.node(0, len(leaves))
	t.nodes[0].child[0] = child
	return t.nodes
}

// slot sets the box of a range of leaves.
func (t *boxTree) slot(n, s, first, last int) {
	b, mask := emptyBox(), uint64(0)
	for i := first; i < last; i++ {
		b.merge(&t.boxes[i])
		mask |= t.mask[t.clusters[t.leaves[i]].body]
	}
	at := &t.nodes[n]
	for k := range 3 {
		at.lo[k][s], at.hi[k][s] = component(b.lo, k), component(b.hi, k)
	}
	at.half[s], at.mask[s] = geom.Norm(b.extent())/2, mask
}

// node makes the node of a range of leaves: the range is divided until there are eight parts.
func (t *boxTree) node(first, last int) int32 {
	parts := [][2]int{{first, last}}
	for len(parts) < 8 {
		best, most := -1, 0.0
		for i, p := range parts {
			if v := t.weight(p[0], p[1]); v > most {
				best, most = i, v
			}
		}
		if best < 0 {
			break
		}
		p := parts[best]
		middle := t.split(p[0], p[1])
		parts[best] = [2]int{p[0], middle}
		parts = append(parts, [2]int{middle, p[1]})
	}
	at := len(t.nodes)
	t.nodes = append(t.nodes, node{})
	for i, p := range parts {
		t.slot(at, i, p[0], p[1])
		child := ^t.leaves[p[0]]
		if p[1]-p[0] > 1 {
			child = t.node(p[0], p[1])
		}
		t.nodes[at].child[i] = child
	}
	return int32(at)
}

// surface measures a box. The small summand keeps boxes without an extent from being left whole.
func surface(b *box) float64 {
	e := b.extent()
	return float64(e.X*e.Y) + float64(e.Y*e.Z) + float64(e.Z*e.X) + 1e-300
}

func (t *boxTree) weight(first, last int) float64 {
	if last-first < 2 {
		return -1
	}
	b := emptyBox()
	for i := first; i < last; i++ {
		b.merge(&t.boxes[i])
	}
	return surface(&b)
}

// split orders a range of leaves by the side of the plane that leaves the least surface times
// leaves, of seven planes an axis, and returns where the upper side begins.
func (t *boxTree) split(first, last int) int {
	b := emptyBox()
	for i := first; i < last; i++ {
		b.add(t.boxes[i].middle(), 0)
	}
	least, axis, where := math.Inf(1), -1, 0.0
	for k := range 3 {
		lo, hi := component(b.lo, k), component(b.hi, k)
		for cut := 1; cut < 8; cut++ {
			at := lo + float64((hi-lo)*(float64(cut)/8))
			if cost := t.cost(first, last, k, at); cost < least {
				least, axis, where = cost, k, at
			}
		}
	}
	if axis < 0 {
		return (first + last) / 2
	}
	n := first
	for i := first; i < last; i++ {
		if component(t.boxes[i].middle(), axis) < where {
			t.boxes[i], t.boxes[n] = t.boxes[n], t.boxes[i]
			t.leaves[i], t.leaves[n] = t.leaves[n], t.leaves[i]
			n++
		}
	}
	return n
}

func (t *boxTree) cost(first, last, axis int, at float64) float64 {
	b, n := [2]box{emptyBox(), emptyBox()}, [2]int{}
	for i := first; i < last; i++ {
		side := 0
		if component(t.boxes[i].middle(), axis) >= at {
			side = 1
		}
		b[side].merge(&t.boxes[i])
		n[side]++
	}
	if n[0] == 0 || n[1] == 0 {
		return math.Inf(1)
	}
	return float64(float64(n[0])*surface(&b[0])) + float64(float64(n[1])*surface(&b[1]))
}
