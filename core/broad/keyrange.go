package broad

import (
	"slices"

	"ccd/core/engine"
)

// splitEntries is the least number of entries of a cell that is split, into ranges of about
// splitEntries/2 entries or more.
const splitEntries = 4 * taskWeight

// split splits cell c into about n ranges, at quantiles of a sample of its keys. The ranges do not
// depend on threads.
func (d *division) split(p *Plan, s *divider, c, n int, compared float64) {
	weight := p.work[d.family].weight(c)
	keys, step := s.keys[:0], 1+weight/(32*n)
	for _, l := range p.work[d.family].layers {
		entries := l.cell(c)
		for i := 0; i < len(entries); i += step {
			keys = append(keys, entries[i].key)
		}
	}
	slices.Sort(keys)
	from := append(s.from[:0], wholeCell.from)
	for i := 1; i < n; i++ {
		if cut := keys[i*len(keys)/n]; cut > from[len(from)-1] {
			from = append(from, cut)
		}
	}
	s.keys, s.from = keys, from
	d.splitAt(p, s, c, weight, compared, from)
}

// splitAt adds tasks of cell c for ranges that begin at these keys, in rising order, the first of
// them wholeCell.from.
func (d *division) splitAt(p *Plan, s *divider, c, weight int, compared float64, from []int32) {
	if len(from) == 1 {
		d.add(p, c, c+1, weight, compared, wholeCell)
		return
	}
	k := cellSplit{cell: c, from: d.take(len(from))}
	copy(k.from, from)
	large := p.how.Work.Threads > 1 && weight >= largeCell
	for i, l := range p.work[d.family].layers {
		k.first[i] = d.take(len(from) + 1)
		if !large {
			s.arrange(l.cell(c), k.from, k.first[i])
		}
	}
	if large {
		d.large = append(d.large, len(d.splits))
	}
	d.splits = append(d.splits, k)
	for i := range from {
		d.add(p, c, c+1, weight*(i+1)/len(from)-weight*i/len(from), compared/float64(len(from)),
			k.keyRange(len(d.splits)-1, i))
	}
}

// largeCell is the number of entries of a cell from which on several threads put them in the order
// of its ranges: then they would wait for the one that divides this cell.
const largeCell = 1 << 16

// arrange sorts entries by the ranges that begin at the keys from, and writes the first entry of
// each range to first. Within a range they keep their order.
func (s *divider) arrange(entries []keyed, from, first []int32) {
	of, moved := grow(&s.rangeIndex, len(entries)), grow(&s.reordered, len(entries))
	clear(first)
	for i, e := range entries {
		of[i] = int32(rangeOf(from, e.key))
		first[of[i]]++
	}
	sum := int32(0)
	for k, n := range first {
		first[k] = sum
		sum += n
	}
	for i, e := range entries {
		moved[first[of[i]]] = e
		first[of[i]]++
	}
	copy(first[1:], first) // each is where the next begins
	first[0] = 0
	copy(entries, moved)
}

// arrangeParallel is arrange on several threads, with the same result.
func (s *divider) arrangeParallel(entries []keyed, from, first []int32, threads int) error {
	n := len(entries)
	of, moved := grow(&s.rangeIndex, n), grow(&s.reordered, n)
	threads = blocks(n, threads)
	// counts has by thread and range the number of entries, then the position of the next one.
	counts := make([][]int32, threads)
	err := engine.Parallel(threads, func(i int) {
		count := make([]int32, len(from))
		for j := n * i / threads; j < n*(i+1)/threads; j++ {
			of[j] = int32(rangeOf(from, entries[j].key))
			count[of[j]]++
		}
		counts[i] = count
	})
	if err != nil {
		return err
	}
	sum := int32(0)
	for k := range from {
		first[k] = sum
		for _, count := range counts {
			count[k], sum = sum, sum+count[k]
		}
	}
	first[len(from)] = sum
	err = engine.Parallel(threads, func(i int) {
		at := counts[i]
		for j := n * i / threads; j < n*(i+1)/threads; j++ {
			moved[at[of[j]]] = entries[j]
			at[of[j]]++
		}
	})
	if err != nil {
		return err
	}
	return engine.Parallel(threads, func(i int) {
		copy(entries[n*i/threads:n*(i+1)/threads],
			moved[n*i/threads:n*(i+1)/threads])
	})
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

// add adds a task. compared is an estimate of its comparisons beyond those that every cell takes.
func (d *division) add(p *Plan, c0, c1, weight int, compared float64, keys keyRange) {
	if weight > 0 {
		t := Task{Kind: p.work[d.family].kind, Weight: weight, family: d.family, c0: c0, c1: c1, keys: keys}
		t.work = float32(float64(entryWork*float64(weight)) + float64(pairWork*compared))
		d.tasks = append(d.tasks, t)
		d.total += int64(weight)
	}
}

// What a task takes, in nanoseconds of one machine: its entries are read, sorted and joined, and of
// the pairs that are compared some are kept.
const (
	entryWork = 80
	pairWork  = 2
)
