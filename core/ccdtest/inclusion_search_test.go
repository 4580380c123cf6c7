package ccdtest_test

import (
	"ccd/core/geom"
	"ccd/core/num"
	"ccd/core/order"
)

// problem is to find the least p[0] of a box of parameters p at which F(p) = 0.
type problem struct {
	// Domain bounds the parameters; the first is the time.
	Domain []num.Interval
	// Values is how many values F has.
	Values int
	// Enclose writes to out, for each value of F, an interval that holds it everywhere in the cell.
	Enclose func(cell, out []num.Interval)
	// Outside reports whether no point of the cell is meant, as u + v > 1 in a triangle; nil when
	// all are.
	Outside func(cell []num.Interval) bool
	// Distance widens every value: |F| <= Distance counts as a root.
	Distance float64
	// Tolerance ends the search: a cell that may hold a root and whose values all span at most this
	// is an answer.
	Tolerance float64
	// Budget is how many cells may be enclosed; 0 is no limit. Memory grows with the cells, so it
	// is bounded by this too.
	Budget int
}

// root is the answer to a problem. Before Lo there is no root. Contact: a root is near [Lo, Hi],
// see Tolerance. Undecided: the budget ended the search at Lo. Separate: there is no root at all.
type root struct {
	Verdict geom.Verdict
	Lo, Hi  float64
	Cell    []num.Interval // the last cell: borrowed until the next search
	Cells   int            // how many cells were enclosed
}

// searcher solves problems, one after the other, and keeps its memory. It bisects boxes of any
// dimension, the earliest first: the scheme of Tight Inclusion [Wang2021] and of the traditional
// method that [Chen2024] compare with, written once for any function.
type searcher struct {
	cells []num.Interval // n intervals for each cell
	free  []int32
	heap  order.Heap[entry, *entry]
	n     int
	value []num.Interval
	probe []num.Interval
}

// entry is a cell in the heap: the earliest first, the smaller first among the equal, so that a
// search goes down.
type entry struct {
	t     float64
	depth int32
	cell  int32
}

// Before is the order of the heap.
func (a *entry) Before(b *entry) bool {
	if a.t != b.t {
		return a.t < b.t
	}
	if a.depth != b.depth {
		return a.depth > b.depth
	}
	return a.cell < b.cell
}

// search answers p. All cells that start before the one at the top of the heap were proven free or
// split into such, so its time is a bound whenever the search ends.
func (s *searcher) search(p *problem) root {
	s.reset(p)
	r := root{}
	for len(s.heap) > 0 {
		e := s.heap.Pop()
		c := s.at(e.cell)
		if p.Budget > 0 && r.Cells >= p.Budget {
			r.Verdict, r.Lo, r.Hi, r.Cell = geom.Undecided, e.t, p.Domain[0].Hi, c
			return r
		}
		r.Cells++
		keep, width := s.holds(p, c)
		if !keep {
			s.free = append(s.free, e.cell)
			continue
		}
		k := -1
		if width > p.Tolerance {
			k = s.widest(p, c)
		}
		if k < 0 {
			r.Verdict, r.Lo, r.Hi, r.Cell = geom.Contact, e.t, c[0].Hi, c
			return r
		}
		s.split(e, k)
	}
	r.Verdict = geom.Separate
	return r
}

func (s *searcher) reset(p *problem) {
	s.n = len(p.Domain)
	s.cells, s.free, s.heap = s.cells[:0], s.free[:0], s.heap[:0]
	s.value = resized(s.value, p.Values)
	s.probe = resized(s.probe, s.n)
	s.cells = append(s.cells, p.Domain...)
	s.heap.Push(&entry{t: p.Domain[0].Lo})
}

func resized(x []num.Interval, n int) []num.Interval {
	if cap(x) < n {
		return make([]num.Interval, n)
	}
	return x[:n]
}

func (s *searcher) at(id int32) []num.Interval { return s.cells[int(id)*s.n:][:s.n:s.n] }

// holds reports whether a cell may hold a root, and the width of its widest value.
func (s *searcher) holds(p *problem, c []num.Interval) (keep bool, width float64) {
	if p.Outside != nil && p.Outside(c) {
		return false, 0
	}
	p.Enclose(c, s.value)
	for _, v := range s.value {
		if v.Lo > p.Distance || v.Hi < -p.Distance {
			return false, 0
		}
		width = max(width, v.Width())
	}
	return true, width
}

// widest is the parameter that moves the values most, found by letting one vary at a time around
// the middle of the others: where it is wrong the search is longer, never less sound. -1 when no
// parameter can be halved.
func (s *searcher) widest(p *problem, c []num.Interval) int {
	best, most := -1, -1.0
	for k := range c {
		if m := middle(c[k]); m <= c[k].Lo || m >= c[k].Hi {
			continue // the ends are neighbors
		}
		for i := range c {
			s.probe[i] = num.Point(middle(c[i]))
		}
		s.probe[k] = c[k]
		p.Enclose(s.probe, s.value)
		w := 0.0
		for _, v := range s.value {
			w = max(w, v.Width())
		}
		if w > most {
			best, most = k, w
		}
	}
	return best
}

// middle lies within i, and the halves share it: no value between them is lost.
func middle(i num.Interval) float64 {
	m := i.Lo + float64(0.5*(i.Hi-i.Lo))
	return min(max(m, i.Lo), i.Hi)
}

// split replaces the cell of e by its halves along parameter k.
func (s *searcher) split(e entry, k int) {
	var other int32
	if n := len(s.free); n > 0 {
		other, s.free = s.free[n-1], s.free[:n-1]
		copy(s.at(other), s.at(e.cell))
	} else {
		other = int32(len(s.cells) / s.n)
		s.cells = append(s.cells, s.at(e.cell)...)
	}
	a, b := s.at(e.cell), s.at(other)
	m := middle(a[k])
	a[k].Hi, b[k].Lo = m, m
	s.heap.Push(&entry{a[0].Lo, e.depth + 1, e.cell})
	s.heap.Push(&entry{b[0].Lo, e.depth + 1, other})
}
