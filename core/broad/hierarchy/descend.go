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

// descend finds the pairs of nodes of level 1 whose boxes touch, of each family, and makes tasks of
// them.
func (s *Search) descend() error {
	s.pairs, s.tasks = s.pairs[:0], s.tasks[:0]
	for i := range s.order.families {
		f, from := &s.order.families[i], len(s.pairs)
		a, b := s.boxesOf(f.a), s.boxesOf(f.b)
		s.pairs = append(s.pairs, groupPair{})
		for level := len(a.levels) - 1; level > 1; level-- {
			s.above = append(s.above[:0], s.pairs[from:]...)
			s.pairs = s.pairs[:from]
			if s.in.Threads == 1 || len(s.above) < parallelDescent {
				s.pairs = f.children(level, a, b, s.above, s.pairs)
				continue
			}
			if err := s.childrenParallel(f, level, a, b); err != nil {
				return err
			}
		}
		for ; from < len(s.pairs); from += taskPairs {
			s.tasks = append(s.tasks, task{i, from, min(from+taskPairs, len(s.pairs))})
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

// childrenParallel appends the children of s.above to s.pairs, in the order of children.
func (s *Search) childrenParallel(f *family, level int, a, b *boxes) error {
	n := (len(s.above) + descentPairs - 1) / descentPairs
	for len(s.below) < n {
		s.below = append(s.below, nil)
	}
	err := engine.Each(n, s.in.Threads, func(_, i int) {
		some := s.above[descentPairs*i : min(descentPairs*(i+1), len(s.above))]
		s.below[i] = f.children(level, a, b, some, s.below[i][:0])
	})
	for _, list := range s.below[:n] {
		s.pairs = append(s.pairs, list...)
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
