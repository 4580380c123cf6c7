package patch

import "ccd/core/narrow"

// The paper's own method and the traditional one that it is compared with, as twins of the default: the same queries, the same
// laws, other bounds. They share the default's halving tree, its queue and its error bounds.

// boxedSearch is the scratch and the choices of a search by boxes.
type boxedSearch struct {
	*search
	period     period
	oriented   bool    // boxes along the subpatches instead of the coordinate axes
	initial    bool    // oriented boxes along the subpatches at t=0, as in the paper, instead of at the start of the cell's window
	swept      bool    // the traditional method: boxes of swept volumes, time is halved like the parameters
	parameters bool    // the tolerance is a width of parameters and time, as in the paper, instead of a distance
	width      float64 // the tolerance as it was given
	parts      [2][]int32
}

// KeepInitialAxes makes the solver's oriented boxes keep the axes of t=0, as the paper's do. Slower; to compare with the paper.
func (s *Solver) KeepInitialAxes(keep bool) { s.boxed.initial = keep }

// solve answers a query by algorithm 2 of paper 2024, or by algorithm 1 if swept. Cells are taken up in the order of their
// first times, and all parameters of both patches are halved: 16 cells, or 32 with time. The order alone makes the answer
// safe: all that is left begins no earlier.
func (s *boxedSearch) begin(in *search, o *Options) {
	s.search, s.width = in, o.Tolerance
	s.oriented = o.Flags&narrow.AxisAligned == 0
	s.swept = o.Method == narrow.TightInclusion
	s.parameters = o.Flags&narrow.InParameters != 0
}

func (s *boxedSearch) find(im *Impact) {
	im.SetSeparate()
	defer func() { s.Work.Directions = s.check.steps }()
	root := cell{t1: s.until}
	if !s.admitBoxed(&root) {
		return
	}
	s.heap.Push(&root)
	for len(s.heap) > 0 {
		c := s.heap.Pop()
		if s.outdone(&c) {
			return
		}
		s.Work.Cells++
		if s.accepted(&c) {
			s.contactIn(&c, im)
			return
		}
		if s.spent() {
			s.undecided(&c, im)
			return
		}
		if s.whole(0, c.a) && s.whole(1, c.b) && !s.swept {
			k := c // halving changes nothing any more, but other axes may do at its new first time
			if !s.admitBoxed(&k) {
				continue
			}
			if k.t0 == c.t0 {
				s.contactIn(&c, im)
				return
			}
			s.heap.Push(&k)
			continue
		}
		s.splitBoxed(&c)
	}
}

// contactIn writes the answer Contact at the first time of a cell, in its middle. Undecided if the points there are farther apart than the
// third law lets those of a contact be, which only a cell that cannot be halved any more may come to.
func (s *boxedSearch) contactIn(c *cell, im *Impact) {
	p := place{x: s.centre(c)}
	s.look(&p.x, 0)
	if !s.parameters && !(s.check.size(s.check.excess(s.difference(c.t0))) <= s.tolerance+s.fuzz) {
		s.undecided(c, im)
		return
	}
	s.contact(c.t0, &incumbent{place: p, t: c.t0}, im)
}

// middle is the middle of a cell's window.
func (c *cell) middle() float64 { return c.t0 + float64(0.5*(c.t1-c.t0)) }

// whole tells whether a subpatch is not to be halved: a point, or as small as doubles go.
func (s *boxedSearch) whole(i int, id int32) bool {
	return s.trees[i].form.U == 0 || s.trees[i].node(id).dir < 0
}

// admitBoxed shortens a new cell's window to when its boxes may meet; false if they stay apart.
func (s *boxedSearch) admitBoxed(c *cell) bool {
	s.Work.Checks++
	s.pick(c.a, c.b)
	along := c.t0
	if s.initial {
		along = 0
	}
	s.period.choose(&s.check, s.oriented, along, c.t0)
	if s.swept {
		return !s.period.swept(&s.check, c.t0, c.t1)
	}
	return s.period.find(&s.check, &c.t0, &c.t1)
}

// accepted tells whether a cell is small enough to be the answer: any two points of its hulls are within separation and
// tolerance at its first time. Or, as in the paper, its parameters and its window are no wider than the tolerance, which says
// nothing about a distance. Where a positive time is asked for, a cell of time zero must be as near as rounding tells.
func (s *boxedSearch) accepted(c *cell) bool {
	a, b := &s.trees[0].nodes[c.a], &s.trees[1].nodes[c.b]
	s.pick(c.a, c.b)
	if s.swept && s.whole(0, c.a) && s.whole(1, c.b) {
		if mid := c.middle(); !(c.t0 < mid && mid < c.t1) {
			return true // nothing is left to halve
		}
	}
	enough := s.tolerance
	if s.noZero && c.t0 == 0 {
		enough = 2 * s.slack
	} else if s.parameters {
		return max(s.wide(0, a), s.wide(1, b), c.t1-c.t0) <= s.width
	}
	far := s.check.spread(c.t0)
	if s.check.euclidean {
		return far.length() <= s.check.separation+enough
	}
	return max(far.X, far.Y, far.Z) <= s.check.separation+enough
}

// wide is the width of a node's parameters.
func (s *boxedSearch) wide(i int, nd *node) float64 {
	w := 0.0
	for d := range s.trees[i].dirs {
		if s.trees[i].form.U > 0 {
			w = max(w, s.trees[i].edge(nd, d))
		}
	}
	return w
}

// splitBoxed halves all parameters of a cell and puts the parts that may hold a contact into the queue.
func (s *boxedSearch) splitBoxed(c *cell) {
	s.quarter(0, c.a)
	s.quarter(1, c.b)
	windows, n := [2]interval{{c.t0, c.t1}}, 1
	if mid := c.middle(); s.swept && c.t0 < mid && mid < c.t1 {
		windows, n = [2]interval{{c.t0, mid}, {mid, c.t1}}, 2
	}
	for _, w := range windows[:n] {
		for _, a := range s.parts[0] {
			for _, b := range s.parts[1] {
				k := cell{t0: w.from, t1: w.to, a: a, b: b, depth: c.depth + 1}
				if s.admitBoxed(&k) {
					s.heap.Push(&k)
				}
			}
		}
	}
}

// quarter lists the parts of a subpatch halved in all its parameters: a quad once along u and once along v, a triangle twice
// along its longest edge, which is as many parts, a curve once.
func (s *boxedSearch) quarter(i int, id int32) {
	t := &s.trees[i]
	parts := s.parts[i][:0]
	if s.whole(i, id) {
		s.parts[i] = append(parts, id)
		return
	}
	quad := t.form.Shape == Quad
	if quad {
		t.node(id).dir = 0
	}
	first := t.halve(id)
	for h := first; h < first+2; h++ {
		if quad { // its u and v are halved together, so one can be when the other could
			t.node(h).dir = 1
		}
		if t.form.Shape == Curve || t.node(h).dir < 0 {
			parts = append(parts, h)
			continue
		}
		q := t.halve(h)
		parts = append(parts, q, q+1)
	}
	s.parts[i] = parts
}
