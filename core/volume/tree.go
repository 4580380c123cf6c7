package volume

import (
	"math"

	"ccd/simd/box"
)

// tree is a hierarchy over patches without pointers: node i of a level has the nodes 8i to 8i+7 of
// the level below, which are one block of boxes. Level 0 is the patches.
type tree struct {
	hulls  []float32   // twelve floats for each patch
	levels [][]float32 // blocks of boxes; the last level is one block
}

// shape allocates the tree for a number of patches.
func (t *tree) shape(patches int) {
	t.hulls = resized(t.hulls, 12*patches)
	depth := 0
	for n := patches; ; {
		n = (n + box.BlockLanes - 1) / box.BlockLanes
		if depth == len(t.levels) {
			t.levels = append(t.levels, nil)
		}
		t.levels[depth] = resized(t.levels[depth], n*box.BlockLen)
		depth++
		if n <= 1 {
			break
		}
	}
	t.levels = t.levels[:depth]
}

// fitPatches computes the hulls of the patches lo to hi-1 from the records of vertices.
func (t *tree) fitPatches(l *layout, rec []float32, lo, hi int) {
	inf := float32(math.Inf(1))
	for p := lo; p < hi; p++ {
		h := [12]float32{inf, inf, inf, inf, inf, inf, inf, inf, inf, inf, inf, inf}
		for _, x := range l.reach[l.firstReach[p]:l.firstReach[p+1]] {
			r := (*[12]float32)(rec[16*int(x):])
			for k, y := range r {
				if y < h[k] {
					h[k] = y
				}
			}
		}
		for k := 6; k < 12; k++ {
			h[k] = -h[k]
		}
		copy(t.hulls[12*p:], h[:])
	}
}

// fitNodes computes the boxes of all levels from the hulls.
func (t *tree) fitNodes() {
	hulls := t.hulls
	for _, level := range t.levels {
		above := make([]float32, 0, len(level)/box.BlockLanes)
		for b := range len(level) / box.BlockLen {
			block := (*[box.BlockLen]float32)(level[b*box.BlockLen:])
			fill := hulls[12*box.BlockLanes*b : min(len(hulls), 12*box.BlockLanes*(b+1))]
			above = append(above, gather(block, fill)...)
		}
		hulls = above
	}
}

// gather writes up to eight hulls to a block and returns the hull of all.
func gather(block *[box.BlockLen]float32, hulls []float32) []float32 {
	inf := float32(math.Inf(1))
	for k := range 12 {
		empty := inf
		if k >= 6 {
			empty = -inf
		}
		for i := range box.BlockLanes {
			block[box.BlockLanes*k+i] = empty
		}
	}
	all := []float32{inf, inf, inf, inf, inf, inf, -inf, -inf, -inf, -inf, -inf, -inf}
	for i := range len(hulls) / 12 {
		for k := range 12 {
			x := hulls[12*i+k]
			block[box.BlockLanes*k+i] = x
			if (x < all[k]) == (k < 6) && x != all[k] {
				all[k] = x
			}
		}
	}
	return all
}

// nodes is a pair of nodes whose children are compared: blocks a <= b of a level.
type nodes struct{ level, a, b int32 }

// children calls emit with every two nodes of the level below, or patches, whose boxes are not
// apart.
func (t *tree) children(n nodes, emit func(a, b int32)) {
	level := t.levels[n.level]
	a := (*[box.BlockLen]float32)(level[box.BlockLen*int(n.a):])
	b := (*[box.BlockLen]float32)(level[box.BlockLen*int(n.b):])
	var masks [box.BlockLanes]uint8
	box.MeetBlocks(a, b, &masks)
	for i, m := range masks {
		if n.a == n.b {
			m &= 0xff << i // every two once, and each with itself
		}
		for j := int32(0); m != 0; j, m = j+1, m>>1 {
			if m&1 != 0 {
				emit(8*n.a+int32(i), 8*n.b+j)
			}
		}
	}
}

// tasks divides the traversal into at least the given number of tasks, if there are so many, in a
// fixed order.
func (t *tree) tasks(least int, list []nodes) []nodes {
	list = append(list[:0], nodes{int32(len(t.levels) - 1), 0, 0})
	for list[0].level > 0 && len(list) < least {
		var below []nodes
		for _, n := range list {
			t.children(n, func(a, b int32) { below = append(below, nodes{n.level - 1, a, b}) })
		}
		if len(below) == 0 {
			return below
		}
		list = below
	}
	return list
}

// visit calls leaf with every two patches below n whose hulls are not apart.
func (t *tree) visit(n nodes, leaf func(p, q int32)) {
	t.children(n, func(a, b int32) {
		if n.level == 0 {
			leaf(a, b)
			return
		}
		t.visit(nodes{n.level - 1, a, b}, leaf)
	})
}

func (t *tree) bytes() int64 {
	n := cap(t.hulls)
	for _, l := range t.levels {
		n += cap(l)
	}
	return int64(4 * n)
}
