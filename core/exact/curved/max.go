package curved

import (
	"math"
	"math/big"

	"ccd/core/exact/clearance"
	"ccd/core/exact/internal/algebra"
)

// The last stage of a MotionQuery with a separation in the max norm: the certificates of
// docs/proofs/separation.md, whose list of directions is for a fixed t, so that it serves any
// motion. A direction n separates at t if n.P > d |n|_1 for all corners P, or -n.P > d |n|_1 for
// all.
//
// Like clearance.EuclideanWide it halves the doubles of an interval until they are neighbors a, b,
// with the pair apart before a and at a:
//
//   - one certificate on all of [a, b], by Bernstein coefficients: apart;
//   - no direction separates weakly at b: P(b) meets the inside of the cube, so P(t) does just
//     before, and the time is in (a, b);
//   - contact at a root in (a, b) of a polynomial n.P + d (s0 n0 + s1 n1 + s2 n2): in (a, b).
//     Contact is a Boolean function of the signs of these polynomials, so the first contact in (a,
//     b), if there is one, is at such a root. Their order does not matter;
//   - contact at b: the time is b.

// maxWide is a query's certificates.
type maxWide struct {
	list []maxCertificate
	last int // the one that held last
}

// maxCertificate is a direction n and its negative.
type maxCertificate struct {
	at     []algebra.BigPoly  // n.P for each corner
	half   [3]algebra.BigPoly // d n_k
	degree int                // the largest of these polynomials
}

// newMaxWide makes the certificates of the directions listed, as clearance.CubeFollower numbers
// them.
func newMaxWide(q *MotionQuery, list []int) *maxWide {
	x := newMotionIntegers(q, true)
	corners, edges := clearance.PolygonOf(q.Kind, x.move)
	w := new(maxWide)
	for _, at := range list {
		var n algebra.BigVector
		switch {
		case at < 3:
			n[at] = algebra.BigPoly{big.NewInt(1)}
		case at < 3+3*len(edges):
			e, k := (at-3)/3, (at-3)%3
			i, l := (k+1)%3, (k+2)%3
			n[i], n[l] = edges[e][l].Negated(), edges[e][i] // e_k x E
		default:
			n = edges[0].Cross(&edges[1])
			// Along the normal of the polygon all corners have the same component: one of them is
			// enough.
			w.add(&n, corners[:1], &x.half)
			continue
		}
		w.add(&n, corners, &x.half)
	}
	return w
}

func (w *maxWide) add(n *algebra.BigVector, corners []algebra.BigVector, half *[3]algebra.BigPoly) {
	var c maxCertificate
	for i := range corners {
		p := n.Dot(&corners[i])
		c.at = append(c.at, p)
		c.degree = max(c.degree, len(p)-1)
	}
	for k := range 3 {
		c.half[k] = half[k].Times(n[k])
		c.degree = max(c.degree, len(c.half[k])-1)
	}
	w.list = append(w.list, c)
}

// sideAt returns the side on which the certificate holds at x, 1 or -1; 0 where it does not. weak
// is set where it would hold with >= in place of > for a direction that is not zero.
func (c *maxCertificate) sideAt(x algebra.BigDyadic) (side int, weak bool) {
	far := new(big.Int) // d |n|_1
	for _, h := range c.half {
		far.Add(far, new(big.Int).Abs(h.Value(x, c.degree)))
	}
	strict, sign := true, 0
	for _, p := range c.at {
		y := p.Value(x, c.degree)
		s := y.Sign()
		if s == 0 || sign != 0 && s != sign {
			return 0, false
		}
		sign = s
		switch y.CmpAbs(far) {
		case -1:
			return 0, false
		case 0:
			strict = false
		}
	}
	if strict {
		return sign, true
	}
	return 0, true
}

// holds reports whether the certificate holds on all of [lo, hi], on a side, for certain: |n_k| is
// at most the sum of its Bernstein terms with the magnitudes of the coefficients.
func (c *maxCertificate) holds(side int, lo, hi algebra.BigDyadic) bool {
	far := make([]big.Int, c.degree+1)
	for _, h := range c.half {
		if len(h) > 0 {
			for l, y := range h.Padded(c.degree).Bernstein(lo, hi) {
				far[l].Add(&far[l], new(big.Int).Abs(y))
			}
		}
	}
	for _, p := range c.at {
		for l, y := range p.Padded(c.degree).Bernstein(lo, hi) {
			if y.Sign() != side || y.CmpAbs(&far[l]) <= 0 {
				return false
			}
		}
	}
	return true
}

// apartAt reports whether the pair is apart at x, and whether it is so weakly: no point in the
// inside of the cube.
func (w *maxWide) apartAt(x algebra.BigDyadic) (apart, weakly bool) {
	for i := range w.list {
		side, weak := w.list[i].sideAt(x)
		if side != 0 {
			return true, true
		}
		weakly = weakly || weak
	}
	return false, weakly
}

// apart reports whether one certificate holds on all of [lo, hi].
func (w *maxWide) apart(lo, hi algebra.BigDyadic) bool {
	for i := range w.list {
		j := (w.last + i) % len(w.list)
		c := &w.list[j]
		if side, _ := c.sideAt(hi); side != 0 && c.holds(side, lo, hi) {
			w.last = j
			return true
		}
	}
	return false
}

// First returns the first contact in [lo, hi], of a pair that is apart before lo.
func (w *maxWide) First(lo, hi float64) clearance.Instant {
	if apart, _ := w.apartAt(algebra.BigDyadicOf(lo)); !apart {
		return clearance.Instant{Contact: true, Lo: lo, Hi: lo}
	}
	if lo == hi {
		return clearance.Instant{}
	}
	return w.between(lo, hi)
}

// between returns the first contact in (lo, hi], lo not being one.
func (w *maxWide) between(lo, hi float64) clearance.Instant {
	l, h := algebra.BigDyadicOf(lo), algebra.BigDyadicOf(hi)
	if w.apart(l, h) {
		return clearance.Instant{}
	}
	a, b := math.Float64bits(lo), math.Float64bits(hi) // doubles of one sign are ordered as their bits
	if b-a > 1 {
		m := math.Float64frombits(a + (b-a)/2)
		if t := w.between(lo, m); t.Contact {
			return t
		}
		return w.between(m, hi)
	}
	apart, weakly := w.apartAt(h)
	switch {
	case !weakly, w.touches(l, h):
		return clearance.Instant{Contact: true, Lo: lo, Hi: hi}
	case !apart:
		return clearance.Instant{Contact: true, Lo: hi, Hi: hi}
	}
	return clearance.Instant{}
}

// touches reports whether there is contact inside (lo, hi): at a root of one of the polynomials.
func (w *maxWide) touches(lo, hi algebra.BigDyadic) bool {
	for i := range w.list {
		found := false
		w.list[i].each(func(p algebra.BigPoly) bool {
			if len(p) < 2 {
				return true
			}
			if count, _ := p.Bernstein(lo, hi).Changes(); count == 0 {
				return true
			}
			p = p.Simple()
			p.Isolate(lo, hi, p.Bernstein(lo, hi), func(l, h algebra.BigDyadic) bool {
				found = !w.separatesAt(p, l, h)
				return found
			})
			return !found
		})
		if found {
			return true
		}
	}
	return false
}

// separatesAt reports whether a certificate holds at the only root of p in (lo, hi), or at lo = hi.
func (w *maxWide) separatesAt(p algebra.BigPoly, lo, hi algebra.BigDyadic) bool {
	for i := range w.list {
		c := &w.list[i]
		if c.each(func(q algebra.BigPoly) bool { return q.PositiveAtRoot(p, &lo, &hi) }) ||
			c.each(func(q algebra.BigPoly) bool { return q.Negated().PositiveAtRoot(p, &lo, &hi) }) {
			return true
		}
	}
	return false
}

// each calls test with n.P + d (s0 n0 + s1 n1 + s2 n2) for all corners and signs until it returns
// false, and reports whether it never did.
func (c *maxCertificate) each(test func(p algebra.BigPoly) bool) bool {
	for _, p := range c.at {
		for signs := range 8 {
			r, skip := p, false
			for k, h := range c.half {
				switch negative := signs>>k&1 == 1; {
				case len(h) == 0:
					skip = skip || negative // the same as without
				case negative:
					r = r.Minus(h)
				default:
					r = r.Plus(h)
				}
			}
			if !skip && !test(r) {
				return false
			}
		}
	}
	return true
}
