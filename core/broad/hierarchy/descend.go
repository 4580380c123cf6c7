package hierarchy

import (
	"math/bits"

	"ccd/core/engine"
	"ccd/simd/box"
)

const (
	descentPairs    = 256  // pairs of nodes whose children a worker compares at once
	parallelDescent = 1024 // pairs of nodes whose children pay for workers
)

// descent is the memory of what descend finds.
type descent struct {
	pairs []groupPair
	tasks []task
	above []groupPair   // The pairs of one level, while those of the next are found.
	below [][]groupPair // Those of the next, of each descentPairs of above.
}

func (d *descent) bytes() int {
	n := 8*(cap(d.pairs)+cap(d.above)) + 24*cap(d.tasks)
	for _, list := range d.below {
		n += 8 * cap(list)
	}
	return n
}

// descend finds the pairs of nodes of level 1 whose boxes touch, of each family, and makes tasks of
// them.
func (s *Search) descend() error {
	s.down.pairs, s.down.tasks = s.down.pairs[:0], s.down.tasks[:0]
	for i := range s.order.families {
		f, from := &s.order.families[i], len(s.down.pairs)
		a, b := s.boxesOf(f.a), s.boxesOf(f.b)
		s.down.pairs = append(s.down.pairs, groupPair{})
		for level := len(a.levels) - 1; level > 1; level-- {
			s.down.above = append(s.down.above[:0], s.down.pairs[from:]...)
			s.down.pairs = s.down.pairs[:from]
			if s.in.Threads == 1 || len(s.down.above) < parallelDescent {
				s.down.pairs = f.children(level, a, b, s.down.above, s.down.pairs)
				continue
			}
			if err := s.down.childrenParallel(f, level, a, b, s.in.Threads); err != nil {
				return err
			}
		}
		for ; from < len(s.down.pairs); from += taskPairs {
			s.down.tasks = append(s.down.tasks, task{i, from, min(from+taskPairs, len(s.down.pairs))})
		}
	}
	return nil
}

// children appends the pairs of the children of some pairs of nodes of a level that touch.
func (f *family) children(level int, a, b *boxes, pairs, to []groupPair) []groupPair {
	for _, p := range pairs {
		for m := f.meet(level, a, b, p); m != 0; m &= m - 1 {
			t := int32(bits.TrailingZeros64(m))
			to = append(to, groupPair{8*p.a + t>>3, 8*p.b + t&7})
		}
	}
	return to
}

// childrenParallel appends the children of the pairs above, in the order of children.
func (d *descent) childrenParallel(f *family, level int, a, b *boxes, threads int) error {
	n := (len(d.above) + descentPairs - 1) / descentPairs
	for len(d.below) < n {
		d.below = append(d.below, nil)
	}
	err := engine.Each(n, threads, func(_, i int) {
		some := d.above[descentPairs*i : min(descentPairs*(i+1), len(d.above))]
		d.below[i] = f.children(level, a, b, some, d.below[i][:0])
	})
	for _, list := range d.below[:n] {
		d.pairs = append(d.pairs, list...)
	}
	return err
}

// meet returns which children of two nodes of a level touch, of a node with itself each pair once.
func (f *family) meet(level int, a, b *boxes, p groupPair) uint64 {
	x, y := &a.levels[level][p.a], &b.levels[level][p.b]
	var m uint64
	if a.moving {
		m = box.MeetMoving(x, &a.later[level][p.a], y, &b.later[level][p.b])
	} else {
		m = box.Meet(x, y)
	}
	m &= wanted(level, a, b, p.a, p.b)
	if f.self && p.a == p.b {
		m &= upperOrSame
	}
	return m
}

// boxesOf returns the boxes of a tree.
func (s *Search) boxesOf(t *tree) *boxes {
	for i, x := range s.order.trees {
		if x == t {
			return &s.trees[i]
		}
	}
	panic("hierarchy: a family has a tree that its order does not have")
}
