package overlap

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/bvh"
	"ccd/core/engine"
)

// shadow is the projections of facets with a tree of their boxes.
type shadow[T number[T]] struct {
	of    []facet[T]
	tree  *bvh.Tree
	boxes []bvh.Box // the boxes of the nodes
}

// leafMost is the most facets of a leaf.
const leafMost = 4

func newShadow[T number[T]](of []facet[T], threads int) *shadow[T] {
	s := &shadow[T]{of: of}
	if len(of) == 0 {
		return s
	}
	boxes := make([]bvh.Box, len(of))
	for i := range of {
		f := &of[i]
		boxes[i] = bvh.Box{Lo: r3.Vec{X: f.lo[0], Y: f.lo[1]}, Hi: r3.Vec{X: f.hi[0], Y: f.hi[1]}}
	}
	s.tree = bvh.Clusters(boxes, leafMost, threads)
	s.boxes = make([]bvh.Box, len(s.tree.Nodes))
	for i := len(s.tree.Nodes) - 1; i >= 0; i-- { // Children stand behind their parents.
		n := &s.tree.Nodes[i]
		if n.Count == 0 {
			continue
		}
		if n.Left != 0 {
			s.boxes[i] = joined(&s.boxes[n.Left], &s.boxes[n.Left+1])
			continue
		}
		s.boxes[i] = boxes[s.tree.Order[n.First]]
		for _, k := range s.tree.Order[n.First : n.First+n.Count] {
			s.boxes[i] = joined(&s.boxes[i], &boxes[k])
		}
	}
	return s
}

func joined(a, b *bvh.Box) bvh.Box {
	return bvh.Box{
		Lo: r3.Vec{X: min(a.Lo.X, b.Lo.X), Y: min(a.Lo.Y, b.Lo.Y)},
		Hi: r3.Vec{X: max(a.Hi.X, b.Hi.X), Y: max(a.Hi.Y, b.Hi.Y)},
	}
}

// each calls visit for all facets whose boxes meet that of f, in an order that depends on the tree
// alone.
func (s *shadow[T]) each(f *facet[T], visit func(i int)) {
	if s.tree == nil {
		return
	}
	var stack [128]int32 // The tree has at most 60 + 31 levels.
	n := 1
	for n > 0 {
		n--
		node, box := &s.tree.Nodes[stack[n]], &s.boxes[stack[n]]
		if f.hi[0] < box.Lo.X || f.lo[0] > box.Hi.X || f.hi[1] < box.Lo.Y || f.lo[1] > box.Hi.Y {
			continue
		}
		if node.Left != 0 {
			stack[n], stack[n+1] = node.Left, node.Left+1
			n += 2
			continue
		}
		for _, i := range s.tree.Order[node.First : node.First+node.Count] {
			visit(int(i))
		}
	}
}

// amount is a sum of volumes, in the frame, with a bound of its error.
type amount[T number[T]] struct {
	six   T       // six times the sum
	off   float64 // the bound
	size  float64 // the sum of the magnitudes of the terms
	terms int     // the most roundings of a term
	pairs int     // how many terms there are
}

func (a *amount[T]) add(six T, off float64, times int) {
	for range max(times, -times) {
		if times > 0 {
			a.six = a.six.plus(six)
		} else {
			a.six = a.six.minus(six)
		}
		a.off += off
		a.size += math.Abs(six.float())
		a.terms++
	}
	a.pairs++
}

// total adds amounts in pairs, so that a sum goes through few roundings.
func total[T number[T]](list []amount[T]) (sum amount[T]) {
	switch len(list) {
	case 0:
		return sum
	case 1:
		return list[0]
	}
	a, b := total(list[:len(list)/2]), total(list[len(list)/2:])
	return amount[T]{a.six.plus(b.six), a.off + b.off, a.size + b.size, max(a.terms, b.terms) + 1, a.pairs + b.pairs}
}

// block is how many facets a worker takes at a time.
const block = 16

// sumOver adds what f returns for each of n facets, on the threads of the call.
func sumOver[T number[T]](c *engine.Call, ar *arithmetic[T], fr *frame, n int, share float64,
	f func(col *columns[T], i int) amount[T],
) (amount[T], error) {
	list := make([]amount[T], n)
	blocks := (n + block - 1) / block
	tasks := engine.NewTasks(0, blocks)
	c.Progress.Part(int64(blocks), share)
	err := c.Run(blocks, func(int) {
		col := newColumns(ar, fr)
		for b := range tasks.All() {
			for i := b * block; i < min((b+1)*block, n) && c.Progress.Pass(0); i++ {
				list[i] = f(col, i)
			}
			if !c.Progress.Pass(1) {
				tasks.Stop()
			}
		}
	})
	return total(list), err
}

// common returns the integral of the product of the winding numbers of two solids over the frame.
//
// The winding number of a closed surface at a point is the number of triangles above it that are
// seen from above in their order, less that of the others, for all points but those of a null set.
// So it is the sum of the signs of columns that hold the point, and the product of two is one over
// pairs of columns.
func common[T number[T]](c *engine.Call, ar *arithmetic[T], fr *frame, a []facet[T], b *shadow[T], share float64,
) (amount[T], error) {
	return sumOver(c, ar, fr, len(a), share, func(col *columns[T], i int) (sum amount[T]) {
		f := &a[i]
		b.each(f, func(j int) {
			if ar.unit == 0 && !c.Progress.Pass(0) { // Rational numbers take their time.
				return
			}
			six, off := col.pair(f, &b.of[j])
			if off != 0 || six.sign() != 0 {
				sum.add(six, off, f.way*b.of[j].way)
			}
		})
		return sum
	})
}

// excess returns the integral of w (w - 1) over the frame, w the winding number of a solid: an even
// number that is 0 where w is 0 or 1, and at least 2 elsewhere.
func excess[T number[T]](c *engine.Call, ar *arithmetic[T], fr *frame, a *shadow[T], share float64,
) (amount[T], error) {
	return sumOver(c, ar, fr, len(a.of), share, func(col *columns[T], i int) (sum amount[T]) {
		f := &a.of[i]
		if f.way < 0 {
			six, off := col.alone(f)
			sum.add(six, off, 2)
		}
		a.each(f, func(j int) {
			if j <= i || ar.unit == 0 && !c.Progress.Pass(0) {
				return
			}
			six, off := col.pair(f, &a.of[j])
			if off != 0 || six.sign() != 0 {
				sum.add(six, off, 2*f.way*a.of[j].way)
			}
		})
		return sum
	})
}
