package scene

import (
	"slices"

	"ccd/core/bound"
	"ccd/core/engine"
)

// runOfElements is the elements from, ..., to-1, all of one part of the scene. box returns that of
// one; workers may call it at once.
type runOfElements struct {
	from, to int32
	box      func(i int32) bound.Box
}

// build makes the grid of these elements, whose numbers are below n, and enters them.
//
// Blocks of elements are worked on at the same time: first their boxes, then their cells, which
// each block lists by shard. Then the shards are filled at the same time, from one block after the
// other. So the grid is the same for any number of threads.
func (g *grid) build(runs []runOfElements, n, threads int) error {
	*g = grid{stamp: make([]uint32, n)}
	blocks := split(runs, threads)
	count := 0
	for _, r := range runs {
		count += int(r.to - r.from)
	}
	if count == 0 {
		return nil
	}
	if err := g.measure(blocks, count, threads); err != nil {
		return err
	}
	lists := make([][shards][]placed, len(blocks))
	levelsOf := make([][levels]bool, len(blocks))
	err := each(len(blocks), threads, func(i int) { g.list(&blocks[i], &lists[i], &levelsOf[i]) })
	if err != nil {
		return err
	}
	for _, on := range levelsOf {
		for level, some := range on {
			g.entered[level] = g.entered[level] || some
		}
	}
	if err := each(shards, threads, func(i int) { g.shards[i].fill(lists, i) }); err != nil {
		return err
	}
	for i := range g.shards {
		g.adopt(&g.shards[i])
	}
	g.entries, g.count = count, count
	return nil
}

// elementsOfBlock is about the number of elements of a block.
const elementsOfBlock = 1 << 16

// split divides runs into blocks.
func split(runs []runOfElements, threads int) (blocks []runOfElements) {
	for _, r := range runs {
		for ; r.from < r.to; r.from += elementsOfBlock {
			blocks = append(blocks, runOfElements{r.from, min(r.to, r.from+elementsOfBlock), r.box})
		}
	}
	return blocks
}

// each calls work for 0 to n-1, on some threads at the same time.
func each(n, threads int, work func(i int)) error {
	tasks := engine.NewTasks(0, n)
	return engine.Parallel(max(1, min(threads, n)), func(int) {
		for i := range tasks.All() {
			work(i)
		}
	})
}

// sampledElements is about the number of elements whose extents are compared.
const sampledElements = 4096

// measure chooses the width of cells.
func (g *grid) measure(blocks []runOfElements, count, threads int) error {
	boxes, extents := make([]bound.Box, len(blocks)), make([][]float64, len(blocks))
	step := int32(max(1, count/sampledElements))
	err := each(len(blocks), threads, func(i int) {
		b := &blocks[i]
		boxes[i] = b.box(b.from)
		for e := b.from; e < b.to; e++ {
			box := b.box(e)
			join(&boxes[i], &box)
			if e%step == 0 || e == b.from {
				extents[i] = append(extents[i], extent(&box))
			}
		}
	})
	if err != nil {
		return err
	}
	for i := range boxes[1:] {
		join(&boxes[0], &boxes[i+1])
	}
	some := slices.Concat(extents...)
	slices.Sort(some)
	g.choose(count, &boxes[0], some)
	return nil
}

// placed is an element in a cell: the number of the cell in its shard takes the place of the key.
type placed struct {
	key     uint64
	element int32
	cell    int32
}

// list lists the elements of a block in the cells of each shard.
func (g *grid) list(b *runOfElements, out *[shards][]placed, on *[levels]bool) {
	for e := b.from; e < b.to; e++ {
		box := b.box(e)
		home := g.home(&box)
		on[home.level] = true
		home.each(func(at [3]int32) {
			s := shardOf(home.level, at)
			out[s] = append(out[s], placed{key: keyOf(home.level, at), element: e})
		})
	}
}

// fill makes the cells of a shard with their entries, which lie in one array.
func (s *shard) fill(lists [][shards][]placed, which int) {
	total := 0
	for i := range lists {
		total += len(lists[i][which])
	}
	if total == 0 {
		return
	}
	var sizes []int32
	last, key := int32(-1), uint64(0)
	for i := range lists {
		list := lists[i][which]
		for k := range list {
			p := &list[k]
			if last < 0 || p.key != key {
				last, key = s.cellAt(cellOf(p.key)), p.key
			}
			p.cell = last
			for int(last) >= len(sizes) {
				sizes = append(sizes, 0)
			}
			sizes[last]++
		}
	}
	all := make([]entry, total)
	for c, n := range sizes {
		s.cells[c].entries, all = all[:0:n], all[n:]
	}
	for i := range lists {
		for _, p := range lists[i][which] {
			c := s.cells[p.cell]
			c.entries = append(c.entries, entry{p.element, 0})
		}
		lists[i][which] = nil
	}
}

// cellOf returns the cell with a number that keyOf returned.
func cellOf(key uint64) (level int32, at [3]int32) {
	const mask = 1<<axisBits - 1
	return int32(key >> (3 * axisBits)), [3]int32{int32(key >> (2 * axisBits) & mask), int32(key >> axisBits & mask),
		int32(key & mask)}
}
