package oracle

import (
	"math"
	"math/big"

	"ccd/core/geom"
)

// ContactTruth is the result of Contact: the earliest contact in [0, 1], if there is one.
type ContactTruth struct {
	geom.Impact
	// Poly has the time of contact as its only root in [Lo, Hi]: coefficients, lowest degree first.
	// Lo = Hi when the time is dyadic; Poly is nil when it is 0, or when there is no contact.
	Poly   []*big.Int
	Lo, Hi *big.Rat
}

// Until returns the result for t in [0, tMax] only.
func (t *ContactTruth) Until(tMax float64) geom.Impact {
	im := t.Impact
	if im.Verdict == geom.Contact && (im.TOILo > tMax || im.TOILo == tMax && im.TOIHi > tMax) {
		im.SetSeparate(im.Kind)
	}
	return im
}

// Contact decides a query by arithmetic over integers of any size: slow (tens of microseconds), and
// meant to be obviously right.
//
// The answer at a fixed t is a Boolean function of the signs of finitely many polynomials in t:
// those that feasible asks for. Between two neighboring roots of all of them that are not
// identically zero nothing changes, and the set of feasible times is closed, so its least element
// is 0 or one of these roots. When the coplanarity cubic is not identically zero, its roots alone
// will do: it vanishes at every contact.
//
// q is Kind.Len() doubles, finite and at most geom.MaxCoordinate in magnitude.
func Contact(kind geom.Kind, q []float64) *ContactTruth {
	s := newIntegerQuery(kind, q)
	t := new(ContactTruth)
	t.SetSeparate(kind)
	candidates := []*root{exactly(dyadicOf(0))}
	if len(s.f) != 0 {
		candidates = append(candidates, isolate(s.f)...)
	} else {
		candidates = append(candidates, isolateAll(s.consulted())...)
	}
	for _, r := range candidates {
		if u, v, ok := s.feasible(r); ok {
			s.report(t, r, u, v)
			break
		}
	}
	return t
}

// vec is a vector of polynomials.
type vec [3]poly

func (a vec) plus(b vec) vec {
	return vec{a[0].plus(b[0]), a[1].plus(b[1]), a[2].plus(b[2])}
}

func (a vec) minus(b vec) vec {
	return vec{a[0].minus(b[0]), a[1].minus(b[1]), a[2].minus(b[2])}
}

func (a vec) cross(b vec) (r vec) {
	for k := range r {
		i, j := (k+1)%3, (k+2)%3
		r[k] = a[i].times(b[j]).minus(a[j].times(b[i]))
	}
	return r
}

func (a vec) dot(b vec) poly {
	return a[0].times(b[0]).plus(a[1].times(b[1])).plus(a[2].times(b[2]))
}

// integerQuery is a query as F = A + uB + vC, every axis scaled by its own power of two to
// integers: that moves no contact.
type integerQuery struct {
	kind    geom.Kind
	square  bool   // the domain is [0,1]^2, not a triangle
	unit    [3]int // axis k is measured in 2^unit[k]
	a, b, c vec
	n       vec  // B x C
	u, v    vec  // C x A and A x B: where n[k] is not zero, the parameters are u[k]/n[k] and v[k]/n[k]
	f       poly // A . n, zero at every contact
	q       [24]float64
}

func newIntegerQuery(kind geom.Kind, q []float64) *integerQuery {
	s := &integerQuery{kind: kind, square: kind == geom.EdgeEdge}
	geom.Widen(kind, q, &s.q)
	var x [8]vec // eight points of constants
	for k := range 3 {
		s.unit[k] = 1 << 20
		for i := range 8 {
			if y := dyadicOf(s.q[3*i+k]).reduce(); y.n.Sign() != 0 {
				s.unit[k] = min(s.unit[k], int(y.n.TrailingZeroBits())-int(y.k))
			}
		}
		for i := range 8 {
			y := dyadicOf(s.q[3*i+k])
			if y.n.Sign() == 0 {
				continue
			}
			if sh := -s.unit[k] - int(y.k); sh >= 0 {
				y.n.Lsh(y.n, uint(sh))
			} else {
				y.n.Rsh(y.n, uint(-sh)) // exact: the unit divides every coordinate
			}
			x[i][k] = poly{y.n}
		}
	}
	s.load(&x)
	return s
}

// load makes the polynomials of eight points of constants.
func (s *integerQuery) load(x *[8]vec) {
	move := func(i, j int) vec { // point i - point j over time
		d0, d1 := x[i].minus(x[j]), x[4+i].minus(x[4+j])
		t := poly{new(big.Int), big.NewInt(1)}
		d := d1.minus(d0)
		return d0.plus(vec{d[0].times(t), d[1].times(t), d[2].times(t)})
	}
	if s.square {
		s.a, s.b, s.c = move(0, 2), move(1, 0), move(2, 3)
	} else {
		s.a, s.b, s.c = move(0, 1), move(1, 2), move(1, 3)
	}
	s.n, s.u, s.v = s.b.cross(s.c), s.c.cross(s.a), s.a.cross(s.b)
	s.f = s.a.dot(s.n)
}

// corner is a corner of the parameter domain, and F there.
type corner struct {
	u, v int64
	f    vec
}

func (s *integerQuery) corners() []corner {
	c := []corner{{0, 0, s.a}, {1, 0, s.a.plus(s.b)}, {0, 1, s.a.plus(s.c)}}
	if s.square {
		c = append(c, corner{1, 1, s.a.plus(s.b).plus(s.c)})
	}
	return c
}

// slacks are the constraints on (u, v) along axis k, times n[k]: all have the sign of n[k], or are
// zero, inside the domain.
func (s *integerQuery) slacks(k int) []poly {
	if s.square {
		return []poly{s.u[k], s.v[k], s.n[k].minus(s.u[k]), s.n[k].minus(s.v[k])}
	}
	return []poly{s.u[k], s.v[k], s.n[k].minus(s.u[k]).minus(s.v[k])}
}

// consulted lists every polynomial whose sign feasible may need, other than f, that is not
// identically zero.
func (s *integerQuery) consulted() (ps []poly) {
	for k := range 3 {
		ps = append(ps, s.b[k], s.c[k], s.n[k])
		ps = append(ps, s.slacks(k)...)
		for _, c := range s.corners() {
			ps = append(ps, c.f[k])
		}
	}
	kept := ps[:0]
	for _, p := range ps {
		if len(p) != 0 {
			kept = append(kept, p)
		}
	}
	return kept
}

// ratio is a parameter at a root: num / den.
type ratio struct{ num, den poly }

func constant(x int64) poly { return trim(poly{big.NewInt(x)}) }

// feasible reports whether F = 0 for some (u, v) of the domain at the time r, and for which.
func (s *integerQuery) feasible(r *root) (u, v ratio, ok bool) {
	if r.sign(s.f) != 0 {
		return u, v, false
	}
	for k := range 3 {
		if sign := r.sign(s.n[k]); sign != 0 { // B and C span a plane, which holds A: u and v are unique
			for _, x := range s.slacks(k) {
				if r.sign(x) == -sign {
					return u, v, false
				}
			}
			return ratio{s.u[k], s.n[k]}, ratio{s.v[k], s.n[k]}, true
		}
	}
	for k := range 3 { // B and C are parallel: A must be so too
		if r.sign(s.u[k]) != 0 || r.sign(s.v[k]) != 0 {
			return u, v, false
		}
	}
	for k := range 3 {
		if r.sign(s.b[k]) != 0 || r.sign(s.c[k]) != 0 { // the line that holds them all is not across axis k
			return s.bracket(r, k)
		}
	}
	zero := ratio{nil, constant(1)}
	for k := range 3 { // B = C = 0: a point
		if r.sign(s.a[k]) != 0 {
			return u, v, false
		}
	}
	return zero, zero, true
}

// bracket decides the case where all corners lie on a line that is not across axis k: does the
// line's segment hold 0? Of two corners on either side, it takes the point between them.
func (s *integerQuery) bracket(r *root, k int) (u, v ratio, ok bool) {
	var below, above *corner
	for _, c := range s.corners() {
		switch sign := r.sign(c.f[k]); {
		case sign == 0:
			return ratio{constant(c.u), constant(1)}, ratio{constant(c.v), constant(1)}, true
		case sign < 0 && below == nil:
			below = &c
		case sign > 0 && above == nil:
			above = &c
		}
	}
	if below == nil || above == nil {
		return u, v, false
	}
	den := above.f[k].minus(below.f[k])
	between := func(x, y int64) ratio { // x + (y - x) (0 - below) / (above - below)
		return ratio{constant(x).times(den).minus(constant(y - x).times(below.f[k])), den}
	}
	return between(below.u, above.u), between(below.v, above.v), true
}

func (s *integerQuery) report(t *ContactTruth, r *root, u, v ratio) {
	t.Verdict, t.Flags = geom.Contact, geom.Certified
	t.TOILo = r.floor()
	t.TOIHi = t.TOILo
	if !r.exact() || r.hi.cmp(dyadicOf(t.TOILo)) != 0 { // a dyadic time may have more bits than a double
		t.TOIHi = math.Nextafter(t.TOILo, 2)
	}
	if r.exact() && r.hi.n.Sign() == 0 {
		t.Flags |= geom.InitialContact
	}
	t.Poly, t.Lo, t.Hi = r.p, r.lo.rat(), r.hi.rat()
	t.U, _ = r.value(u.num, u.den).Float64()
	t.V, _ = r.value(v.num, v.den).Float64()
	t.U = min(t.U, 1) // rounding must not leave the domain
	t.V = min(t.V, 1)
	if !s.square {
		t.V = min(t.V, 1-t.U)
	}
	s.locate(t, r)
}
