package scene

import (
	"math"
	"slices"

	"ccd/core/bound"
)

// grid holds the elements of a scene by place: a tree of cells. Those of a level are four times as wide as those of the level below; level 0 has at most
// 2^20 of them along an axis, the last level one. An element is on the lowest level whose cells are twice as wide as its box, or on the last, in all cells
// there that its box meets: at most eight, and a cell holds elements that are not much smaller than it, but on level 0.
//
// Law. Two boxes that overlap meet a common cell on each level. Proof. The number of the cell that a coordinate lies in is a monotone function of the
// coordinate (rounded, limited, shifted). So intervals with a common point have ranges of numbers with a common number, axis by axis.
//
// Cells are made when an element comes in, with all that contain them, and stay. An entry is valid while its stamp is that of its element: an
// element that leaves gets a new stamp, and a cell is cleared of invalid entries when they are more than half.
type grid struct {
	origin  [3]float64
	scale   float64 // cells of level 0 per length
	index   map[uint64]int32
	cells   []cell
	entered [levels]bool // whether an element was ever on the level
	stamp   []uint32     // by element
	round   uint64       // of marks
	marked  []int32
	boxes   []bound.Box // that marked cells in this round
	marks   []mark
}

// mark is a box that marked a cell, and the one before on the same cell: its number plus 1, or 0.
type mark struct{ box, before int32 }

const (
	levels   = 11
	axisBits = 20 // of the number of a cell of level 0 along an axis: 2 (levels - 1)
	fewCells = 27 // cells of a level that are looked up one by one
	typical  = 3  // width of a cell of level 0, in extents of the median element
)

// cell is a cell with its entries.
type cell struct {
	entries  []entry
	children []int32 // cells of the level below that are in it
	left     int32   // number of invalid entries
	level    int32
	at       [3]int32
	round    uint64    // of the last mark
	box      bound.Box // of all that marked it
	last     int32     // the last mark, plus 1
}

type entry struct {
	element int32
	stamp   uint32
}

// cellRange is the cells of a level that a box meets.
type cellRange struct {
	level  int32
	lo, hi [3]int32
}

// begin chooses the width of cells for n elements with these boxes, and makes the grid empty. Only speed depends on the width: it is that of some elements,
// or what gives each element a cell of its own where elements are points.
func (g *grid) begin(n int, box func(i int32) bound.Box) {
	*g = grid{index: map[uint64]int32{}, stamp: make([]uint32, n)}
	if n == 0 {
		return
	}
	var extents []float64
	step := max(1, n/4096)
	whole := box(0)
	for i := range n {
		b := box(int32(i))
		join(&whole, &b)
		if i%step == 0 {
			extents = append(extents, extent(&b))
		}
	}
	slices.Sort(extents)
	width := typical * extents[len(extents)/2]
	if width == 0 {
		width = extent(&whole) / math.Cbrt(float64(n))
	}
	width = max(width, extent(&whole)/axisCells, 0x1p-900)
	g.origin, g.scale = whole.Min, 1/width
}

const axisCells = 1 << axisBits

func extent(b *bound.Box) float64 {
	return max(b.Max[0]-b.Min[0], b.Max[1]-b.Min[1], b.Max[2]-b.Min[2])
}

// cellsOf returns the cells of level 0 that a box meets. Differences are at most 2e150 and the scale at most 2^900, and not NaN, so a product is no NaN either.
func (g *grid) cellsOf(b *bound.Box) (r cellRange) {
	for k := range 3 {
		r.lo[k] = int32(min(max((b.Min[k]-g.origin[k])*g.scale, 0), axisCells-1))
		r.hi[k] = int32(min(max((b.Max[k]-g.origin[k])*g.scale, 0), axisCells-1))
	}
	return r
}

// on returns the cells of another level, for a range of level 0.
func (r cellRange) on(level int32) cellRange {
	r.level = level
	for k := range 3 {
		r.lo[k] >>= 2 * level
		r.hi[k] >>= 2 * level
	}
	return r
}

// home returns the cells of an element with this box.
func (g *grid) home(b *bound.Box) cellRange {
	level, width := int32(0), 2*extent(b)*g.scale
	for ; level < levels-1 && width > 1; width /= 4 {
		level++
	}
	return g.cellsOf(b).on(level)
}

// count returns the number of cells of a range.
func (r *cellRange) count() int {
	n := 1
	for k := range 3 {
		n *= int(r.hi[k]-r.lo[k]) + 1
	}
	return n
}

// contains reports whether a cell of its level is in the range.
func (r *cellRange) contains(at *[3]int32) bool {
	for k := range 3 {
		if at[k] < r.lo[k] || at[k] > r.hi[k] {
			return false
		}
	}
	return true
}

// each calls f for the cells of a range.
func (r *cellRange) each(f func(at [3]int32)) {
	for x := r.lo[0]; x <= r.hi[0]; x++ {
		for y := r.lo[1]; y <= r.hi[1]; y++ {
			for z := r.lo[2]; z <= r.hi[2]; z++ {
				f([3]int32{x, y, z})
			}
		}
	}
}

// keyOf returns a number for each cell.
func keyOf(level int32, at [3]int32) uint64 {
	return uint64(level)<<(3*axisBits) | uint64(at[0])<<(2*axisBits) | uint64(at[1])<<axisBits | uint64(at[2])
}

// cellAt returns a cell, and makes it and those that contain it where they are missing.
func (g *grid) cellAt(level int32, at [3]int32) int32 {
	key := keyOf(level, at)
	if c, found := g.index[key]; found {
		return c
	}
	c := int32(len(g.cells))
	g.index[key] = c
	g.cells = append(g.cells, cell{level: level, at: at})
	if level < levels-1 {
		parent := g.cellAt(level+1, [3]int32{at[0] >> 2, at[1] >> 2, at[2] >> 2})
		g.cells[parent].children = append(g.cells[parent].children, c)
	}
	return c
}

// put enters an element into the cells of a range.
func (g *grid) put(element int32, r *cellRange) {
	g.entered[r.level] = true
	r.each(func(at [3]int32) {
		c := &g.cells[g.cellAt(r.level, at)]
		c.entries = append(c.entries, entry{element, g.stamp[element]})
	})
}

// take removes an element from the cells of a range, in which it was entered.
func (g *grid) take(element int32, r *cellRange) {
	g.stamp[element]++
	r.each(func(at [3]int32) {
		c := &g.cells[g.index[keyOf(r.level, at)]]
		if c.left++; int(c.left) > len(c.entries)/2 {
			c.entries = slices.DeleteFunc(c.entries, func(e entry) bool { return g.stamp[e.element] != e.stamp })
			c.left = 0
		}
	})
}

// unmark makes all cells unmarked.
func (g *grid) unmark() {
	g.round++
	g.marked, g.boxes, g.marks = g.marked[:0], g.boxes[:0], g.marks[:0]
}

// mark marks the cells of all levels that a box meets. Where these are many on a level, they are found among the children of those of the level above.
func (g *grid) mark(b *bound.Box) {
	g.boxes = append(g.boxes, *b)
	all := g.cellsOf(b)
	level := int32(levels - 1)
	for ; level >= 0; level-- {
		r := all.on(level)
		if r.count() > fewCells {
			break
		}
		if g.entered[level] {
			r.each(func(at [3]int32) {
				if c, found := g.index[keyOf(level, at)]; found {
					g.markCell(c, b)
				}
			})
		}
	}
	if level < 0 {
		return
	}
	above := all.on(level + 1)
	above.each(func(at [3]int32) {
		if c, found := g.index[keyOf(level+1, at)]; found {
			g.markChildren(c, &all, b)
		}
	})
}

// markChildren marks the cells within a cell that are in a range of level 0.
func (g *grid) markChildren(c int32, all *cellRange, b *bound.Box) {
	if len(g.cells[c].children) == 0 {
		return
	}
	r := all.on(g.cells[c].level - 1)
	for _, child := range g.cells[c].children {
		if r.contains(&g.cells[child].at) {
			g.markCell(child, b)
			g.markChildren(child, all, b)
		}
	}
}

func (g *grid) markCell(i int32, b *bound.Box) {
	c := &g.cells[i]
	if c.round == g.round {
		join(&c.box, b)
	} else {
		c.round, c.box, c.last = g.round, *b, 0
		g.marked = append(g.marked, i)
	}
	g.marks = append(g.marks, mark{int32(len(g.boxes) - 1), c.last})
	c.last = int32(len(g.marks))
}

// near appends to out the elements in marked cells whose boxes overlap one that marked the cell, without those that are seen, which they then are.
// box returns that of an element.
func (g *grid) near(seen []bool, box func(element int32) bound.Box, out []int32) []int32 {
	for _, i := range g.marked {
		c := &g.cells[i]
		for _, e := range c.entries {
			if seen[e.element] || g.stamp[e.element] != e.stamp {
				continue
			}
			if b := box(e.element); b.Overlaps(&c.box) && g.meets(c, &b) {
				seen[e.element] = true
				out = append(out, e.element)
			}
		}
	}
	return out
}

// meets reports whether a box overlaps one that marked a cell.
func (g *grid) meets(c *cell, b *bound.Box) bool {
	for m := c.last; m > 0; m = g.marks[m-1].before {
		if b.Overlaps(&g.boxes[g.marks[m-1].box]) {
			return true
		}
	}
	return false
}
