package exact

import (
	"slices"

	"ccd/core/exact/internal/algebra"
	"ccd/core/geom"
)

// every collects the contacts of any query; the arguments are those of decide.
func (w *Wide) every(domain geom.Domain, q *[24]float64, tMax float64, doubles *double, s *Intervals) {
	w.doubles = doubles
	w.load(domain, q)
	w.gather()
	if w.f.N > 0 {
		w.instants(tMax, s)
		return
	}
	w.lasting(tMax, s)
}

// instants collects the contacts of a query whose cubic is not zero throughout. They are at roots
// of the cubic, which w.Roots has in order.
func (w *Wide) instants(tMax float64, s *Intervals) {
	var c found
	for i := range w.Roots {
		r := &w.Roots[i]
		if r.Floor > tMax || r.Floor == tMax && !r.Double() {
			return
		}
		if w.feasible(r, &c) {
			before, after := w.beside(r)
			s.instant(r.Floor, r.Double(), tMax, before, after)
		}
	}
}

// beside returns the signs of the cubic just before and just after its root r. It has no other root
// in r's interval.
func (w *Wide) beside(r *algebra.Root) (before, after int) {
	a := &w.Arena
	if r.Exact {
		return a.SignNear(w.f, r.Lo, -1), a.SignNear(w.f, r.Lo, 1)
	}
	return a.SignNear(w.f, r.Lo, 1), a.SignNear(w.f, r.Hi, -1)
}

// lasting collects the contacts of a query whose cubic is zero throughout. It decides contact at
// each candidate and between neighboring candidates.
func (w *Wide) lasting(tMax float64, s *Intervals) {
	a := &w.Arena
	events := w.eventsUntil(tMax)
	var c found
	begun := -1 // the event at which the current interval begins
	for i := range events {
		r := &events[i]
		last := i+1 == len(events)
		if begun < 0 && w.feasible(r, &c) {
			begun = i
		}
		if begun < 0 {
			continue
		}
		if !last {
			if m := a.Between(r, &events[i+1]); w.feasible(&m, &c) {
				continue
			}
		}
		flags := uint32(0)
		if begun == 0 {
			flags |= geom.InitialContact
		}
		if last {
			flags |= geom.FinalContact
		}
		s.Add(Ending{events[begun].Floor, events[begun].Double()}, Ending{r.Ceiling(), r.Double()}, flags, 0, 0)
		begun = -1
	}
}

// eventsUntil returns 0, the candidates of w.Roots before tMax, and tMax, in order and without
// repetition.
func (w *Wide) eventsUntil(tMax float64) []algebra.Root {
	a := &w.Arena
	at := func(t float64) algebra.Root {
		x := a.Dyadic(t)
		return algebra.Root{Lo: x, Hi: x, Exact: true, Floor: t}
	}
	end := at(tMax)
	events := []algebra.Root{at(0)}
	for _, r := range w.Roots {
		if a.CompareRoots(&r, &end) < 0 {
			events = append(events, r)
		}
	}
	events = append(events, end)
	slices.SortStableFunc(events, func(r, t algebra.Root) int { return a.CompareRoots(&r, &t) })
	return slices.CompactFunc(events, func(r, t algebra.Root) bool { return a.CompareRoots(&r, &t) == 0 })
}
