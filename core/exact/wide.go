package exact

import (
	"math"
	"slices"

	"ccd/core/exact/internal/algebra"
	"ccd/core/geom"
)

// Wide decides every query, in integers of any width, in storage that it keeps. It is the last
// stage.
type Wide struct {
	algebra.Solver
	a, b, c [3]algebra.Poly // F = A + uB + vC, each axis scaled by its own power of two
	n, u, v [3]algebra.Poly // B x C, C x A, A x B
	known   [3]bool         // whether component k of u and v was computed
	f       algebra.Poly    // A . n
	domain  geom.Domain     // a triangle or a square
	doubles *double         // the same query in double-doubles
	unit    [3]int
}

// decide finds the earliest contact up to tMax and reports whether there is one. doubles is the
// query in double-doubles; it computes where the primitives touch if it can, as for every stage.
func (w *Wide) decide(domain geom.Domain, q *[24]float64, tMax float64, doubles *double, out *found) bool {
	w.doubles = doubles
	w.load(domain, q)
	w.gather()
	for i := range w.Roots {
		r := &w.Roots[i]
		if r.Floor > tMax || r.Floor == tMax && !r.Double() {
			return false
		}
		if w.feasible(r, out) {
			return true
		}
	}
	return false
}

func (w *Wide) load(domain geom.Domain, q *[24]float64) {
	a := &w.Arena
	a.Reset()
	w.domain = domain
	var x [8][3]algebra.Int
	for k := range 3 {
		unit := math.MaxInt32
		for i := range 8 {
			if m, e := algebra.Mantissa(math.Abs(q[3*i+k])); m != 0 {
				unit = min(unit, e)
			}
		}
		w.unit[k] = unit
		for i := range 8 {
			y := q[3*i+k]
			if m, e := algebra.Mantissa(math.Abs(y)); m != 0 {
				x[i][k] = a.Shl(a.Word(y < 0, uint64(m)), uint(e-unit))
			}
		}
	}
	for k := range 3 {
		move := func(i, j int) algebra.Poly {
			d0, d1 := a.Sub(x[i][k], x[j][k]), a.Sub(x[4+i][k], x[4+j][k])
			return algebra.Poly{C: [4]algebra.Int{d0, a.Sub(d1, d0)}, N: 2}.Trimmed()
		}
		if domain == geom.Square {
			w.a[k], w.b[k], w.c[k] = move(0, 2), move(1, 0), move(2, 3)
		} else {
			w.a[k], w.b[k], w.c[k] = move(0, 1), move(1, 2), move(1, 3)
		}
	}
	for k := range 3 {
		w.n[k] = w.Cross(&w.b, &w.c, k)
		w.known[k] = false
	}
	w.f = algebra.Poly{}
	for k := range 3 {
		p := a.PolyMul(&w.a[k], &w.n[k])
		w.f = a.PolyAdd(&w.f, &p)
	}
}

// sides computes component k of C x A and A x B, if it is not known: most queries never need it.
func (w *Wide) sides(k int) {
	if !w.known[k] {
		w.known[k] = true
		w.u[k], w.v[k] = w.Cross(&w.c, &w.a, k), w.Cross(&w.a, &w.b, k)
	}
}

// Cross returns component k of p x q.
func (w *Wide) Cross(p, q *[3]algebra.Poly, k int) algebra.Poly {
	i, j := (k+1)%3, (k+2)%3
	x, y := w.Arena.PolyMul(&p[i], &q[j]), w.Arena.PolyMul(&p[j], &q[i])
	return w.Arena.PolySub(&x, &y)
}

// gather lists in w.Roots, in order, the times that can be the earliest contact:
// docs/proofs/exact.md, "Candidates". Where the theorem needs the common roots of several
// components, the roots of one component suffice, for they are a superset.
func (w *Wide) gather() {
	zero := algebra.Dyadic{}
	w.Roots = append(w.Roots[:0], algebra.Root{Lo: zero, Hi: zero, Exact: true})
	if w.f.N > 0 {
		if w.f.C[0].Sign() != 0 {
			w.Roots = w.Roots[:0]
		}
		w.Isolate(w.f)
		return
	}
	w.gatherPlanar()
	slices.SortStableFunc(w.Roots, compareFloors)
}

// compareFloors orders roots by their floors, doubles before others with the same floor.
func compareFloors(r, s algebra.Root) int {
	switch {
	case r.Floor < s.Floor, r.Floor == s.Floor && r.Double() && !s.Double():
		return -1
	case r.Floor > s.Floor, r.Floor == s.Floor && s.Double() && !r.Double():
		return 1
	}
	return 0
}

// gatherPlanar appends the candidates of a query whose f is zero throughout: the times at which F
// can be 0 at a corner or on a side of the domain.
func (w *Wide) gatherPlanar() {
	a := &w.Arena
	take := func(v *[3]algebra.Poly) bool {
		for k := range v {
			if v[k].N > 0 {
				w.Isolate(v[k])
				return true
			}
		}
		return false
	}
	spans := false
	for k := range 3 {
		w.sides(k)
		spans = spans || w.n[k].N > 0
	}
	switch {
	case spans:
		take(&w.n)
		take(&w.u)
		take(&w.v)
		var x, y [3]algebra.Poly
		for k := range 3 {
			x[k] = a.PolySub(&w.n[k], &w.u[k])
			if w.domain == geom.Square {
				y[k] = a.PolySub(&w.n[k], &w.v[k])
			} else {
				x[k] = a.PolySub(&x[k], &w.v[k])
			}
		}
		take(&x)
		take(&y)
	case take(&w.u) || take(&w.v):
	default:
		var x, y, z [3]algebra.Poly
		for k := range 3 {
			x[k], y[k] = a.PolyAdd(&w.a[k], &w.b[k]), a.PolyAdd(&w.a[k], &w.c[k])
			if w.domain == geom.Square {
				z[k] = a.PolyAdd(&x[k], &w.c[k])
			}
		}
		take(&w.a)
		take(&x)
		take(&y)
		take(&z)
	}
}

// feasible reports whether F = 0 for some (u, v) of the domain at the root r, and if so writes the
// contact to out.
func (w *Wide) feasible(r *algebra.Root, out *found) bool {
	a := &w.Arena
	*out = found{floor: r.Floor, exact: r.Double(), planar: w.f.N == 0}
	for k := range 3 {
		s := a.SignAt(&w.n[k], r)
		if s == 0 {
			continue
		}
		w.sides(k)
		free := a.PolySub(&w.n[k], &w.u[k])
		slacks := [4]algebra.Poly{w.u[k], w.v[k], free}
		if w.domain == geom.Square {
			slacks[3] = a.PolySub(&w.n[k], &w.v[k])
		} else {
			slacks[2] = a.PolySub(&free, &w.v[k])
		}
		for i := range slacks {
			if out.slack[i] = s * a.SignAt(&slacks[i], r); out.slack[i] < 0 {
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
		if a.SignAt(&w.u[k], r) != 0 || a.SignAt(&w.v[k], r) != 0 {
			return false
		}
	}
	for k := range 3 {
		if a.SignAt(&w.b[k], r) != 0 || a.SignAt(&w.c[k], r) != 0 {
			out.shape = 1
			if !w.bracket(r, k, out) {
				return false
			}
			out.n = w.line(r)
			return true
		}
	}
	for k := range 3 {
		if a.SignAt(&w.a[k], r) != 0 {
			return false
		}
	}
	return true
}

// bracket decides a query whose B and C are parallel and not both zero, on a line that is not
// perpendicular to axis k. There is contact if the corners of the domain lie on both sides of zero;
// (u, v) is put between the first corner on either side.
func (w *Wide) bracket(r *algebra.Root, k int, out *found) bool {
	a := &w.Arena
	p := [4]algebra.Poly{0: w.a[k]}
	p[1], p[2] = a.PolyAdd(&w.a[k], &w.b[k]), a.PolyAdd(&w.a[k], &w.c[k])
	count := 3
	if w.domain == geom.Square {
		p[3] = a.PolyAdd(&p[1], &w.c[k])
		count = 4
	}
	below, above := -1, -1
	for i := range count {
		switch s := a.SignAt(&p[i], r); {
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
	den := a.PolySub(&p[above], &p[below])
	between := func(x, y int) float64 {
		switch {
		case x == y:
			return float64(x)
		case y == 1:
			num := p[below].Negated()
			return a.Value(&num, &den, r)
		}
		return a.Value(&p[above], &den, r)
	}
	out.u, out.v = between(below&1, above&1), between(below>>1, above>>1)
	return true
}

// slope writes the sign of the cubic's derivative at the root r.
func (w *Wide) slope(r *algebra.Root, out *found) {
	if w.f.N == 0 {
		return
	}
	a := &w.Arena
	d := a.Derivative(&w.f)
	out.falls = a.SignAt(&d, r)
}

// place writes u, v and the normal's direction at a contact where component k of N is not zero.
func (w *Wide) place(r *algebra.Root, k int, out *found) {
	a := &w.Arena
	out.u, out.v = 0, 0
	if out.slack[0] > 0 {
		out.u = a.Value(&w.u[k], &w.n[k], r)
	}
	if out.slack[1] > 0 {
		out.v = a.Value(&w.v[k], &w.n[k], r)
	}
	out.settle(w.domain)
	out.n, _ = w.direction(r, &w.n, [3]int{w.unit[1] + w.unit[2], w.unit[2] + w.unit[0], w.unit[0] + w.unit[1]})
}

// direction returns the vector p at the root r, divided by 2^exponent. It must not be zero; its
// component k is in units of 2^unit[k].
func (w *Wide) direction(r *algebra.Root, p *[3]algebra.Poly, unit [3]int) (x [3]float64, exponent int) {
	a := &w.Arena
	var m [3]float64
	var e [3]int
	exponent = math.MinInt32
	one := algebra.Poly{C: [4]algebra.Int{a.Word(false, 1)}, N: 1}
	for k := range 3 {
		if a.SignAt(&p[k], r) != 0 {
			m[k], e[k] = a.Quotient(&p[k], &one, r)
			e[k] += unit[k]
			exponent = max(exponent, e[k])
		}
	}
	for k := range 3 {
		x[k] = math.Ldexp(m[k], e[k]-exponent)
	}
	return x, exponent
}

// line returns the direction of the longer of B and C at the root r, which are parallel and not
// both zero.
func (w *Wide) line(r *algebra.Root) [3]float64 {
	b, e := w.direction(r, &w.b, w.unit)
	c, f := w.direction(r, &w.c, w.unit)
	if e < f || e == f && length(c) > length(b) {
		return c
	}
	return b
}
