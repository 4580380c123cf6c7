package broad

import (
	"unsafe"

	"ccd/core/mesh"
	"ccd/simd"
)

// A layer is the primitives of a set in the cells of a grid: ent[off[c]:off[c+1]] are those of cell c, in the order of
// the set. A worker sorts those of the cell that it is about to sweep, in its own cache.
type layer struct {
	set
	verts  []int32 // of all primitives of the shape, flat; nil for vertices
	off    []int32
	ent    []keyed
	ranges []simd.CellRange // of all primitives; those that take no part cover no cell
	counts [][]int32        // by thread: how many entries it has for each cell, and then where the next one goes
}

// keyed is a primitive and its minimum along the sweep's axis, as an integer in the same order.
type keyed struct {
	key, id int32
}

// use makes the layer hold set s of m.
func (l *layer) use(m *mesh.Mesh, s set) {
	l.set, l.verts = s, nil
	switch s.shape {
	case edge:
		l.verts = flat(m.Edges)
	case face:
		l.verts = flat(m.Faces)
	}
}

// vertices are those of the i-th primitive of the set.
func (l *layer) vertices(i int) []int32 {
	if l.shape == vertex {
		if l.ids == nil {
			return []int32{int32(i)}
		}
		return l.ids[i : i+1]
	}
	w := int(l.shape)
	at := w * int(l.id(i))
	return l.verts[at : at+w]
}

// flat sees a slice of pairs or triples as one of numbers.
func flat[T [2]int32 | [3]int32](s []T) []int32 {
	return unsafe.Slice((*int32)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*int(unsafe.Sizeof(*new(T))/4))
}

// blockPrimitives is how many primitives are worth a thread of their own.
const blockPrimitives = 4096

// inBlocks parts the primitives into as many runs as there are threads, or fewer, and calls work on each at once.
func (l *layer) inBlocks(threads int, work func(block, from, to int)) error {
	n := l.blocks(threads)
	return Crew(n, func(i int) { work(i, l.n*i/n, l.n*(i+1)/n) })
}

func (l *layer) blocks(threads int) int { return max(1, min(threads, l.n/blockPrimitives)) }

// measure finds the cells of the primitives that meet the plan's slab, and returns the number of entries they make.
func (l *layer) measure(p *Plan, g *grid, threads int) (total int, err error) {
	grow(&l.ranges, l.n)
	blocks := l.blocks(threads)
	for len(l.counts) < blocks {
		l.counts = append(l.counts, nil)
	}
	l.counts = l.counts[:blocks]
	totals := make([]int, blocks)
	err = l.inBlocks(threads, func(block, from, to int) {
		count := grow(&l.counts[block], g.cells())
		clear(count)
		l.cellRanges(p.rec, g, from, l.ranges[from:to])
		if p.how.Slab != nil {
			l.leaveOut(p, from, to)
		}
		totals[block] = g.count(l.ranges[from:to], count)
	})
	for _, n := range totals {
		total += n
	}
	return total, err
}

// leaveOut lets the primitives that do not meet the plan's slab cover no cell.
func (l *layer) leaveOut(p *Plan, from, to int) {
	for i := from; i < to; i++ {
		if !p.how.Slab.meets(p, l.shape, l.id(i)) {
			l.ranges[i].Lo, l.ranges[i].Hi = [2]uint16{1, 1}, [2]uint16{0, 0}
		}
	}
}

// count adds the entries of some primitives to the cells' counts and returns their number. Most are in one cell or two.
func (g *grid) count(ranges []simd.CellRange, count []int32) (total int) {
	nz := g.n[1]
	for i := range ranges {
		r := &ranges[i]
		c := int(r.Lo[0])*nz + int(r.Lo[1])
		if r.Lo == r.Hi {
			count[c]++
			total++
			continue
		}
		wide := int(r.Hi[1]) - int(r.Lo[1]) + 1
		for y := int(r.Lo[0]); y <= int(r.Hi[0]); y++ {
			for k := range wide {
				count[c+k]++
			}
			c += nz
			total += wide
		}
	}
	return total
}

// cellRanges are those of the primitives from first on.
func (l *layer) cellRanges(rec []float32, g *grid, first int, out []simd.CellRange) {
	w := int(l.shape)
	switch {
	case l.ids != nil:
		simd.CellRangesOf(rec, l.verts, w, l.ids[first:], &g.of, out)
	case l.shape == vertex:
		simd.CellRanges(rec[16*first:], nil, w, &g.of, out)
	default:
		simd.CellRanges(rec, l.verts[w*first:], w, &g.of, out)
	}
}

// scatter puts the primitives into their cells. Blocks are in the order of the set and their places in a cell too, so
// that the entries do not depend on how many threads there are.
func (l *layer) scatter(g *grid, total, threads int) error {
	off, ent, nz := grow(&l.off, g.cells()+1), grow(&l.ent, total), g.n[1]
	sum := int32(0)
	for c := range g.cells() {
		off[c] = sum
		for _, count := range l.counts {
			count[c], sum = sum, sum+count[c]
		}
	}
	off[g.cells()] = sum
	return l.inBlocks(threads, func(block, from, to int) {
		at := l.counts[block]
		for i := from; i < to; i++ {
			r := &l.ranges[i]
			e := keyed{orderOf(r.X0), l.id(i)}
			c := int(r.Lo[0])*nz + int(r.Lo[1])
			if r.Lo == r.Hi {
				ent[at[c]] = e
				at[c]++
				continue
			}
			wide := int(r.Hi[1]) - int(r.Lo[1]) + 1
			for y := int(r.Lo[0]); y <= int(r.Hi[0]); y++ {
				for k := c; k < c+wide; k++ {
					ent[at[k]] = e
					at[k]++
				}
				c += nz
			}
		}
	})
}

func (l *layer) cell(c int) []keyed { return l.ent[l.off[c]:l.off[c+1]] }

// bytes is the memory the layer holds.
func (l *layer) bytes() int {
	n := 8*cap(l.ent) + 4*cap(l.off) + int(unsafe.Sizeof(simd.CellRange{}))*cap(l.ranges)
	for _, c := range l.counts {
		n += 4 * cap(c)
	}
	return n
}
