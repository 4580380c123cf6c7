package broad

import (
	"slices"
	"unsafe"

	"ccd/core/engine"
)

// division is the tasks of a run of cells of one family. Runs are divided at the same time; their tasks, one run after the other, are those of
// the plan. So tasks depend on the step alone.
type division struct {
	family, c0, c1 int
	tasks          []Task // their key ranges count the splits of this run
	total          int64
	splits         []cellSplit
	large          []int   // the splits whose entries many threads put in order
	numbers        []int32 // the memory of the splits
}

// divider is the working memory of a thread that divides cells.
type divider struct {
	keys       []int32 // some keys of a cell
	from       []int32 // the least keys of its ranges
	rangeIndex []int32 // the key range of each entry of a cell
	reordered  []keyed // the entries of a cell in the order of its key ranges
}

// dividedEntries is the number of entries, or of cells, that are worth a thread: 20 us.
const dividedEntries = 4096

// addTasks divides the cells of all families into tasks.
func (p *Plan) addTasks() error {
	n, cells, entries := 0, 0, 0
	for i := range p.work {
		w := &p.work[i]
		w.splits = w.splits[:0]
		for c := 0; c < w.grid.cells(); n++ {
			if n == len(p.divisions) {
				p.divisions = append(p.divisions, division{})
			}
			end := w.runEnd(c)
			p.divisions[n].begin(i, c, end)
			c = end
		}
		cells += w.grid.cells()
		for _, l := range w.layers {
			entries += int(l.off[w.grid.cells()])
		}
	}
	threads := max(1, min(p.how.Threads, n, (cells+entries/4)/dividedEntries))
	if p.how.Limit > 0 {
		threads = 1 // the working memory of more would count
	}
	for len(p.dividers) < threads {
		p.dividers = append(p.dividers, divider{})
	}
	runs, left := p.divisions[:n], engine.NewTasks(0, n)
	err := engine.Parallel(threads, func(worker int) {
		for i := range left.All() {
			runs[i].divide(p, &p.dividers[worker])
		}
	})
	for i := range runs {
		if err == nil {
			err = p.appendTasks(&runs[i])
		}
	}
	if p.how.Limit > 0 {
		p.divisions = nil
	}
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

// begin sets the division to the cells from c0 to c1-1 of a family.
func (d *division) begin(family, c0, c1 int) {
	*d = division{
		family: family, c0: c0, c1: c1,
		tasks: d.tasks[:0], splits: d.splits[:0], large: d.large[:0], numbers: d.numbers[:0],
	}
}

// take returns memory for n numbers.
func (d *division) take(n int) []int32 {
	from := len(d.numbers)
	d.numbers = slices.Grow(d.numbers, n)[:from+n]
	return d.numbers[from : from+n : from+n]
}

// add adds a task.
func (d *division) add(p *Plan, c0, c1, weight int, keys keyRange) {
	if weight > 0 {
		d.tasks = append(d.tasks, Task{Kind: p.work[d.family].kind, Weight: weight, family: d.family, c0: c0, c1: c1, keys: keys})
		d.total += int64(weight)
	}
}

// divide divides the cells of the run.
func (d *division) divide(p *Plan, s *divider) {
	w := &p.work[d.family]
	c0, light := d.c0, 0 // cells that are not in a task yet begin at c0
	for c := d.c0; c < d.c1; c++ {
		weight := w.weight(c)
		if weight < splitEntries {
			if light += weight; light >= taskWeight {
				d.add(p, c0, c+1, light, wholeCell)
				c0, light = c+1, 0
			}
			continue
		}
		d.add(p, c0, c, light, wholeCell)
		c0, light = c+1, 0
		d.split(p, s, c, weight)
	}
	d.add(p, c0, d.c1, light, wholeCell)
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
		p.tasks = append(p.tasks, t)
	}
	p.total += d.total
	for _, i := range d.large {
		k := &d.splits[i]
		for j, l := range w.layers {
			if err := p.dividers[0].arrangeParallel(l.cell(k.cell), k.from, k.first[j], p.how.Threads); err != nil {
				return err
			}
		}
	}
	return nil
}

// bytes returns the memory of the division.
func (d *division) bytes() int {
	return int(unsafe.Sizeof(Task{}))*cap(d.tasks) + int(unsafe.Sizeof(cellSplit{}))*cap(d.splits) + 8*cap(d.large) + 4*cap(d.numbers)
}

func (s *divider) bytes() int {
	return 4*(cap(s.keys)+cap(s.from)+cap(s.rangeIndex)) + 8*cap(s.reordered)
}

// divisionBytes returns the memory of the plan's divisions and dividers.
func (p *Plan) divisionBytes() (n int) {
	for i := range p.divisions {
		n += p.divisions[i].bytes()
	}
	for i := range p.dividers {
		n += p.dividers[i].bytes()
	}
	return n
}
