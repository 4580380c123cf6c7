package broad

import (
	"cmp"
	"math"
	"slices"

	"ccd/core/engine"
)

// dividedEntries is the number of entries, or of cells, that are worth a thread: 20 us.
const dividedEntries = 4096

// addTasks divides the cells of all families into tasks.
func (p *Plan) addTasks() error {
	n, cells, entries := 0, 0, 0
	for i := range p.work {
		w := &p.work[i]
		w.splits = w.splits[:0]
		for c := 0; c < w.grid.cells(); n++ {
			if n == len(p.scratch.divisions) {
				p.scratch.divisions = append(p.scratch.divisions, division{})
			}
			end := w.runEnd(c)
			p.scratch.divisions[n].begin(i, c, end)
			c = end
		}
		cells += w.grid.cells()
		for _, l := range w.layers {
			entries += int(l.off[w.grid.cells()])
		}
	}
	threads := p.room.dividing(max(1, min(p.how.Work.Threads, n, (cells+entries/4)/dividedEntries)))
	for len(p.scratch.dividers) < threads {
		p.scratch.dividers = append(p.scratch.dividers, divider{})
	}
	runs, left := p.scratch.divisions[:n], engine.NewTasks(0, n)
	err := engine.Parallel(threads, func(worker int) {
		for i := range left.All() {
			runs[i].divide(p, &p.scratch.dividers[worker])
		}
	})
	for i := range runs {
		if err == nil {
			err = p.appendTasks(&runs[i])
		}
	}
	p.room.settle(&p.scratch)
	p.orderTasks()
	return err
}

// dividedRun is the least number of entries of a run of cells that are divided into tasks at once.
const dividedRun = 16 * taskWeight

// runEnd returns the end of the run that begins at cell c.
func (w *familyPlan) runEnd(c int) int {
	off := w.last().off
	more, _ := slices.BinarySearch(off[c+1:], off[c]+dividedRun)
	return min(c+1+more, w.grid.cells())
}

// divide divides the cells of the run.
func (d *division) divide(p *Plan, s *divider) {
	w := &p.work[d.family]
	c0, light, compared := d.c0, 0, 0.0 // cells that are not in a task yet begin at c0
	for c := d.c0; c < d.c1; c++ {
		weight, ranges, here := w.weight(c), 1, 0.0
		if weight >= crowdedEntries {
			here = w.comparisons(p, s, c)
			ranges = min(int(here/taskComparisons), weight/leastRange)
		}
		if weight < splitEntries && ranges < 2 {
			if light, compared = light+weight, compared+here; light >= taskWeight {
				d.add(p, c0, c+1, light, compared, wholeCell)
				c0, light, compared = c+1, 0, 0
			}
			continue
		}
		d.add(p, c0, c, light, compared, wholeCell)
		c0, light, compared = c+1, 0, 0
		d.split(p, s, c, max(ranges, weight/(splitEntries/2)), here)
	}
	d.add(p, c0, d.c1, light, compared, wholeCell)
}

// appendTasks adds the tasks of a run to the plan's.
func (p *Plan) appendTasks(d *division) error {
	w := &p.work[d.family]
	before := int32(len(w.splits))
	w.splits = append(w.splits, d.splits...)
	for _, t := range d.tasks {
		if t.keys.split >= 0 {
			t.keys.split += before
		}
		p.todo.add(t)
	}
	for _, i := range d.large {
		k := &d.splits[i]
		for j, l := range w.layers {
			if err := p.scratch.dividers[0].arrangeParallel(l.cell(k.cell), k.from, k.first[j],
				p.how.Work.Threads); err != nil {
				return err
			}
		}
	}
	return nil
}

// Where boxes are crowded, a cell of a few hundred entries takes as long as hundreds of others:
// then it is split by an estimate of its comparisons.
const (
	crowdedEntries  = 512     // the least number of entries of a cell whose comparisons are estimated
	taskComparisons = 1 << 19 // A key range of so many takes 0.4 ms, up to 1 with its pairs.
	leastRange      = 512     // entries of a key range: each range reads those that begin later, too
)

// comparisons estimates the number of pairs of a cell whose boxes overlap along the sweep's axis,
// by some keys of each layer and the mean extent of a box.
func (w *familyPlan) comparisons(p *Plan, s *divider, c int) float64 {
	reach := float32((w.sample.Extent[p.space.Axis[0]] + float64(2*p.how.typical())) * p.space.Scale)
	var at [2][]float32
	share := 1.0
	for i, l := range w.layers {
		entries := l.cell(c)
		step := 1 + (len(entries)-1)/comparedKeys
		for j := 0; j < len(entries); j += step {
			at[i] = append(s.at[i][:len(at[i])], floatOf(entries[j].key))
		}
		share *= float64(step)
	}
	if w.self {
		return share * share * float64(withinSelf(at[0], reach))
	}
	return share * float64(within(at[0], at[1], float32(reach/2), reach)) // vertices are shorter than faces
}

// withinSelf counts the pairs of numbers that differ by at most reach, and within the pairs of x of
// a and y of b with -below <= x-y <= above. Both take signs of differences, for nothing foretells
// which pairs count: a difference that is rounded has the sign of the real one.
func withinSelf(a []float32, reach float32) (n int) {
	for i, x := range a {
		for _, y := range a[:i] {
			n -= int(math.Float32bits(reach-abs32(x-y)) >> 31)
		}
		n += i
	}
	return n
}

func within(a, b []float32, below, above float32) (n int) {
	for _, x := range a {
		for _, y := range b {
			d := x - y
			n -= int((math.Float32bits(above-d) | math.Float32bits(below+d)) >> 31)
		}
		n += len(b)
	}
	return n
}

// abs32 returns the magnitude of x.
func abs32(x float32) float32 { return math.Float32frombits(math.Float32bits(x) &^ (1 << 31)) }

// heavyShare is the multiple of the mean work from which on tasks come first.
const heavyShare = 1.5

// orderTasks puts the tasks that take long first, so that no thread begins one when the others end.
// The rest stay in the order of their cells: neighbors share vertices, which are in cache.
func (p *Plan) orderTasks() {
	if p.todo.turns = p.todo.turns[:0]; p.how.Work.Threads == 1 {
		return
	}
	mean := 0.0
	for i := range p.todo.list {
		mean += float64(p.todo.list[i].work) / float64(len(p.todo.list))
	}
	heavy := func(i int32) bool { return float64(p.todo.list[i].work) > heavyShare*mean }
	for i := range p.todo.list {
		if heavy(int32(i)) {
			p.todo.turns = append(p.todo.turns, int32(i))
		}
	}
	slices.SortStableFunc(p.todo.turns, func(i, j int32) int {
		return cmp.Compare(p.todo.list[j].work, p.todo.list[i].work)
	})
	for i := range p.todo.list {
		if !heavy(int32(i)) {
			p.todo.turns = append(p.todo.turns, int32(i))
		}
	}
}
