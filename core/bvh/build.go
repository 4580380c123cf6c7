package bvh

import (
	"cmp"
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/spatial/r3"
)

// Box is the axis-aligned box of a primitive. It is not bound.Box because those who build trees
// compute with r3.Vec.
type Box struct{ Lo, Hi r3.Vec }

// Node is a node of a tree. Its primitives are Order[First : First+Count]. An inner node's children
// are Left and Left+1; that of a leaf is 0, which is no one's child.
type Node struct{ Left, First, Count int32 }

// Tree is a topology over n >= 1 primitives. Node 0 is the root.
type Tree struct {
	Nodes []Node
	Order []int32 // primitives in the order of the leaves
}

const (
	bins = 32 // the surface area heuristic compares this many bins on large nodes
	// sweepMost is the most primitives of a node that is split by sorting: every split between two
	// primitives is tried.
	sweepMost = 96
	spawnMin  = 2048 // subtrees of at least this many primitives are worth a goroutine
	depthMost = 60   // below this depth nodes are halved, so that a tree of n has at most 60 + log2(n) levels
)

// Build returns the tree of at least one box with finite ends. The tree does not depend on threads.
func Build(boxes []Box, threads int) *Tree { return Clusters(boxes, 1, threads) }

// Clusters returns the same tree, cut at nodes of at most this many primitives, which become
// leaves. Some entries of Nodes are then unused.
func Clusters(boxes []Box, most, threads int) *Tree {
	b := &builder{boxes: boxes, center: make([]r3.Vec, len(boxes)), most: int32(most)}
	t := &Tree{Nodes: make([]Node, 2*len(boxes)-1), Order: make([]int32, len(boxes))}
	for i := range boxes {
		t.Order[i] = int32(i)
		// Twice the center serves as well, since centers are only compared.
		b.center[i] = r3.Add(boxes[i].Lo, boxes[i].Hi)
	}
	b.Tree = t
	b.spare = make(chan struct{}, max(threads-1, 0))
	b.split(0, 0, int32(len(boxes)), 1, 0)
	b.wait.Wait()
	return t
}

type builder struct {
	*Tree
	boxes  []Box
	center []r3.Vec
	most   int32         // largest number of primitives of a leaf
	spare  chan struct{} // a token for each thread beside the first
	wait   sync.WaitGroup
}

// split builds node at over the primitives Order[first : first+count]; its descendants are stored
// from next on.
func (b *builder) split(at, first, count, next int32, depth int) {
	for {
		b.Nodes[at] = Node{First: first, Count: count}
		if count <= b.most {
			return
		}
		b.Nodes[at].Left = next
		left := b.divide(b.Order[first:first+count], depth)
		depth++
		// The left child is at next, its 2 left - 2 descendants follow the pair, then those of the
		// right child.
		l, after := next, next+2+2*(left-1)
		if min(left, count-left) >= spawnMin {
			select {
			case b.spare <- struct{}{}:
				f, n, d := first, next+2, depth
				b.wait.Go(func() {
					b.split(l, f, left, n, d)
					<-b.spare
				})
			default:
				b.split(l, first, left, next+2, depth)
			}
		} else {
			b.split(l, first, left, next+2, depth)
		}
		at, first, count, next = l+1, first+left, count-left, after
	}
}

// divide reorders primitives so that the first ones are the left child's, and returns how many
// these are.
func (b *builder) divide(list []int32, depth int) int32 {
	if depth > depthMost {
		return int32(len(list) / 2)
	}
	if len(list) <= sweepMost {
		return b.sweep(list)
	}
	return b.bin(list)
}

// sweep tries every split along every axis.
func (b *builder) sweep(list []int32) int32 {
	best, axis, place := math.Inf(1), 0, len(list)/2
	var right [sweepMost]float64
	for k := range 3 {
		b.sort(list, k)
		grown := none
		for i := len(list) - 1; i > 0; i-- {
			grown = grown.with(&b.boxes[list[i]])
			right[i] = grown.area() * float64(len(list)-i)
		}
		grown = none
		for i := 1; i < len(list); i++ {
			grown = grown.with(&b.boxes[list[i-1]])
			if cost := float64(grown.area()*float64(i)) + right[i]; cost < best {
				best, axis, place = cost, k, i
			}
		}
	}
	if axis != 2 {
		b.sort(list, axis)
	}
	return int32(place)
}

// sort sorts primitives by their centers along an axis, and where these are equal by their numbers.
func (b *builder) sort(list []int32, axis int) {
	slices.SortFunc(list, func(i, j int32) int {
		if c := cmp.Compare(component(b.center[i], axis), component(b.center[j], axis)); c != 0 {
			return c
		}
		return cmp.Compare(i, j)
	})
}

// bin tries the splits between bins of equal width along every axis.
func (b *builder) bin(list []int32) int32 {
	span := none
	for _, p := range list {
		c := b.center[p]
		span = span.with(&Box{c, c})
	}
	best, axis, place := math.Inf(1), -1, 0
	for k := range 3 {
		lo, width := component(span.Lo, k), component(span.Hi, k)-component(span.Lo, k)
		if !(width > 0) {
			continue
		}
		if cost, at := b.cost(list, k, lo, width); cost < best {
			best, axis, place = cost, k, at
		}
	}
	if axis < 0 { // All centers coincide.
		return int32(len(list) / 2)
	}
	lo, width := component(span.Lo, axis), component(span.Hi, axis)-component(span.Lo, axis)
	left := partition(list, func(p int32) bool { return binOf(component(b.center[p], axis), lo, width) < place })
	return int32(left)
}

// cost returns the least cost along an axis and the first bin on the right of its split. The end
// bins are never empty.
func (b *builder) cost(list []int32, axis int, lo, width float64) (float64, int) {
	var box [bins]Box
	var count [bins]int
	for i := range box {
		box[i] = none
	}
	for _, p := range list {
		i := binOf(component(b.center[p], axis), lo, width)
		box[i] = box[i].with(&b.boxes[p])
		count[i]++
	}
	var right [bins]float64
	grown, n := none, 0
	for i := bins - 1; i > 0; i-- {
		grown, n = grown.with(&box[i]), n+count[i]
		right[i] = grown.area() * float64(n)
	}
	best, place := math.Inf(1), 1
	grown, n = none, 0
	for i := 1; i < bins; i++ {
		grown, n = grown.with(&box[i-1]), n+count[i-1]
		if cost := float64(grown.area()*float64(n)) + right[i]; cost < best {
			best, place = cost, i
		}
	}
	return best, place
}

// binOf is monotone in x and maps the ends to the first and the last bin.
func binOf(x, lo, width float64) int { return min(int((x-lo)/width*bins), bins-1) }

// partition moves the items that satisfy left to the front, keeping the order of each part, and
// counts them.
func partition(list []int32, left func(int32) bool) int {
	n := 0
	rest := make([]int32, 0, len(list))
	for _, p := range list {
		if left(p) {
			list[n] = p
			n++
		} else {
			rest = append(rest, p)
		}
	}
	copy(list[n:], rest)
	return n
}

// none is the empty box.
var none = Box{
	Lo: r3.Vec{X: math.Inf(1), Y: math.Inf(1), Z: math.Inf(1)},
	Hi: r3.Vec{X: math.Inf(-1), Y: math.Inf(-1), Z: math.Inf(-1)},
}

func (a Box) with(b *Box) Box {
	return Box{
		r3.Vec{X: min(a.Lo.X, b.Lo.X), Y: min(a.Lo.Y, b.Lo.Y), Z: min(a.Lo.Z, b.Lo.Z)},
		r3.Vec{X: max(a.Hi.X, b.Hi.X), Y: max(a.Hi.Y, b.Hi.Y), Z: max(a.Hi.Z, b.Hi.Z)},
	}
}

// area returns half the surface.
func (a Box) area() float64 {
	d := r3.Sub(a.Hi, a.Lo)
	return float64(d.X*d.Y) + float64(d.Y*d.Z) + float64(d.Z*d.X)
}

func component(v r3.Vec, axis int) float64 {
	switch axis {
	case 0:
		return v.X
	case 1:
		return v.Y
	}
	return v.Z
}
