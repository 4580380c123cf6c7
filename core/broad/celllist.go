package broad

import (
	"math"
	"slices"

	"ccd/simd/box"
)

// joiner computes the boxes of the primitives ids of a layer.
type joiner func(l *cellList, p *Plan, from *layer, ids []int32)

// fill makes the lists of a key range of cell c and reports whether there can be a pair.
func (w *Worker) fill(p *Plan, f *familyPlan, c int, keys keyRange, join joiner) bool {
	lists := [2]*cellList{&w.a, &w.b}
	last, boxes := int32(math.MinInt32), 0
	for i, from := range f.layers {
		entries := from.cell(c)
		if boxes += len(entries); len(entries) == 0 {
			return false
		}
		if keys == wholeCell {
			last = keys.to
		} else {
			last = max(last, lists[i].reach(p, from, f.ownEntries(i, c, keys), keys))
		}
	}
	if boxes < 2 {
		return false
	}
	// The entries of both lists are chosen before any list is filled: in a cell of many vertices
	// and few faces, most key ranges have no face.
	var entries [2][]keyed
	var queries [2]int
	for i, from := range f.layers {
		entries[i], queries[i] = from.cell(c), len(from.cell(c))
		if keys != wholeCell {
			entries[i], queries[i] = lists[i].choose(f.entriesUpTo(i, c, keys, last), keys, last)
		}
		if len(entries[i]) == 0 {
			return false
		}
	}
	if p.keeps.box != nil && !p.keeps.codes.mayOwn(f, &entries) {
		return false
	}
	for i, from := range f.layers {
		lists[i].fill(p, f, from, c, entries[i], queries[i], join)
	}
	return true
}

// fill makes the list of some entries of a layer in cell c. The first ones in the order of the
// sweep are queries, the others only targets.
func (l *cellList) fill(p *Plan, f *familyPlan, from *layer, c int, entries []keyed, queries int, join joiner) {
	n := len(entries)
	l.reserve(n, from.largest)
	l.sorter.sort(entries, l.ids)
	if from.numbers != nil {
		numbers := grow(&l.numbers, n)
		for i, place := range l.ids[:n] {
			numbers[i] = from.numbers[place]
		}
	}
	join(l, p, from, l.ids[:n])
	l.list.N = queries
	l.list.HomeY, l.list.HomeZ = f.grid.home[0][c/f.grid.n[1]], f.grid.home[1][c%f.grid.n[1]]
}

// joinEnds computes the boxes at both ends of the motion, for Worker.Sweep.
func (l *cellList) joinEnds(p *Plan, from *layer, ids []int32) {
	n := paddedLen(len(ids))
	if len(l.ends) < box.EndColumns*n {
		l.ends = aligned(new([]float32), box.EndColumns*paddedCap(len(ids), from.largest))
	}
	l.list.Ends, l.list.Stride, l.list.AtRest = l.ends[:box.EndColumns*n], n, p.how.Input.AtRest
	box.JoinEnds(p.vertices.rec, from.places, from.Shape.Vertices(), ids, &l.list)
}

// joinWhole computes the boxes over the whole motion, for Worker.list.
func (l *cellList) joinWhole(p *Plan, from *layer, ids []int32) {
	n := len(ids) + box.SweepPad
	if len(l.floats) < 6*n {
		most := paddedCap(len(ids), from.largest)
		l.floats, l.records = make([]float32, 6*most), make([]float32, 16*most)
	}
	for k := range l.list.Box {
		l.list.Box[k] = l.floats[k*n : (k+1)*n]
	}
	l.list.IDs = l.ids[:n]
	box.JoinRecords(p.vertices.rec, from.places, from.Shape.Vertices(), ids, l.records, &l.list)
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

// mayOwn reports whether the region may own a pair of some entries of a cell: together their codes
// need all bits of codeBegun. A cell below the region along an axis has no such pair, though
// primitives in it extend into the region.
func (c *regionCodes) mayOwn(f *familyPlan, entries *[2][]keyed) bool {
	begun := uint8(0)
	for i, l := range f.layers {
		codes := c.of[l.Shape]
		for _, e := range entries[i] {
			if begun |= codes[e.id]; begun&codeBegun == codeBegun {
				return true
			}
		}
	}
	return false
}
