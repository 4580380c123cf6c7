package broad

import (
	"slices"

	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/simd/box"
)

// A layer holds the primitives of a set in the cells of a grid: ent[off[c]:off[c+1]] are those of
// cell c, in the order of the set. A worker sorts the entries of a cell just before it sweeps the
// cell.
type layer struct {
	set
	chosen  set     // the primitives of the set that may be in a pair that the plan keeps
	places  []int32 // verts, but of a plan with an Ordered by place: the places of the primitive's vertices
	numbers []int32 // nil, or of a plan with an Ordered by place: the primitive
	verts   []int32 // verts are those of all primitives of the shape, flat; nil for vertices.
	off     []int32
	ent     []keyed
	largest int       // the most entries of a cell
	counts  [][]int32 // counts has by thread and cell the number of entries, then where the next goes.
	sums    [][]int32 // sums has by thread and run of cells the number of entries.
	kept    []int32   // the memory of chosen
	marks   []uint64  // a bit for each primitive of the set: whether it is in chosen
}

// use sets the layer to the set s of m.
func (l *layer) use(m *mesh.Mesh, s set) {
	l.set, l.chosen, l.verts, l.places, l.numbers = s, s, nil, nil, nil
	switch s.Shape {
	case geom.Edge:
		l.verts = flat(m.Edges)
	case geom.Face:
		l.verts = flat(m.Faces)
	}
	l.places = l.verts
}

// vertices returns the vertices of the i-th primitive of the set.
func (l *layer) vertices(i int) []int32 {
	if l.Shape == geom.Vertex {
		if l.ids == nil {
			return []int32{int32(i)}
		}
		return l.ids[i : i+1]
	}
	w := l.Shape.Vertices()
	at := w * int(l.id(i))
	return l.verts[at : at+w]
}

// inBlocks divides the primitives into at most one block per thread and calls work on all blocks in
// parallel.
func (l *layer) inBlocks(threads int, work func(block, from, to int)) error {
	return inBlocks(l.chosen.n, threads, work)
}

func (l *layer) blocks(threads int) int { return blocks(l.chosen.n, threads) }

// measure finds the cells of the primitives and returns the number of entries.
func (l *layer) measure(rec []float32, g *grid, ranges []box.CellRange, threads int) (total int, err error) {
	blocks := l.blocks(threads)
	for len(l.counts) < blocks {
		l.counts, l.sums = append(l.counts, nil), append(l.sums, nil)
	}
	l.counts, l.sums = l.counts[:blocks], l.sums[:blocks]
	totals := make([]int, blocks)
	err = l.inBlocks(threads, func(block, from, to int) {
		count := grow(&l.counts[block], g.cells()+g.beyond())
		clear(count)
		l.cellRanges(rec, g, from, ranges[from:to])
		totals[block] = g.count(ranges[from:to], count)
		if blocks > 1 {
			sums := grow(&l.sums[block], (len(count)+cellRun-1)/cellRun)
			for run := range sums {
				sums[run] = 0
				for _, n := range count[cellRun*run : min(cellRun*(run+1), len(count))] {
					sums[run] += n
				}
			}
		}
	})
	for _, n := range totals {
		total += n
	}
	return total, err
}

// cellRanges writes the cells of the chosen primitives from number first on to out.
func (l *layer) cellRanges(rec []float32, g *grid, first int, out []box.CellRange) {
	l.rangesOf(rec, g, &l.chosen, first, out)
}

// rangesOf is cellRanges for some primitives of the layer.
func (l *layer) rangesOf(rec []float32, g *grid, some *set, first int, out []box.CellRange) {
	w := l.Shape.Vertices()
	switch {
	case some.ids != nil && l.Shape == geom.Vertex:
		box.CellRangesOf(rec, nil, w, some.ids[first:], &g.of, out)
	case some.ids != nil:
		var gathered [3 * gatheredLen]int32 // vertices, side by side for the kernel
		for i := 0; i < len(out); i += gatheredLen {
			n, verts := min(gatheredLen, len(out)-i), gathered[:0]
			for _, id := range some.ids[first+i : first+i+n] {
				verts = append(verts, l.places[w*int(id):w*int(id)+w]...)
			}
			box.CellRanges(rec, verts, w, &g.of, out[i:i+n])
		}
	case l.Shape == geom.Vertex:
		box.CellRanges(rec[16*first:], nil, w, &g.of, out)
	default:
		box.CellRanges(rec, l.places[w*first:], w, &g.of, out)
	}
}

// gatheredLen is the number of primitives of a list whose vertices are gathered at once.
const gatheredLen = 256

// cellRun is the number of cells that are placed at once.
const cellRun = 1024

// placedCounts is the number of counts that are worth a thread: 20 us.
const placedCounts = 1 << 14

// place computes where the entries of each cell begin, and where each thread writes its entries of
// the cell.
func (l *layer) place(g *grid, threads int) error {
	cells := g.cells()
	off := grow(&l.off, cells+1)
	threads = max(1, min(threads, cells*len(l.counts)/placedCounts))
	if l.largest = 0; len(l.counts) == 1 || threads == 1 {
		off[cells], l.largest = l.placeRun(0, cells, 0)
		return nil
	}
	runs := (cells + cellRun - 1) / cellRun
	sum := int32(0)
	for run := range runs {
		for _, sums := range l.sums {
			sums[run], sum = sum, sum+sums[run]
		}
	}
	off[cells] = sum
	tasks, most := engine.NewTasks(0, runs), make([]int, threads)
	err := engine.Parallel(threads, func(worker int) {
		for run := range tasks.All() {
			_, largest := l.placeRun(cellRun*run, min(cellRun*(run+1), cells), l.sums[0][run])
			most[worker] = max(most[worker], largest)
		}
	})
	l.largest = slices.Max(most)
	return err
}

// placeRun does so for the cells from to to-1, the first of whose entries is number sum. It returns
// the number of the entry after the last, and the most entries of a cell.
func (l *layer) placeRun(from, to int, sum int32) (end int32, largest int) {
	const tile = 256 // cells whose counts, of all threads, stay in cache
	var next [tile]int32
	for ; from < to; from += tile {
		n := min(tile, to-from)
		all := next[:n]
		clear(all)
		for _, count := range l.counts {
			for c, k := range count[from : from+n] {
				all[c] += k
			}
		}
		off := l.off[from : from+n]
		for c, k := range all {
			off[c], all[c] = sum, sum
			sum += k
			largest = max(largest, int(k))
		}
		for _, count := range l.counts {
			for c, k := range count[from : from+n] {
				count[from+c] = all[c]
				all[c] += k
			}
		}
	}
	return sum, largest
}

// scatter writes the primitives into the cells. Blocks are in the order of the set, and so are
// their entries within a cell, so the entries do not depend on the number of threads.
func (l *layer) scatter(g *grid, ranges []box.CellRange, threads int) error {
	entries := int(l.off[g.cells()])
	ent := grow(&l.ent, entries+l.blocks(threads))
	l.ent = ent[:entries]
	return l.inBlocks(threads, func(block, from, to int) {
		g.scatter(&l.chosen, from, ranges[from:to], l.counts[block], ent, entries+block)
	})
}

func (l *layer) cell(c int) []keyed { return l.ent[l.off[c]:l.off[c+1]] }

// bytes returns the memory of the layer.
func (l *layer) bytes() int {
	n := 8*cap(l.ent) + 4*cap(l.off) + 4*cap(l.kept) + 8*cap(l.marks)
	for i := range l.counts {
		n += 4 * (cap(l.counts[i]) + cap(l.sums[i]))
	}
	return n
}
