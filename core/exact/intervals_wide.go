package exact

import (
	"math"
	"slices"

	"ccd/core/geom"
)

// every collects the contacts of any query; the arguments are those of decide.
func (w *wide) every(domain geom.Domain, q *[24]float64, tMax float64, doubles *double, s *intervals) {
	w.doubles = doubles
	w.load(domain, q)
	w.gather()
	if w.f.n > 0 {
		w.instants(tMax, s)
		return
	}
	w.lasting(tMax, s)
}

// instants collects the contacts where the cubic is not zero throughout: its roots in w.roots, in order.
func (w *wide) instants(tMax float64, s *intervals) {
	var c found
	for i := range w.roots {
		r := &w.roots[i]
		if r.floor > tMax || r.floor == tMax && !r.double() {
			return
		}
		if w.feasible(r, &c) {
			before, after := w.beside(r)
			s.instant(r.floor, r.double(), tMax, before, after)
		}
	}
}

// beside is the signs of the cubic just before and just after its root r. It has no other root in r's interval.
func (w *wide) beside(r *wroot) (before, after int) {
	a := &w.arena
	if r.exact {
		return a.signNear(w.f, r.lo, -1), a.signNear(w.f, r.lo, 1)
	}
	return a.signNear(w.f, r.lo, 1), a.signNear(w.f, r.hi, -1)
}

// signNear is the sign of p, not zero throughout, just before x (way -1) or just after (way 1): that of the first derivative that is not
// zero at x, times (-1)^order before x.
func (a *arena) signNear(p wpoly, x wdyadic, way int) int {
	for sign := 1; ; sign *= way {
		if s := a.evalSign(&p, x); s != 0 || p.n < 2 {
			return sign * s
		}
		p = a.derivative(&p)
	}
}

// lasting collects the contacts where the cubic is zero throughout: contact is decided at each candidate and between each two.
func (w *wide) lasting(tMax float64, s *intervals) {
	a := &w.arena
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
			if m := a.between(r, &events[i+1]); w.feasible(&m, &c) {
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
		s.add(ending{events[begun].floor, events[begun].double()}, ending{r.ceiling(), r.double()}, flags, 0, 0)
		begun = -1
	}
}

// eventsUntil is 0, the candidates of w.roots before tMax, and tMax, in order, each once.
func (w *wide) eventsUntil(tMax float64) []wroot {
	a := &w.arena
	at := func(t float64) wroot {
		x := a.dyadic(t)
		return wroot{lo: x, hi: x, exact: true, floor: t}
	}
	end := at(tMax)
	events := []wroot{at(0)}
	for _, r := range w.roots {
		if a.compareRoots(&r, &end) < 0 {
			events = append(events, r)
		}
	}
	events = append(events, end)
	slices.SortStableFunc(events, func(r, t wroot) int { return a.compareRoots(&r, &t) })
	return slices.CompactFunc(events, func(r, t wroot) bool { return a.compareRoots(&r, &t) == 0 })
}

// ceiling is the least double not below the root.
func (r *wroot) ceiling() float64 {
	if r.double() {
		return r.floor
	}
	return math.Nextafter(r.floor, 2)
}

// between is a time strictly between two roots r < t, whose intervals it may narrow.
func (a *arena) between(r, t *wroot) wroot {
	for a.compare(r.hi, t.lo) >= 0 {
		if t.exact || !r.exact && a.width(r) >= a.width(t) {
			a.refine(r)
		} else {
			a.refine(t)
		}
	}
	l, h, s := a.align(r.hi, t.lo)
	x := wdyadic{a.add(l, h), s + 1}
	return wroot{lo: x, hi: x, exact: true}
}
