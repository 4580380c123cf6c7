package broad

import (
	"math"
	"slices"

	"ccd/core/engine"
	"ccd/simd"
)

// A keyRange is an interval of the sweep's axis within a cell. A cell with many entries is split into key ranges, each a task
// of its own; otherwise the other threads would wait for the one that sweeps this cell.
//
// A sweep finds a pair at the primitive that begins first. So disjoint key ranges that cover the axis have disjoint sets of
// pairs that cover all pairs. A range needs the primitives that begin in it, and those that begin later, up to where the former
// end.
//
// The entries of a split cell are in the order of its ranges, so a task reads only the entries that it needs: a cell of n entries
// has n/2048 ranges, and reading all entries for each would be quadratic.
type keyRange struct {
	from, to  int32 // keys, both included
	split, at int32 // it is range number at of familyPlan.splits[split], if split >= 0
}

// wholeCell is the range of all keys.
var wholeCell = keyRange{math.MinInt32, math.MaxInt32, -1, 0}

// cellSplit holds the key ranges of a cell.
type cellSplit struct {
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

// splitEntries is the least number of entries of a cell that is split, into ranges of about splitEntries/2 entries or more.
const splitEntries = 4 * taskWeight

// keyOf maps floats to integers in the same order. Both zeros have one key, because equal floats must be in one range.
func keyOf(x float32) int32 {
	return orderOf(x + 0) // -0 + 0 is +0
}

// splitCell splits cell c, of the given weight, at quantiles of a sample of its keys. The ranges do not depend on threads.
func (w *familyPlan) splitCell(p *Plan, c, weight int) ([]keyRange, error) {
	n := weight / (splitEntries / 2)
	keys, step := p.keys[:0], 1+weight/(32*n)
	for _, l := range w.layers {
		entries := l.cell(c)
		for i := 0; i < len(entries); i += step {
			keys = append(keys, entries[i].key)
		}
	}
	p.keys = keys
	slices.Sort(keys)
	from := []int32{wholeCell.from}
	for i := 1; i < n; i++ {
		if cut := keys[i*len(keys)/n]; cut > from[len(from)-1] {
			from = append(from, cut)
		}
	}
	return w.splitAt(p, c, from)
}

// splitAt splits cell c into ranges that begin at these keys, in rising order, the first of them wholeCell.from.
func (w *familyPlan) splitAt(p *Plan, c int, from []int32) ([]keyRange, error) {
	if len(from) == 1 {
		return []keyRange{wholeCell}, nil
	}
	k := cellSplit{from: from}
	for i, l := range w.layers {
		k.first[i] = make([]int32, len(from)+1)
		if err := p.arrange(l.cell(c), from, k.first[i]); err != nil {
			return nil, err
		}
	}
	w.splits = append(w.splits, k)
	ranges := make([]keyRange, len(from))
	for i := range ranges {
		ranges[i] = k.keyRange(len(w.splits)-1, i)
	}
	return ranges, nil
}

// arrange sorts entries by the ranges that begin at the keys from, and writes the first entry of each range to first. Within a
// range they keep their order, whatever the number of threads.
func (p *Plan) arrange(entries []keyed, from, first []int32) error {
	n := len(entries)
	of, moved := grow(&p.rangeIndex, n), grow(&p.reordered, n)
	threads := blocks(n, p.how.Threads)
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
	return engine.Parallel(threads, func(i int) { copy(entries[n*i/threads:n*(i+1)/threads], moved[n*i/threads:n*(i+1)/threads]) })
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

// entriesUpTo returns the entries of a layer in a range of cell c and in the later ranges that begin at or below the key last.
func (w *familyPlan) entriesUpTo(layer, c int, keys keyRange, last int32) []keyed {
	k := &w.splits[keys.split]
	end := max(rangeOf(k.from, last), int(keys.at)) + 1
	return w.layers[layer].cell(c)[k.first[layer][keys.at]:k.first[layer][end]]
}

// choose returns the entries that begin at or below the key last, and how many of them begin in the range. The slice belongs to
// the list.
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
	return keyOf(slices.Max(l.list.Ends[simd.EndMax*l.list.Stride:][:n]))
}
