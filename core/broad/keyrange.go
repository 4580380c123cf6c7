package broad

import (
	"cmp"
	"math"
	"slices"

	"ccd/simd"
)

// A keyRange is an interval of the sweep's axis within a cell. A cell with many entries is split into key ranges, each a task
// of its own; otherwise the other threads would wait for the one that sweeps this cell.
//
// A sweep finds a pair at the primitive that begins first. So disjoint key ranges that cover the axis have disjoint sets of
// pairs that cover all pairs. A range needs the primitives that begin in it, and those that begin later, up to where the former
// end.
//
// The entries of a cell are sorted by their keys, so a task reads only the entries that it needs: a cell of n entries has n/2048 ranges, and
// reading all entries for each would be quadratic.
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
func (w *familyPlan) splitCell(p *Plan, c, weight int) []keyRange {
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
	return w.splitAt(c, from)
}

// splitAt splits cell c into ranges that begin at these keys, in rising order, the first of them wholeCell.from.
func (w *familyPlan) splitAt(c int, from []int32) []keyRange {
	if len(from) == 1 {
		return []keyRange{wholeCell}
	}
	k := cellSplit{from: from}
	for i, l := range w.layers {
		entries := l.cell(c)
		k.first[i] = make([]int32, len(from)+1)
		for j, key := range from {
			k.first[i][j] = int32(below(entries, key))
		}
		k.first[i][len(from)] = int32(len(entries))
	}
	w.splits = append(w.splits, k)
	ranges := make([]keyRange, len(from))
	for i := range ranges {
		ranges[i] = k.keyRange(len(w.splits)-1, i)
	}
	return ranges
}

// below returns how many of the sorted entries have keys below the given one.
func below(entries []keyed, key int32) int {
	n, _ := slices.BinarySearchFunc(entries, key, func(e keyed, key int32) int { return cmp.Compare(e.key, key) })
	return n
}

// upTo returns the sorted entries with keys up to the given one.
func upTo(entries []keyed, key int32) []keyed {
	if key == math.MaxInt32 {
		return entries
	}
	return entries[:below(entries, key+1)]
}

// ownEntries returns the entries of a layer that begin in a range of cell c, and entriesUpTo also the later ones that begin at or below the key
// last.
func (w *familyPlan) ownEntries(layer, c int, keys keyRange) []keyed {
	first := w.splits[keys.split].first[layer]
	return w.layers[layer].cell(c)[first[keys.at]:first[keys.at+1]]
}

func (w *familyPlan) entriesUpTo(layer, c int, keys keyRange, last int32) []keyed {
	return upTo(w.layers[layer].cell(c)[w.splits[keys.split].first[layer][keys.at]:], last)
}

// reach returns the largest key at which one of these entries ends, or none if there are none.
func (l *cellList) reach(p *Plan, from *layer, own []keyed, none int32) int32 {
	if len(own) == 0 {
		return none
	}
	l.read += int64(len(own))
	l.reserve(len(own), from.largest)
	for i, e := range own {
		l.ids[i] = e.id
	}
	l.joinEnds(p, from, l.ids[:len(own)])
	return keyOf(slices.Max(l.list.Ends[simd.EndMax*l.list.Stride:][:len(own)]))
}
