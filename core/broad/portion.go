package broad

import (
	"math"
	"slices"

	"ccd/core/engine"
	"ccd/simd"
)

// A portion is the part of a cell that is found at primitives which begin in a range of the sweep's axis. A cell that holds
// much is swept in portions, each a task of its own: else threads would wait for the one that has it.
//
// A sweep finds a pair at the one of the two that begins first, among the others that begin no earlier. So portions that part
// the axis part the pairs, and each needs of the cell's primitives those that begin in its range, and those that begin
// later, as far as the former reach.
//
// The entries of a cell that is cut lie in the order of its portions, so that a portion reads its own entries and those that it
// reaches, not the whole cell: a cell of n entries has n/2048 portions, and reading all entries for each is quadratic.
type portion struct {
	from, to int32 // keys, both included
	cut, at  int32 // it is the at-th portion of familyPlan.cuts[cut], if cut >= 0
}

// all is the portion that is the whole cell.
var all = portion{math.MinInt32, math.MaxInt32, -1, 0}

// cuts are the portions of a cell.
type cuts struct {
	from  []int32    // the least key of each
	first [2][]int32 // by layer: the position in the cell where the entries of each begin, and at last their number
}

// portion is the i-th portion of the cuts, which are the family's cut-th.
func (c *cuts) portion(cut, i int) portion {
	to := int32(math.MaxInt32)
	if i+1 < len(c.from) {
		to = c.from[i+1] - 1
	}
	return portion{c.from[i], to, int32(cut), int32(i)}
}

// heavy is how many entries a cell has at least that is swept in portions, of some heavy/2 entries or more.
const heavy = 4 * taskWeight

// keyOf maps floats to integers in the same order, both zeros to one: what floats take for equal no portions may part.
func keyOf(x float32) int32 {
	return orderOf(x + 0) // -0 + 0 is +0
}

// portions cuts cell c, of the given weight, by some of its keys. Entries do not depend on threads, nor do the portions.
func (w *familyPlan) portions(p *Plan, c, weight int) ([]portion, error) {
	n := weight / (heavy / 2)
	keys, step := p.keys[:0], 1+weight/(32*n)
	for _, l := range w.layers {
		entries := l.cell(c)
		for i := 0; i < len(entries); i += step {
			keys = append(keys, entries[i].key)
		}
	}
	p.keys = keys
	slices.Sort(keys)
	from := []int32{all.from}
	for i := 1; i < n; i++ {
		if cut := keys[i*len(keys)/n]; cut > from[len(from)-1] {
			from = append(from, cut)
		}
	}
	return w.cut(p, c, from)
}

// cut cuts cell c into portions that begin at some keys, in rising order and the first of them all.from.
func (w *familyPlan) cut(p *Plan, c int, from []int32) ([]portion, error) {
	if len(from) == 1 {
		return []portion{all}, nil
	}
	k := cuts{from: from}
	for i, l := range w.layers {
		k.first[i] = make([]int32, len(from)+1)
		if err := p.arrange(l.cell(c), from, k.first[i]); err != nil {
			return nil, err
		}
	}
	w.cuts = append(w.cuts, k)
	parts := make([]portion, len(from))
	for i := range parts {
		parts[i] = k.portion(len(w.cuts)-1, i)
	}
	return parts, nil
}

// arrange brings entries into the order of the portions that begin at the keys from, and finds where each portion's begin.
// Within a portion they keep their order, whatever the number of threads.
func (p *Plan) arrange(entries []keyed, from, first []int32) error {
	n := len(entries)
	of, moved := grow(&p.of, n), grow(&p.moved, n)
	threads := blocks(n, p.how.Threads)
	counts := make([][]int32, threads) // by thread and portion: how many entries, and then where the next one goes
	err := engine.Parallel(threads, func(i int) {
		count := make([]int32, len(from))
		for j := n * i / threads; j < n*(i+1)/threads; j++ {
			of[j] = int32(portionOf(from, entries[j].key))
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

// portionOf is the number of the portion that a key lies in: the last that begins no later.
func portionOf(from []int32, key int32) int {
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

// own is the entries of a layer that begin in a portion of cell c.
func (w *familyPlan) own(layer, c int, part portion) []keyed {
	first := w.cuts[part.cut].first[layer]
	return w.layers[layer].cell(c)[first[part.at]:first[part.at+1]]
}

// upTo is the entries of a layer that begin in a portion of cell c or later, without the portions that begin after a key.
func (w *familyPlan) upTo(layer, c int, part portion, last int32) []keyed {
	k := &w.cuts[part.cut]
	end := max(portionOf(k.from, last), int(part.at)) + 1
	return w.layers[layer].cell(c)[k.first[layer][part.at]:k.first[layer][end]]
}

// choose returns those of the entries, of a portion or later, that begin up to a key, and how many of them begin in the portion.
// The slice is the list's own.
func (l *cellList) choose(entries []keyed, part portion, last int32) (some []keyed, queries int) {
	l.read += int64(len(entries))
	some = l.some[:0]
	for _, e := range entries {
		if e.key <= last {
			some = append(some, e)
			if e.key <= part.to {
				queries++
			}
		}
	}
	l.some = some
	return some, queries
}

// reach is the key of where the last of a portion's own entries ends.
func (l *cellList) reach(p *Plan, from *layer, own []keyed, part portion) int32 {
	some, n := l.choose(own, part, part.to)
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
