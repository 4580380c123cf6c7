package broad

import (
	"math"
	"slices"

	"ccd/core/engine"
	"ccd/simd/box"
)

// A keyRange is an interval of the sweep's axis within a cell. A cell with many entries is split
// into key ranges, each a task of its own; otherwise the other threads would wait for the one that
// sweeps this cell.
//
// A sweep finds a pair at the primitive that begins first. So disjoint key ranges that cover the
// axis have disjoint sets of pairs that cover all pairs. A range needs the primitives that begin in
// it, and those that begin later, up to where the former end.
//
// The entries of a split cell are in the order of its ranges, so a task reads only the entries that
// it needs: a cell of n entries has n/2048 ranges, and reading all entries for each would be
// quadratic.
type keyRange struct {
	from, to  int32 // keys, both included
	split, at int32 // it is range number at of familyPlan.splits[split], if split >= 0
}

// wholeCell is the range of all keys.
var wholeCell = keyRange{math.MinInt32, math.MaxInt32, -1, 0}

// cellSplit holds the key ranges of a cell.
type cellSplit struct {
	cell  int
	from  []int32    // the least key of each
	first [2][]int32 // by layer: the position in the cell where the entries of each begin, and at last their number
}

// keyRange returns range i of the split, which is number split of its family.
func (c *cellSplit) keyRange(split, i int) keyRange {
	to := int32(math.MaxInt32)
	if i+1 < len(c.from) {
		to = c.from[i+1] - 1
	}
	return keyRange{c.from[i], to, int32(split), int32(i)}
}

// splitEntries is the least number of entries of a cell that is split, into ranges of about
// splitEntries/2 entries or more.
const splitEntries = 4 * taskWeight

// keyOf maps floats to integers in the same order. Both zeros have one key, because equal floats
// must be in one range.
func keyOf(x float32) int32 {
	return orderOf(x + 0) // -0 + 0 is +0
}

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
	counts := make([][]int32, threads) // by thread and range: the number of entries, then the position of the next one
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

// rangeOf returns the number of the range that contains a key: the last that begins at or below it.
func rangeOf(from []int32, key int32) int {
	lo, n := 0, len(from)
	for n > 1 {
		half := n / 2
		if from[lo+half] <= key {
			lo += half
		}
		n -= half
	}
	return lo
}

// ownEntries returns the entries of a layer that begin in a range of cell c.
func (w *familyPlan) ownEntries(layer, c int, keys keyRange) []keyed {
	first := w.splits[keys.split].first[layer]
	return w.layers[layer].cell(c)[first[keys.at]:first[keys.at+1]]
}

// entriesUpTo returns the entries of a layer in a range of cell c and in the later ranges that
// begin at or below the key last.
func (w *familyPlan) entriesUpTo(layer, c int, keys keyRange, last int32) []keyed {
	k := &w.splits[keys.split]
	end := max(rangeOf(k.from, last), int(keys.at)) + 1
	return w.layers[layer].cell(c)[k.first[layer][keys.at]:k.first[layer][end]]
}

// choose returns the entries that begin at or below the key last, and how many of them begin in the
// range. The slice belongs to the list.
func (l *cellList) choose(entries []keyed, keys keyRange, last int32) (some []keyed, queries int) {
	l.read += int64(len(entries))
	some = l.chosen[:0]
	for _, e := range entries {
		if e.key <= last {
			some = append(some, e)
			if e.key <= keys.to {
				queries++
			}
		}
	}
	l.chosen = some
	return some, queries
}

// reach returns the largest key at which an entry of the range ends.
func (l *cellList) reach(p *Plan, from *layer, own []keyed, keys keyRange) int32 {
	some, n := l.choose(own, keys, keys.to)
	if n == 0 {
		return keys.from
	}
	l.reserve(n, from.largest)
	for i, e := range some {
		l.ids[i] = e.id
	}
	l.joinEnds(p, from, l.ids[:n])
	return keyOf(slices.Max(l.list.Ends[box.EndMax*l.list.Stride:][:n]))
}
