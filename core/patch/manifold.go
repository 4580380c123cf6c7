package patch

import (
	"math"
	"slices"
	"unsafe"

	"ccd/core/geom"
)

// Manifold is a sample of where two bodies come into contact first: impacts that begin within a time, lag, of the earliest,
// with points at least apart from each other (paper 2024, section 5.3, after Snyder et al. 1993). The earliest is the
// first; then in order of impacts. Empty if the bodies stay separate. An earliest that is Undecided stands alone.
//
// Each impact's points are within separation and tolerance at TOIHi, and its pair is apart before TOILo there. Where the
// contact is a region or a curve, every contact of the lag lies within apart, and a thousandth, of one listed, unless the budget was
// spent: Stats.Undecided counts pairs of which it was.
func (s *Scene) Manifold(a, b *Frame, lag, apart float64, o *Options) ([]Impact, error) {
	if !(lag >= 0 && lag <= 1) {
		return nil, badArgument("lag %v: must be in [0, 1]", lag)
	}
	if !(apart > 0 && apart <= geom.MaxCoordinate) {
		return nil, badArgument("apart is %v: must be positive", apart)
	}
	s.watch(o)
	s.halves = 2
	first, err := s.earliest(a, b, o)
	if err != nil || first.Verdict == geom.Separate {
		return nil, s.end(err)
	}
	if first.Verdict == geom.Undecided {
		s.clock.Impacts = 1
		return []Impact{first}, s.end(nil)
	}
	s.done = 1
	end := min(first.TOIHi+lag, o.TMax)
	list := []Impact{first}
	for i := range s.pairs {
		if s.cancelled(i, len(s.pairs)) || s.budget.Over() {
			break
		}
		c := &s.pairs[i]
		if c.from > end {
			break
		}
		q := *o
		q.TMax = end
		if root, ok := s.enter(a, b, c, &q); ok {
			before := len(list)
			list = s.Solver.sample(c, &root, apart, o, list)
			s.budget.Take(int64(len(list)-before) * sampledBytes)
			if len(s.Solver.heap) > 0 {
				s.clock.Undecided++
			}
			s.clock.grow(s.Solver.bytes())
		}
	}
	s.clock.Impacts = int64(len(list))
	if err := s.end(s.budget.Err()); err != nil {
		return nil, err
	}
	slices.SortFunc(list[1:], func(x, y Impact) int {
		if x.Before(&y) {
			return -1
		}
		return 1
	})
	return list, nil
}

// sampledBytes is what an impact takes in a list that grows by a quarter at a time, old and new beside each other.
const sampledBytes = int64(unsafe.Sizeof(Impact{})) * 9 / 4

// sample adds the contacts of one pair up to the solver's end of time, each apart from those in the list.
func (s *Solver) sample(c *candidate, root *cell, apart float64, o *Options, list []Impact) []Impact {
	s.heap.push(root)
	limit := s.limits(o)
	for len(s.heap) > 0 && !s.spent(&limit) {
		k := s.heap.pop()
		s.Work.Cells++
		nd := [2]*node{s.trees[0].node(k.a), s.trees[1].node(k.b)}
		if s.covered(&k, apart, list) {
			continue
		}
		if k.bond != strangers {
			s.open(&k)
			continue
		}
		for _, t := range [2]float64{k.t0, s.until} {
			var p place
			p.x[0], p.x[1] = middle(s.surf[0].form, nd[0])
			p.x[2], p.x[3] = middle(s.surf[1].form, nd[1])
			if far := s.approach(&p, t, 0.01*s.tolerance); far > s.tolerance || s.shared.Strays(&k, &p.x) {
				continue
			}
			im := Impact{Verdict: geom.Contact, A: int64(c.a), B: int64(c.b), TOILo: k.t0, TOIHi: t}
			s.report(&p, &im)
			if !slices.ContainsFunc(list, func(x Impact) bool { return between3(x.Point, im.Point) < apart }) {
				list = append(list, im)
			}
			break
		}
		if nd[0].dir >= 0 || nd[1].dir >= 0 {
			s.split(&k)
		}
	}
	return list
}

// wider is what a point of the list covers, in units of apart: a little more than where new points are refused, else cells at which
// that distance is met exactly would be neither covered nor yield a point, however small.
const wider = 1 + 0x1p-10

// covered tells whether the subpatch of the caller's first patch in a cell lies, at its time, within apart, and a little more, of a point of the list.
func (s *Solver) covered(c *cell, apart float64, list []Impact) bool {
	t := &s.trees[s.own]
	s.check.a.set(t, [2]int32{c.a, c.b}[s.own])
	o := &s.frame.origin
	for i := range list {
		var at [3]float64
		for k := range at {
			at[k] = (list[i].Point[k] - float64((1-c.t0)*o[0][k]) - float64(c.t0*o[1][k])) * s.frame.unit
		}
		far := 0.0
		for k := range t.n {
			far = max(far, s.check.a.point(k, c.t0).sub(vec{at[0], at[1], at[2]}).length())
		}
		if far < wider*apart*s.frame.unit {
			return true
		}
	}
	return false
}

// between3 is the distance of two points.
func between3(p, q [3]float64) float64 {
	return math.Hypot(math.Hypot(p[0]-q[0], p[1]-q[1]), p[2]-q[2])
}
