// Package boxed answers pairs of curved patches by searches over boxes: the time-contracted method
// of [Chen2024], made rigorous, and the traditional one in five dimensions, of which Tight
// Inclusion is the linear case.
//
// It is the reference implementation of the search of package patch: the same queries and laws,
// other bounds, and no contacts found by Newton's method. Query, tree of subpatches and error
// bounds are patch's; axes.go chooses the axes on which two subpatches are compared, envelope.go
// finds when the gap on one is positive, and period.go proves it. Options are a patch.Search, which
// capi hands to a scene; package patch does not know it.
package boxed

import (
	"sync"

	"ccd/core/geom"
	"ccd/core/narrow"
	"ccd/core/order"
	"ccd/core/patch"
)

// Options choose the method; they are a patch.Search. The zero value is the time-contracted method
// with boxes along the subpatches.
type Options struct {
	// Time is halved like the parameters, and boxes hold the volumes swept meanwhile ([Chen2024],
	// algorithm 1).
	Traditional bool
	AxisAligned bool // boxes along the coordinate axes instead of along the subpatches
	// Boxes along the subpatches at t=0, as in the paper, instead of at the start of a cell's
	// window; slower.
	InitialAxes  bool
	InParameters bool // the tolerance is a width of parameters and time, as in the paper, instead of a distance
}

// Check reports a choice that there is not.
func (o Options) Check() error { return nil }

// Find decides a query.
func (o Options) Find(q *patch.Query) {
	s := searches.Get().(*search)
	s.Query, s.o, s.pair.query, s.queue = q, o, q, s.queue[:0]
	s.find()
	s.Query, s.pair.query = nil, nil
	searches.Put(s)
}

// searches keeps the memory of searches that are over.
var searches = sync.Pool{New: func() any { return new(search) }}

// cell is a pair of subpatches and the times at which they may yet meet first.
type cell struct {
	t0, t1 float64
	a, b   int32
	depth  int32
}

// middle is the middle of a cell's window.
func (c *cell) middle() float64 { return c.t0 + float64(0.5*(c.t1-c.t0)) }

// Before orders cells by their first time; of equal times the deeper comes first, so that a static
// scene is searched depth-first. No two cells are equal.
func (c *cell) Before(d *cell) bool {
	if c.t0 != d.t0 {
		return c.t0 < d.t0
	}
	if c.depth != d.depth {
		return c.depth > d.depth
	}
	return c.a < d.a || c.a == d.a && c.b < d.b
}

// search answers one query.
type search struct {
	*patch.Query
	o      Options
	pair   pair
	period period
	queue  order.Heap[cell, *cell]
	parts  [2][]int32
}

// find answers the query by algorithm 2 of [Chen2024], or by algorithm 1. Cells are taken up in the
// order of their first times, and all parameters of both patches are halved: 16 cells, or 32 with
// time. The order alone makes the answer safe: all that is left begins no earlier.
func (s *search) find() {
	root := cell{t1: s.TMax}
	if !s.admit(&root) {
		return
	}
	s.queue.Push(&root)
	for len(s.queue) > 0 {
		c := s.queue.Pop()
		if !s.Next(c.t0) {
			return
		}
		if s.accepted(&c) {
			s.contact(&c)
			return
		}
		if why := s.Spent(len(s.queue)); why != 0 {
			s.Undecided(c.a, c.b, c.t0, why)
			return
		}
		if s.Divisible(0, c.a) || s.Divisible(1, c.b) || s.o.Traditional {
			s.split(&c)
			continue
		}
		k := c // halving changes nothing any more, but other axes may do at its new first time
		if !s.admit(&k) {
			continue
		}
		if k.t0 == c.t0 {
			s.contact(&c)
			return
		}
		s.queue.Push(&k)
	}
}

// contact answers Contact at the first time of a cell, in its middle. Undecided if the points there
// are farther apart than the third law lets those of a contact be, which only a cell that cannot be
// halved any more may come to.
func (s *search) contact(c *cell) {
	if !s.o.InParameters && !s.Near(c.a, c.b, c.t0) {
		s.Undecided(c.a, c.b, c.t0, geom.ReasonCoarse)
		return
	}
	s.Contact(c.a, c.b, c.t0)
}

// admit shortens a new cell's window to when its boxes may meet; false if they stay apart.
func (s *search) admit(c *cell) bool {
	s.Work.Checks++
	s.take(c)
	along := c.t0
	if s.o.InitialAxes {
		along = 0
	}
	s.period.choose(&s.pair, !s.o.AxisAligned, along, c.t0)
	if s.o.Traditional {
		if s.period.swept(&s.pair, c.t0, c.t1) {
			return false
		}
	} else if !s.period.find(&s.pair, &c.t0, &c.t1) {
		return false
	}
	// Boxes would take too many parts: the subpatches may be thin, and nearer to each other than
	// they are long.
	if c.t0 == 0 && s.positive() {
		return s.Onward(c.a, c.b, &c.t0, c.t1)
	}
	return true
}

// positive reports whether a positive time is required: law 8.
func (s *search) positive() bool { return s.Options.Flags&narrow.NoZeroTOI != 0 }

// take loads the subpatches of a cell.
func (s *search) take(c *cell) {
	first, second, gapError := s.Pair(c.a, c.b)
	s.pair.gapError = gapError
	s.pair.sides[0].load(first)
	s.pair.sides[1].load(second)
}

// accepted reports whether a cell is small enough to be the answer: any two points of its hulls are
// within separation and tolerance at its first time. Or, as in the paper, its parameters and its
// window are no wider than the tolerance, which says nothing about a distance. Where a positive
// time is required, a cell of time zero must be as near as rounding can tell.
func (s *search) accepted(c *cell) bool {
	if s.o.Traditional && !s.Divisible(0, c.a) && !s.Divisible(1, c.b) {
		if mid := c.middle(); !(c.t0 < mid && mid < c.t1) {
			return true // nothing is left to halve
		}
	}
	if c.t0 == 0 && s.positive() {
		return s.Near(c.a, c.b, c.t0)
	}
	if s.o.InParameters {
		return max(s.Width(0, c.a), s.Width(1, c.b), c.t1-c.t0) <= s.Options.Tolerance
	}
	s.take(c)
	far := s.pair.farthest(c.t0)
	if s.pair.euclidean() {
		return geom.Norm(far) <= s.Separation+s.Tolerance
	}
	return max(far.X, far.Y, far.Z) <= s.Separation+s.Tolerance
}

// split halves all parameters of a cell and puts the parts that may hold a contact into the queue.
func (s *search) split(c *cell) {
	s.divide(0, c.a)
	s.divide(1, c.b)
	windows, n := [2]interval{{c.t0, c.t1}}, 1
	if mid := c.middle(); s.o.Traditional && c.t0 < mid && mid < c.t1 {
		windows, n = [2]interval{{c.t0, mid}, {mid, c.t1}}, 2
	}
	for _, w := range windows[:n] {
		for _, a := range s.parts[0] {
			for _, b := range s.parts[1] {
				k := cell{t0: w.from, t1: w.to, a: a, b: b, depth: c.depth + 1}
				if s.admit(&k) {
					s.queue.Push(&k)
				}
			}
		}
	}
}

// divide lists the parts of a subpatch halved in all its parameters: a quad once along u and once
// along v, a triangle twice along its longest edge, which is as many parts, a curve once.
func (s *search) divide(i int, id int32) {
	parts := s.parts[i][:0]
	if !s.Divisible(i, id) {
		s.parts[i] = append(parts, id)
		return
	}
	shape, first, second := s.Form(i).Shape, -1, -1
	if shape == patch.Quad { // its u and v are halved together, so one can be when the other could
		first, second = 0, 1
	}
	half := s.Halve(i, id, first)
	for h := half; h < half+2; h++ {
		if shape == patch.Curve || shape == patch.Triangle && !s.Divisible(i, h) {
			parts = append(parts, h)
			continue
		}
		quarter := s.Halve(i, h, second)
		parts = append(parts, quarter, quarter+1)
	}
	s.parts[i] = parts
}
