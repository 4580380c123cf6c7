package scene

import (
	"math"
	"slices"
	"unsafe"

	"ccd/core/bound"
)

// grid holds the elements of a scene by place: a tree of cells. Those of a level are four times as
// wide as those of the level below; level 0 has at most 2^20 of them along an axis, the last level
// one. An element is on the lowest level whose cells are twice as wide as its box, or on the last,
// in all cells there that its box meets: at most eight, and a cell holds elements that are not much
// smaller than it, but on level 0.
//
// Law. Two boxes that overlap meet a common cell on each level. Proof. The number of the cell that
// a coordinate lies in is a monotone function of the coordinate (rounded, limited, shifted). So
// intervals with a common point have ranges of numbers with a common number, axis by axis.
//
// Cells are made when an element comes in, with all that contain them, and stay. An entry is valid
// while its stamp is that of its element: an element that leaves gets a new stamp, and a cell is
// cleared of invalid entries when they are more than half.
//
// Cells are in shards by place, which are filled at the same time when a scene is entered. What a
// grid contains does not depend on the number of threads.
type grid struct {
	origin  [3]float64
	scale   float64 // cells of level 0 per length
	shards  [shards]shard
	entered [levels]bool // whether an element was ever on the level
	stamp   []uint32     // the stamp of each element
	entries int          // elements in cells when the grid was made
	count   int          // elements in it now
	round   uint64       // counts the rounds of marks
	marked  []*cell
	boxes   []bound.Box // that marked cells in this round
	marks   []mark
}

// shard is a part of the cells: those in some cells of level shared, or those of all levels above.
type shard struct {
	index   map[uint64]int32
	cells   []*cell
	orphans []*cell // cells of level shared that are not yet children of the cell that contains them
	room    []cell  // memory for more cells
}

const (
	shards = 64 // the last one has the levels above shared
	shared = 2
)

// mark is a box that marked a cell, and the one before on the same cell: its number plus 1, or 0.
type mark struct{ box, before int32 }

const (
	levels   = 11
	axisBits = 20 // bits of the number of a cell of level 0 along an axis: 2 (levels - 1)
	fewCells = 27 // cells of a level that are looked up one by one
	typical  = 3  // width of a cell of level 0, in extents of the median element
)

// cell is a cell with its entries.
type cell struct {
	entries  []entry
	children []*cell // cells of the level below that are in it
	left     int32   // number of invalid entries
	level    int32
	at       [3]int32
	round    uint64    // the round of the last mark
	box      bound.Box // the box around all boxes that marked it
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

// choose chooses the width of cells for n elements with the box of all and the extents of some,
// sorted. Only speed depends on the width: it is that of some elements, or what gives each element
// a cell of its own where elements are points.
func (g *grid) choose(n int, whole *bound.Box, extents []float64) {
	width := typical * extents[len(extents)/2]
	if width == 0 {
		width = extent(whole) / math.Cbrt(float64(n))
	}
	width = max(width, extent(whole)/axisCells, 0x1p-900)
	g.origin, g.scale = whole.Min, 1/width
}

const axisCells = 1 << axisBits

func extent(b *bound.Box) float64 {
	return max(b.Max[0]-b.Min[0], b.Max[1]-b.Min[1], b.Max[2]-b.Min[2])
}

// cellsOf returns the cells of level 0 that a box meets. Differences are at most 2e150 and the
// scale at most 2^900, and not NaN, so a product is no NaN either.
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

// shardOf returns the shard of a cell.
func shardOf(level int32, at [3]int32) int {
	if level > shared {
		return shards - 1
	}
	up := 2 * (shared - level)
	h := uint64(at[0]>>up)*0x9E3779B97F4A7C15 ^
		uint64(at[1]>>up)*0xC2B2AE3D27D4EB4F ^
		uint64(at[2]>>up)*0x165667B19E3779F9
	return int((h ^ h>>29) % (shards - 1))
}

// find returns a cell, or nil if there is none.
func (g *grid) find(level int32, at [3]int32) *cell {
	s := &g.shards[shardOf(level, at)]
	if i, found := s.index[keyOf(level, at)]; found {
		return s.cells[i]
	}
	return nil
}

// cellAt returns the number of a cell of the shard, and makes it and those of the shard that
// contain it where they are missing.
func (s *shard) cellAt(level int32, at [3]int32) int32 {
	key := keyOf(level, at)
	if i, found := s.index[key]; found {
		return i
	}
	if s.index == nil {
		s.index = map[uint64]int32{}
	}
	if len(s.room) == cap(s.room) {
		s.room = make([]cell, 0, min(max(16, len(s.cells)/8), 1024))
	}
	s.room = append(s.room, cell{level: level, at: at})
	c, i := &s.room[len(s.room)-1], int32(len(s.cells))
	s.index[key], s.cells = i, append(s.cells, c)
	switch above := [3]int32{at[0] >> 2, at[1] >> 2, at[2] >> 2}; {
	case level == shared:
		s.orphans = append(s.orphans, c)
	case level < levels-1:
		parent := s.cells[s.cellAt(level+1, above)]
		parent.children = append(parent.children, c)
	}
	return i
}

// cellAt returns a cell, and makes it and those that contain it where they are missing.
func (g *grid) cellAt(level int32, at [3]int32) *cell {
	s := &g.shards[shardOf(level, at)]
	c := s.cells[s.cellAt(level, at)]
	g.adopt(s)
	return c
}

// adopt makes the cells that contain the orphans of a shard.
func (g *grid) adopt(s *shard) {
	top := &g.shards[shards-1]
	for _, c := range s.orphans {
		parent := top.cells[top.cellAt(shared+1, [3]int32{c.at[0] >> 2, c.at[1] >> 2, c.at[2] >> 2})]
		parent.children = append(parent.children, c)
	}
	s.orphans = nil
}

// put enters an element into the cells of a range.
func (g *grid) put(element int32, r *cellRange) {
	g.entered[r.level] = true
	g.count++
	r.each(func(at [3]int32) {
		c := g.cellAt(r.level, at)
		c.entries = append(c.entries, entry{element, g.stamp[element]})
	})
}

// take removes an element from the cells of a range, in which it was entered.
func (g *grid) take(element int32, r *cellRange) {
	g.stamp[element]++
	g.count--
	r.each(func(at [3]int32) {
		c := g.find(r.level, at)
		if c.left++; int(c.left) > len(c.entries)/2 {
			c.entries = slices.DeleteFunc(c.entries, func(e entry) bool { return g.stamp[e.element] != e.stamp })
			c.left = 0
		}
	})
}

// bytes returns about the memory of the grid.
func (g *grid) bytes() int64 {
	n := 4 * cap(g.stamp)
	for i := range g.shards {
		n += len(g.shards[i].cells) * (int(unsafe.Sizeof(cell{})) + cellTables)
	}
	return int64(n) + int64(g.entries+g.count)*entryBytes
}

const (
	// bytes for each cell: its place in a list and among children, and in an index, which is half
	// full
	cellTables = 8 + 8 + 2*12
	entryBytes = 8 * 2 // bytes for each element, which is in about two cells
)

// unmark makes all cells unmarked.
func (g *grid) unmark() {
	g.round++
	g.marked, g.boxes, g.marks = g.marked[:0], g.boxes[:0], g.marks[:0]
}

// mark marks the cells of all levels that a box meets. Where these are many on a level, they are
// found among the children of those of the level above.
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
				if c := g.find(level, at); c != nil {
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
		if c := g.find(level+1, at); c != nil {
			g.markChildren(c, &all, b)
		}
	})
}

// markChildren marks the cells within a cell that are in a range of level 0.
func (g *grid) markChildren(c *cell, all *cellRange, b *bound.Box) {
	if len(c.children) == 0 {
		return
	}
	r := all.on(c.level - 1)
	for _, child := range c.children {
		if r.contains(&child.at) {
			g.markCell(child, b)
			g.markChildren(child, all, b)
		}
	}
}

func (g *grid) markCell(c *cell, b *bound.Box) {
	if c.round == g.round {
		join(&c.box, b)
	} else {
		c.round, c.box, c.last = g.round, *b, 0
		g.marked = append(g.marked, c)
	}
	g.marks = append(g.marks, mark{int32(len(g.boxes) - 1), c.last})
	c.last = int32(len(g.marks))
}

// near appends to out the elements in marked cells whose boxes overlap one that marked the cell,
// without those that are seen, which they then are. box returns that of an element.
func (g *grid) near(seen []bool, box func(element int32) bound.Box, out []int32) []int32 {
	for _, c := range g.marked {
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
