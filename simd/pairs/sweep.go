package pairs

import (
	"slices"
	"sort"
)

// The modes of a pass: a list with itself; queries that are the second of a pair, with targets that
// begin where they do or later; queries that are the first, with targets that begin later. So a
// pair is found at the one of the two that begins first.
const (
	Itself = iota
	Second
	First
)

// Pass is one sweep of a family: each query, an entry of a layer, with the targets in its cell that
// begin within it.
type Pass struct {
	plan          *Plan
	Query, Target *Layer
	Mode          int
	Grid          Grid
	Excluded      []uint64
	At            []int64 // At[q] is the number of pairs of all queries before q
	Total         int64
}

// count fills At.
func (s *Pass) count() {
	s.At = make([]int64, len(s.Query.Ents))
	for i := range s.At {
		s.At[i] = s.Total
		s.sweep(i, func([2]int32) bool { s.Total++; return true })
	}
}

// Pairs writes the pairs from position from on to out.
func (s *Pass) Pairs(from int64, out [][2]int32) {
	i := max(0, sort.Search(len(s.At), func(i int) bool { return s.At[i] > from })-1)
	for n := 0; n < len(out); i++ {
		at := s.At[i]
		s.sweep(i, func(pair [2]int32) bool {
			if at >= from {
				out[n] = pair
				n++
			}
			at++
			return n < len(out)
		})
	}
}

// sweep emits the pairs of a query, until emit returns false.
func (s *Pass) sweep(i int, emit func([2]int32) bool) {
	c := int(s.Query.Cells[i])
	x, t := &s.Query.Boxes[s.Query.Ents[i]], s.Target
	j, end := i+1, int(t.Starts[c+1])
	if s.Mode != Itself {
		begin := int(t.Starts[c])
		j = begin + sort.Search(end-begin, func(j int) bool {
			y := t.Boxes[t.Ents[begin+j]].Min(0)
			return y > x.Min(0) || s.Mode == Second && y == x.Min(0)
		})
	}
	for last := x.Max(0); j < end; j++ {
		y := &t.Boxes[t.Ents[j]]
		if y.Min(0) > last {
			return
		}
		if s.counts(x, y, c) && !emit(s.pair(x, y)) {
			return
		}
	}
}

// pair returns the primitives of a query and a target, in the order of the family.
func (s *Pass) pair(x, y *Box) [2]int32 {
	a, b := int32(x.ID&^Static), int32(y.ID&^Static)
	if s.Mode == Second || s.Mode == Itself && a > b {
		a, b = b, a
	}
	return [2]int32{a, b}
}

// apart reports whether on some axis one box lies above the other at both ends of the motion; with
// Exact, over the whole motion.
func (s *Space) apart(x, y *Box) bool {
	for k := range 3 {
		if s.Exact {
			if y.Min(k) > x.Max(k) || x.Min(k) > y.Max(k) {
				return true
			}
			continue
		}
		if y.Ends[k] > -x.Ends[6+k] && y.Ends[3+k] > -x.Ends[9+k] || x.Ends[k] > -y.Ends[6+k] &&
			x.Ends[3+k] > -y.Ends[9+k] {
			return true
		}
	}
	return false
}

// counts reports whether a query and a target in cell c are a pair: their boxes overlap at one end
// of the motion or change sides between the ends, or with Exact overlap over the whole motion; the
// cell is the one of the larger of their minima, they share no vertex, and no filter excludes them.
func (s *Pass) counts(x, y *Box, c int) bool {
	p := s.plan
	if p.space.apart(x, y) {
		return false
	}
	home := [2]int{c/s.Grid.N[1] - s.Query.row(x, &s.Grid), c % s.Grid.N[1]}
	for k := range 2 {
		if s.Grid.Cell(k, max(x.Min(1+k), y.Min(1+k))) != home[k] {
			return false
		}
	}
	if x.Group >= 0 && x.Group == y.Group || x.ID&y.ID&Static != 0 {
		return false
	}
	if d := p.space.Slab; d != nil {
		if larger := max(x.Least, y.Least); larger < d.Lo || larger >= d.Hi {
			return false
		}
	}
	var one, other [1]int32
	v := p.vertices(s.Query.set.Width, int32(x.ID&^Static), &one)
	w := p.vertices(s.Target.set.Width, int32(y.ID&^Static), &other)
	for _, i := range v {
		if slices.Contains(w, i) {
			return false
		}
	}
	if len(s.Excluded) > 0 {
		pair := s.pair(x, y)
		if _, found := slices.BinarySearch(s.Excluded, uint64(pair[0])<<32|uint64(uint32(pair[1]))); found {
			return false
		}
	}
	return !p.space.Exact || p.space.overlap(p.rec, v, w)
}
