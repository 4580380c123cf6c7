package exact

import (
	"math"

	"ccd/core/geom"
)

// This file finds all contacts of a query. The theorem of "Candidate times" (docs/proofs/exact.md)
// is about a contact with none just before; backwards in time it is about a contact with none just
// after. So both ends of every interval of contact are 0, the end of time, or candidates, and
// between two neighboring candidates nothing changes. Where the cubic is not zero throughout,
// contact is at its roots alone.

// Intervals collects the intervals of a query, in order: docs/numerics.md, laws T1 to T5.
type Intervals struct {
	kind  geom.Kind
	List  []geom.Interval
	first int  // the index in List of the query's first interval
	exact bool // the last interval ends at its Exit, a double
}

// Begin starts a query whose intervals are appended to list.
func (s *Intervals) Begin(kind geom.Kind, list []geom.Interval) {
	s.kind, s.List, s.first = kind, list, len(list)
}

// Add appends an interval of contact, whose ends are rounded outwards. It merges the interval with
// the last one if no cell between them is free: if they overlap, or share a double at which there
// is contact. before and after are the sides on either side of the interval.
func (s *Intervals) Add(enter, exit Ending, flags uint32, before, after int) {
	if n := len(s.List); n > s.first {
		last := &s.List[n-1]
		if last.Exit > enter.T || last.Exit == enter.T && (s.exact || enter.exact) {
			last.Exit, last.SideAfter, last.Flags, s.exact = exit.T, int32(after), last.Flags|flags, exit.exact
			return
		}
	}
	s.exact = exit.exact
	s.List = append(s.List, geom.Interval{
		Kind: s.kind, Flags: flags, A: -1, B: -1, Enter: enter.T, Exit: exit.T, SideBefore: int32(before),
		SideAfter: int32(after),
	})
}

// Ending is an end of an interval, rounded outwards.
type Ending struct {
	T     float64
	exact bool // the end is the double T
}

// instant adds a contact at one time, which is t if exact and else lies between t and the next
// double. before and after are the signs of the cubic beside it.
func (s *Intervals) instant(t float64, exact bool, tMax float64, before, after int) {
	flags := uint32(0)
	if exact && t == 0 {
		flags, before = geom.InitialContact, 0
	}
	if exact && t == tMax {
		flags, after = flags|geom.FinalContact, 0
	}
	exit := Ending{t, exact}
	if !exact {
		exit.T = math.Nextafter(t, 2)
	}
	s.Add(Ending{t, exact}, exit, flags, before, after)
}

// Intervals appends to list the intervals in which the primitives touch at t in [0, tMax]. The
// arguments are those of Resolve.
func (r *Resolver) Intervals(kind geom.Kind, q []float64, tMax float64, list []geom.Interval) []geom.Interval {
	geom.Widen(kind, q, &r.query)
	if apartOnAxis(widened[kind], &r.query) || filters[kind](&r.query) {
		return list
	}
	return r.everyContact(kind, tMax, list)
}

// everyContact is Intervals for r.query, without the stages that only prove queries separate.
func (r *Resolver) everyContact(kind geom.Kind, tMax float64, list []geom.Interval) []geom.Interval {
	s := &r.times
	domain := widened[kind]
	r.double.load(domain, &r.query)
	if s.Begin(kind, list); r.double.every(tMax, s) {
		return s.List
	}
	if s.Begin(kind, list); r.fixed.every(domain, &r.query, tMax, s) {
		return s.List
	}
	s.Begin(kind, list)
	r.wide.every(domain, &r.query, tMax, &r.double, s)
	return s.List
}

// oneRoot reports whether floats prove that the cubic of r.query has one root in [0, 1], and
// returns the cubic's sign before it. The outer Bernstein coefficients must have certain and
// opposite signs, and a middle one must certainly have the sign of its outer neighbor, so that
// signs change once.
func (r *Resolver) oneRoot(domain geom.Domain) (before int, ok bool) {
	var f ends
	f.load(domain, &r.query)
	for k := range 3 {
		if !(f.ma[k]+f.mb[k]+f.mc[k] < largest) {
			return 0, false
		}
	}
	e := float64(boundCubic*f.volume()) + underflow
	n0, n2 := geom.Cross3(&f.b[0], &f.c[0]), geom.Cross3(&f.b[1], &f.c[1])
	d0, d3 := geom.Dot3(&f.a[0], &n0), geom.Dot3(&f.a[1], &n2)
	d1, d2 := f.middle(&n0, &n2)
	switch {
	case d0 > e && d3 < -e:
		return 1, d1 >= 3*e || d2 <= -3*e
	case d0 < -e && d3 > e:
		return -1, d1 <= -3*e || d2 >= 3*e
	}
	return 0, false
}

// every collects the contacts of the query. It returns false if a sign is not certain.
func (f *double) every(tMax float64, s *Intervals) bool {
	if !f.expand() {
		return false
	}
	changes := f.cubic.changes()
	return changes == 0 || f.cubic.every(f, changes, tMax, s)
}

// every does the same in integers of fixed width, where the cubic is not zero throughout.
func (f *fixed) every(domain geom.Domain, q *[24]float64, tMax float64, s *Intervals) bool {
	f.domain = domain
	if !f.load(q) {
		return false
	}
	f.expand()
	signs := &f.cubic.signs
	first, last, changes := 0, 0, f.cubic.changes()
	for i, x := range signs {
		if first == 0 {
			first = x
		}
		if x != 0 {
			last = signs[i]
		}
	}
	switch {
	case first == 0:
		return false
	case signs[0] == 0 && !f.at(0, tMax, 0, first, s):
		return false
	}
	if changes > 0 {
		f.powers()
		if !f.cubic.every(f, changes, tMax, s) {
			return false
		}
	}
	return signs[3] != 0 || tMax < 1 || f.at(1, tMax, last, 0, s)
}

// at collects the contact at t, 0 or 1, where the cubic is zero, if there is one. It returns false
// if a sign is not certain.
func (f *fixed) at(t, tMax float64, before, after int, s *Intervals) bool {
	var c found
	a := f.feasible(t, true, &c)
	if a == Yes {
		s.instant(t, true, tMax, before, after)
	}
	return a != Unknown
}

// every collects the contacts at roots in (0, 1), all simple, up to tMax. It returns false if a
// sign is not certain. A segment whose ends have different signs has one root, where the cubic
// changes from the one sign to the other.
func (f *cubic) every(at signs, changes int, tMax float64, s *Intervals) bool {
	var cut segments
	var c found
	if !f.segment(at, changes, &cut) {
		return false
	}
	for i := 1; i < cut.n; i++ {
		if cut.sign[i] == cut.sign[i-1] {
			continue
		}
		if cut.at[i-1] > tMax {
			return true
		}
		floor, exact, ok := bisect(at, &f.power, cut.at[i-1], cut.at[i], cut.sign[i-1])
		if !ok {
			return false
		}
		if floor > tMax || floor == tMax && !exact {
			return true
		}
		switch at.feasible(floor, exact, &c) {
		case Unknown:
			return false
		case Yes:
			s.instant(floor, exact, tMax, cut.sign[i-1], cut.sign[i])
		}
	}
	return true
}
