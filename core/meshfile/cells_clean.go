package meshfile

import (
	"cmp"
	"slices"
)

// clean leaves out what a volume does not have: lines, points, and elements given twice, of which
// the first stays.
func (c *Cells) clean() {
	c.leave("lines", len(c.lines))
	c.leave("points among the elements", len(c.points))
	c.dropTwice()
	if len(c.Kinds) > 1 {
		c.noteCopies(c.Vertices, len(c.Corners), mark(make([]bool, len(c.Vertices)/3), c.Corners))
	}
}

// dropTwice removes the elements that have the type and the vertices of an earlier one, in any
// order: what NewVolume refuses as given twice.
func (c *Cells) dropTwice() {
	first := make([]int32, len(c.Kinds)+1)
	for i, k := range c.Kinds {
		first[i+1] = first[i] + int32(k.Corners())
	}
	sorted := slices.Clone(c.Corners)
	of := func(e int32) []int32 { return sorted[first[e]:first[e+1]] }
	order := make([]int32, len(c.Kinds))
	for i := range order {
		order[i] = int32(i)
		slices.Sort(of(int32(i)))
	}
	slices.SortFunc(order, func(a, b int32) int {
		return cmp.Or(cmp.Compare(of(a)[0], of(b)[0]), cmp.Compare(c.Kinds[a], c.Kinds[b]),
			slices.Compare(of(a), of(b)), cmp.Compare(a, b))
	})
	twice := make([]bool, len(c.Kinds))
	n := 0
	for i := 1; i < len(order); i++ {
		if a, b := order[i-1], order[i]; c.Kinds[a] == c.Kinds[b] && slices.Equal(of(a), of(b)) {
			twice[b] = true
			n++
		}
	}
	c.drop(twice)
	c.leave(elementsTwice, n)
}

// drop removes the marked elements.
func (c *Cells) drop(marked []bool) {
	if !slices.Contains(marked, true) {
		return
	}
	kinds, corners, at := c.Kinds[:0], c.Corners[:0], 0
	for i, k := range c.Kinds {
		own := c.Corners[at : at+k.Corners()]
		at += len(own)
		if !marked[i] {
			kinds, corners = append(kinds, k), append(corners, own...)
		}
	}
	c.Kinds, c.Corners = kinds, corners
}
