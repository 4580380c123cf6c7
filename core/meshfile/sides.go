package meshfile

import (
	"ccd/core/mesh"
	"slices"
)

// solidSides are the sides of the elements of order 1. Those of one element go around alike: all
// outward, or in its mirror image all inward.
var solidSides = map[mesh.Element][][]uint8{
	mesh.Tetrahedron: {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}},
	mesh.Hexahedron:  {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}},
	mesh.Prism:       {{0, 1, 2}, {3, 5, 4}, {0, 3, 4, 1}, {1, 4, 5, 2}, {2, 5, 3, 0}},
	mesh.Pyramid:     {{0, 3, 2, 1}, {0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {3, 0, 4}},
}

// eachSide calls do with each side of the solids, in the direction that the order of an element's
// nodes gives, and with the solid's number. The side of a curved one has its corners first.
func (c *Cells) eachSide(do func(solid int, nodes []int32, curved bool)) {
	at, solid, side := 0, 0, make([]int32, 0, 9)
	for _, k := range c.Kinds {
		own := c.Corners[at : at+k.Corners()]
		at += len(own)
		for _, corners := range solidSides[k] {
			side = pick(side[:0], own, corners)
			do(solid, side, false)
		}
		solid++
	}
	_ = c.curved.each(func(kind int, nodes []int32) error {
		if kind == vtkPolyhedron {
			for rest := nodes[1:]; len(rest) > 0; rest = rest[1+rest[0]:] {
				side = append(side[:0], rest[1:1+rest[0]]...)
				do(solid, side, false)
			}
		}
		for _, corners := range curvedKinds[kind].faces {
			side = pick(side[:0], nodes, corners)
			do(solid, side, true)
		}
		solid++
		return nil
	})
}

// corners returns the corners of a side of order 2, or all nodes of another one.
func corners(nodes []int32, curved bool) []int32 {
	if curved {
		return nodes[:3+len(nodes)/8]
	}
	return nodes
}

// boundary adds the sides that one of the solids alone has, of order 1 and 2 and polyhedra.
func (s *flattened) boundary(c *Cells) error {
	return c.eachAlone(func(nodes []int32, curved bool) error {
		if curved {
			s.curvedFace(nodes)
			return nil
		}
		return s.to.polygon(nodes)
	})
}

// sideList has the corners of all sides, sorted, one after the other, and the sides in their order.
type sideList struct {
	sorted, ends, order []int32
}

// of returns the part of a list of all corners that belongs to a side.
func (l *sideList) of(list []int32, side int32) []int32 {
	if side == 0 {
		return list[:l.ends[0]]
	}
	return list[l.ends[side-1]:l.ends[side]]
}

// equal reports whether the sides at two places of the order have the same corners.
func (l *sideList) equal(i, j int) bool {
	return slices.Equal(l.of(l.sorted, l.order[i]), l.of(l.sorted, l.order[j]))
}

// sidesOf lists the sides of all solids. It takes memory for the corners once, which it knows
// before, for a file may consist of nothing else.
func sidesOf(c *Cells) *sideList {
	count, total := 0, 0
	c.eachSide(func(_ int, nodes []int32, curved bool) {
		count++
		total += len(corners(nodes, curved))
	})
	l := &sideList{make([]int32, 0, total), make([]int32, 0, count), make([]int32, count)}
	c.eachSide(func(_ int, nodes []int32, curved bool) {
		l.sorted = append(l.sorted, corners(nodes, curved)...)
		slices.Sort(l.sorted[len(l.sorted)-len(corners(nodes, curved)):])
		l.ends = append(l.ends, int32(len(l.sorted)))
	})
	for i := range l.order {
		l.order[i] = int32(i)
	}
	slices.SortFunc(l.order, func(a, b int32) int { return slices.Compare(l.of(l.sorted, a), l.of(l.sorted, b)) })
	return l
}

// eachAlone calls do with the sides that one of the solids alone has, which go around outward,
// until it fails.
func (c *Cells) eachAlone(do func(nodes []int32, curved bool) error) error {
	signs, l := signsOf(c), sidesOf(c)
	if slices.Contains(signs, 0) {
		l.byNeighbors(c, signs)
	}
	shared := make([]bool, len(l.order))
	for i := 1; i < len(l.order); i++ {
		if l.equal(i-1, i) {
			shared[l.order[i-1]], shared[l.order[i]] = true, true
		}
	}
	var err error
	i := 0
	c.eachSide(func(solid int, nodes []int32, curved bool) {
		if err == nil && !shared[i] {
			if signs[solid] < 0 {
				turn(nodes, curved)
			}
			err = do(nodes, curved)
		}
		i++
	})
	return err
}

// turn lets a side go around in the other direction, from the same corner.
func turn(nodes []int32, curved bool) {
	n := len(corners(nodes, curved))
	slices.Reverse(nodes[1:n])
	if curved {
		slices.Reverse(nodes[n : 2*n])
	}
}
