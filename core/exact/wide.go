package exact

import (
	"math"
	"slices"

	"ccd/core/geom"
)

// wide decides any query in integers of any width, in storage that it keeps. It is the end of the ladder.
type wide struct {
	arena   arena
	a, b, c [3]wpoly    // F = A + uB + vC, each axis scaled by its own power of two
	n, u, v [3]wpoly    // B x C, C x A, A x B
	known   [3]bool     // which components of u and v are there
	f       wpoly       // A . n
	domain  geom.Domain // a triangle or a square
	doubles *double     // the same query in double-doubles
	unit    [3]int
	roots   []wroot
}

// decide finds the earliest contact up to tMax. doubles is the query in double-doubles: where it can say where the primitives
// touch, it does, as in every stage.
func (w *wide) decide(domain geom.Domain, q *[24]float64, tMax float64, doubles *double, out *found) bool {
	w.doubles = doubles
	w.load(domain, q)
	w.gather()
	for i := range w.roots {
		r := &w.roots[i]
		if r.floor > tMax || r.floor == tMax && !r.double() {
			return false
		}
		if w.feasible(r, out) {
			return true
		}
	}
	return false
}

func (w *wide) load(domain geom.Domain, q *[24]float64) {
	a := &w.arena
	a.reset()
	w.domain = domain
	var x [8][3]wint
	for k := range 3 {
		unit := math.MaxInt32
		for i := range 8 {
			if m, e := mantissa(math.Abs(q[3*i+k])); m != 0 {
				unit = min(unit, e)
			}
		}
		w.unit[k] = unit
		for i := range 8 {
			y := q[3*i+k]
			if m, e := mantissa(math.Abs(y)); m != 0 {
				x[i][k] = a.shl(a.word(y < 0, uint64(m)), uint(e-unit))
			}
		}
	}
	for k := range 3 {
		move := func(i, j int) wpoly {
			d0, d1 := a.sub(x[i][k], x[j][k]), a.sub(x[4+i][k], x[4+j][k])
			return wpoly{c: [4]wint{d0, a.sub(d1, d0)}, n: 2}.trimmed()
		}
		if domain == geom.Square {
			w.a[k], w.b[k], w.c[k] = move(0, 2), move(1, 0), move(2, 3)
		} else {
			w.a[k], w.b[k], w.c[k] = move(0, 1), move(1, 2), move(1, 3)
		}
	}
	for k := range 3 {
		w.n[k] = w.cross(&w.b, &w.c, k)
		w.known[k] = false
	}
	w.f = wpoly{}
	for k := range 3 {
		p := a.polyMul(&w.a[k], &w.n[k])
		w.f = a.polyAdd(&w.f, &p)
	}
}

// sides makes sure that component k of C x A and A x B is there: most queries never need it.
func (w *wide) sides(k int) {
	if !w.known[k] {
		w.known[k] = true
		w.u[k], w.v[k] = w.cross(&w.c, &w.a, k), w.cross(&w.a, &w.b, k)
	}
}

// cross is component k of p x q.
func (w *wide) cross(p, q *[3]wpoly, k int) wpoly {
	i, j := (k+1)%3, (k+2)%3
	x, y := w.arena.polyMul(&p[i], &q[j]), w.arena.polyMul(&p[j], &q[i])
	return w.arena.polySub(&x, &y)
}

// gather fills roots with the times that can be the earliest contact, in order: docs/proofs/exact.md, "Candidates". Where the
// theorem needs the common roots of several components, the roots of one of them are a superset, and do.
func (w *wide) gather() {
	zero := wdyadic{}
	w.roots = append(w.roots[:0], wroot{lo: zero, hi: zero, exact: true})
	if w.f.n > 0 {
		if w.f.c[0].sign() != 0 {
			w.roots = w.roots[:0]
		}
		w.isolate(w.f)
		return
	}
	w.gatherPlanar()
	slices.SortStableFunc(w.roots, compareFloors)
}

// compareFloors orders roots by their floors, doubles before others with the same floor.
func compareFloors(r, s wroot) int {
	switch {
	case r.floor < s.floor, r.floor == s.floor && r.double() && !s.double():
		return -1
	case r.floor > s.floor, r.floor == s.floor && s.double() && !r.double():
		return 1
	}
	return 0
}

// gatherPlanar appends the roots where f is zero throughout: those at which a corner or a side of the domain can be at F = 0.
func (w *wide) gatherPlanar() {
	a := &w.arena
	take := func(v *[3]wpoly) bool {
		for k := range v {
			if v[k].n > 0 {
				w.isolate(v[k])
				return true
			}
		}
		return false
	}
	spans := false
	for k := range 3 {
		w.sides(k)
		spans = spans || w.n[k].n > 0
	}
	switch {
	case spans:
		take(&w.n)
		take(&w.u)
		take(&w.v)
		var x, y [3]wpoly
		for k := range 3 {
			x[k] = a.polySub(&w.n[k], &w.u[k])
			if w.domain == geom.Square {
				y[k] = a.polySub(&w.n[k], &w.v[k])
			} else {
				x[k] = a.polySub(&x[k], &w.v[k])
			}
		}
		take(&x)
		take(&y)
	case take(&w.u) || take(&w.v):
	default:
		var x, y, z [3]wpoly
		for k := range 3 {
			x[k], y[k] = a.polyAdd(&w.a[k], &w.b[k]), a.polyAdd(&w.a[k], &w.c[k])
			if w.domain == geom.Square {
				z[k] = a.polyAdd(&x[k], &w.c[k])
			}
		}
		take(&w.a)
		take(&x)
		take(&y)
		take(&z)
	}
}

// feasible says whether F = 0 for some (u, v) of the domain at the root r, and if so fills out.
func (w *wide) feasible(r *wroot, out *found) bool {
	a := &w.arena
	*out = found{floor: r.floor, exact: r.double(), planar: w.f.n == 0}
	for k := range 3 {
		s := a.signAt(&w.n[k], r)
		if s == 0 {
			continue
		}
		w.sides(k)
		free := a.polySub(&w.n[k], &w.u[k])
		slacks := [4]wpoly{w.u[k], w.v[k], free}
		if w.domain == geom.Square {
			slacks[3] = a.polySub(&w.n[k], &w.v[k])
		} else {
			slacks[2] = a.polySub(&free, &w.v[k])
		}
		for i := range slacks {
			if out.slack[i] = s * a.signAt(&slacks[i], r); out.slack[i] < 0 {
				return false
			}
		}
		out.shape = 2
		if !w.doubles.place(out) {
			w.slope(r, out)
			w.place(r, k, out)
		}
		return true
	}
	for k := range 3 {
		w.sides(k)
		if a.signAt(&w.u[k], r) != 0 || a.signAt(&w.v[k], r) != 0 {
			return false
		}
	}
	for k := range 3 {
		if a.signAt(&w.b[k], r) != 0 || a.signAt(&w.c[k], r) != 0 {
			out.shape = 1
			if !w.bracket(r, k, out) {
				return false
			}
			out.n = w.line(r)
			return true
		}
	}
	for k := range 3 {
		if a.signAt(&w.a[k], r) != 0 {
			return false
		}
	}
	return true
}

// bracket decides the case of parallel B and C, not both zero, on a line that is not across axis k: the corners of the
// domain must lie on both sides of zero. The contact is put between the first on either side.
func (w *wide) bracket(r *wroot, k int, out *found) bool {
	a := &w.arena
	p := [4]wpoly{0: w.a[k]}
	p[1], p[2] = a.polyAdd(&w.a[k], &w.b[k]), a.polyAdd(&w.a[k], &w.c[k])
	count := 3
	if w.domain == geom.Square {
		p[3] = a.polyAdd(&p[1], &w.c[k])
		count = 4
	}
	below, above := -1, -1
	for i := range count {
		switch s := a.signAt(&p[i], r); {
		case s == 0:
			out.u, out.v = float64(i&1), float64(i>>1)
			return true
		case s < 0 && below < 0:
			below = i
		case s > 0 && above < 0:
			above = i
		}
	}
	if below < 0 || above < 0 {
		return false
	}
	den := a.polySub(&p[above], &p[below])
	between := func(x, y int) float64 {
		switch {
		case x == y:
			return float64(x)
		case y == 1:
			num := p[below].negated()
			return a.value(&num, &den, r)
		}
		return a.value(&p[above], &den, r)
	}
	out.u, out.v = between(below&1, above&1), between(below>>1, above>>1)
	return true
}

// slope fills the sign of the cubic's derivative at the root r.
func (w *wide) slope(r *wroot, out *found) {
	if w.f.n == 0 {
		return
	}
	a := &w.arena
	d := a.derivative(&w.f)
	out.falls = a.signAt(&d, r)
}

// place fills u, v and the normal's direction at a contact where component k of N is not zero.
func (w *wide) place(r *wroot, k int, out *found) {
	a := &w.arena
	out.u, out.v = 0, 0
	if out.slack[0] > 0 {
		out.u = a.value(&w.u[k], &w.n[k], r)
	}
	if out.slack[1] > 0 {
		out.v = a.value(&w.v[k], &w.n[k], r)
	}
	out.settle(w.domain)
	out.n, _ = w.direction(r, &w.n, [3]int{w.unit[1] + w.unit[2], w.unit[2] + w.unit[0], w.unit[0] + w.unit[1]})
}

// direction is the vector p at the root r, not zero, whose component k is in 2^unit[k], up to a power of two: its exponent.
func (w *wide) direction(r *wroot, p *[3]wpoly, unit [3]int) (x [3]float64, exponent int) {
	a := &w.arena
	var m [3]float64
	var e [3]int
	exponent = math.MinInt32
	one := wpoly{c: [4]wint{a.word(false, 1)}, n: 1}
	for k := range 3 {
		if a.signAt(&p[k], r) != 0 {
			m[k], e[k] = a.quotient(&p[k], &one, r)
			e[k] += unit[k]
			exponent = max(exponent, e[k])
		}
	}
	for k := range 3 {
		x[k] = math.Ldexp(m[k], e[k]-exponent)
	}
	return x, exponent
}

// line is the direction of the longer of B and C at the root r, which are parallel and not both zero.
func (w *wide) line(r *wroot) [3]float64 {
	b, e := w.direction(r, &w.b, w.unit)
	c, f := w.direction(r, &w.c, w.unit)
	if e < f || e == f && length(c) > length(b) {
		return c
	}
	return b
}

// value is num / den at the root r, where neither is zero, to within a few ulps.
func (a *arena) value(num, den *wpoly, r *wroot) float64 {
	m, e := a.quotient(num, den, r)
	return math.Ldexp(m, e)
}

func (a *arena) quotient(num, den *wpoly, r *wroot) (float64, int) {
	at := func(x wdyadic) (float64, int) {
		mk := a.mark()
		m, e := a.eval(num, x).frexp()
		n, f := a.eval(den, x).frexp()
		a.release(mk)
		if n == 0 {
			return math.NaN(), 0
		}
		return m / n, e - f + int(x.s)*(den.n-num.n) // eval has multiplied each by its own power of two
	}
	for {
		x, e := at(r.lo)
		if r.exact {
			return x, e
		}
		y, f := at(r.hi)
		if math.Abs(x-math.Ldexp(y, f-e)) <= 0x1p-51*math.Abs(x) && x != 0 {
			return x, e
		}
		for range 2 {
			a.refine(r)
		}
	}
}
