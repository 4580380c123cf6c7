package broad

import (
	"math"
	"slices"

	"ccd/simd"
)

// A portion is the part of a cell that is found at primitives which begin in a range of the sweep's axis. A cell that holds
// much is swept in portions, each a task of its own: else threads would wait for the one that has it.
//
// A sweep finds a pair at the one of the two that begins first, among the others that begin no earlier. So portions that part
// the axis part the pairs, and each needs of the cell's primitives those that begin in its range, and those that begin
// later, as far as the former reach.
type portion struct{ from, to int32 } // keys, both included

// all is the portion that is the whole cell.
var all = portion{math.MinInt32, math.MaxInt32}

// heavy is how many entries a cell has at least that is swept in portions, of some heavy/2 entries or more.
const heavy = 4 * taskWeight

// keyOf maps floats to integers in the same order, both zeros to one: what floats take for equal no portions may part.
func keyOf(x float32) int32 {
	return orderOf(x + 0) // -0 + 0 is +0
}

// portions cuts cell c, of the given weight, by some of its keys. Entries do not depend on threads, nor do the cuts.
func (w *familyPlan) portions(c, weight int, scratch *[]int32) []portion {
	n := weight / (heavy / 2)
	keys, step := (*scratch)[:0], 1+weight/(32*n)
	for _, l := range w.layers {
		entries := l.cell(c)
		for i := 0; i < len(entries); i += step {
			keys = append(keys, entries[i].key)
		}
	}
	*scratch = keys
	slices.Sort(keys)
	parts, from := make([]portion, 0, n), all.from
	for i := 1; i < n; i++ {
		if cut := keys[i*len(keys)/n]; cut > from {
			parts = append(parts, portion{from, cut - 1})
			from = cut
		}
	}
	return append(parts, portion{from, all.to})
}

// choose returns the entries that a portion needs up to the key of the last that it can meet, and how many of them begin
// in it. The slice is the list's own.
func (l *cellList) choose(entries []keyed, part portion, last int32) (some []keyed, queries int) {
	some = l.some[:0]
	for _, e := range entries {
		if e.key >= part.from && e.key <= last {
			some = append(some, e)
			if e.key <= part.to {
				queries++
			}
		}
	}
	l.some = some
	return some, queries
}

// reach is the key of where the last of the entries that begin in a portion ends.
func (l *cellList) reach(p *Plan, from *layer, entries []keyed, part portion) int32 {
	some, n := l.choose(entries, part, part.to)
	if n == 0 {
		return part.from
	}
	l.room(n, from.largest)
	for i, e := range some {
		l.ids[i] = e.id
	}
	l.joinEnds(p, from, l.ids[:n])
	return keyOf(slices.Max(l.list.Ends[simd.EndMax*l.list.Stride:][:n]))
}
