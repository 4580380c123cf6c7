package exact

import (
	"math"
	"math/big"
)

// The last stage of a MotionQuery with a separation in the max norm: the certificates of docs/proofs/separation.md, whose list of directions
// is for a fixed t, so that it serves any motion. A direction n separates at t if n.P > d |n|_1 for all corners P, or -n.P > d |n|_1 for all.
//
// Like euclideanWide it halves the doubles of an interval until they are neighbors a, b, with the pair apart before a and at a:
//
//   - one certificate on all of [a, b], by Bernstein coefficients: apart;
//   - no direction separates weakly at b: P(b) meets the inside of the cube, so P(t) does just before, and the time is in (a, b);
//   - contact at a root in (a, b) of a polynomial n.P + d (s0 n0 + s1 n1 + s2 n2): in (a, b). Contact is a Boolean function of the signs of these
//     polynomials, so the first contact in (a, b), if there is one, is at such a root. Their order does not matter;
//   - contact at b: the time is b.

// maxWide is a query's certificates.
type maxWide struct {
	list []maxCertificate
	last int // the one that held last
}

// maxCertificate is a direction n and its negative.
type maxCertificate struct {
	at     []bigPoly  // n.P for each corner
	half   [3]bigPoly // d n_k
	degree int        // the largest of these polynomials
}

func newMaxWide(q *MotionQuery) *maxWide {
	x := newMotionIntegers(q, true)
	corners, edges := polygonOf(q.Kind, x.move)
	w := new(maxWide)
	one := bigPoly{big.NewInt(1)}
	for k := range 3 {
		var n bigVector
		n[k] = one
		w.add(&n, corners, &x.half)
	}
	for e := range edges {
		for k := range 3 {
			i, l := (k+1)%3, (k+2)%3
			var n bigVector // e_k x E
			n[i], n[l] = edges[e][l].negated(), edges[e][i]
			w.add(&n, corners, &x.half)
		}
	}
	if len(edges) > 1 {
		n := edges[0].cross(&edges[1])
		w.add(&n, corners[:1], &x.half) // at right angles to the polygon all corners are as far
	}
	return w
}

func (w *maxWide) add(n *bigVector, corners []bigVector, half *[3]bigPoly) {
	var c maxCertificate
	for i := range corners {
		p := n.dot(&corners[i])
		c.at = append(c.at, p)
		c.degree = max(c.degree, len(p)-1)
	}
	for k := range 3 {
		c.half[k] = half[k].times(n[k])
		c.degree = max(c.degree, len(c.half[k])-1)
	}
	w.list = append(w.list, c)
}

// sideAt is the side on which the certificate holds at x, 1 or -1; 0 where it does not. weak is set where it would hold with >= in place of > for
// a direction that is not zero.
func (c *maxCertificate) sideAt(x bigDyadic) (side int, weak bool) {
	far := new(big.Int) // d |n|_1
	for _, h := range c.half {
		far.Add(far, new(big.Int).Abs(h.value(x, c.degree)))
	}
	strict, sign := true, 0
	for _, p := range c.at {
		y := p.value(x, c.degree)
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

// holds reports whether the certificate holds on all of [lo, hi], on a side, for certain: |n_k| is at most the sum of its Bernstein terms
// with the magnitudes of the coefficients.
func (c *maxCertificate) holds(side int, lo, hi bigDyadic) bool {
	far := make([]big.Int, c.degree+1)
	for _, h := range c.half {
		if len(h) > 0 {
			for l, y := range h.padded(c.degree).bernstein(lo, hi) {
				far[l].Add(&far[l], new(big.Int).Abs(y))
			}
		}
	}
	for _, p := range c.at {
		for l, y := range p.padded(c.degree).bernstein(lo, hi) {
			if y.Sign() != side || y.CmpAbs(&far[l]) <= 0 {
				return false
			}
		}
	}
	return true
}

// apartAt reports whether the pair is apart at x, and whether it is so weakly: no point in the inside of the cube.
func (w *maxWide) apartAt(x bigDyadic) (apart, weakly bool) {
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
func (w *maxWide) apart(lo, hi bigDyadic) bool {
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

// first is the first contact in [lo, hi], of a pair that is apart before lo.
func (w *maxWide) first(lo, hi float64) instant {
	if apart, _ := w.apartAt(bigDyadicOf(lo)); !apart {
		return instant{contact: true, lo: lo, hi: lo}
	}
	if lo == hi {
		return instant{}
	}
	return w.between(lo, hi)
}

// between is the first contact in (lo, hi], lo not being one.
func (w *maxWide) between(lo, hi float64) instant {
	l, h := bigDyadicOf(lo), bigDyadicOf(hi)
	if w.apart(l, h) {
		return instant{}
	}
	a, b := math.Float64bits(lo), math.Float64bits(hi) // doubles of one sign are ordered as their bits
	if b-a > 1 {
		m := math.Float64frombits(a + (b-a)/2)
		if t := w.between(lo, m); t.contact {
			return t
		}
		return w.between(m, hi)
	}
	apart, weakly := w.apartAt(h)
	switch {
	case !weakly, w.touches(l, h):
		return instant{contact: true, lo: lo, hi: hi}
	case !apart:
		return instant{contact: true, lo: hi, hi: hi}
	}
	return instant{}
}

// touches reports whether there is contact inside (lo, hi): at a root of one of the polynomials.
func (w *maxWide) touches(lo, hi bigDyadic) bool {
	for i := range w.list {
		found := false
		w.list[i].each(func(p bigPoly) bool {
			if len(p) < 2 {
				return true
			}
			if count, _ := p.bernstein(lo, hi).changes(); count == 0 {
				return true
			}
			p = p.simple()
			p.isolate(lo, hi, p.bernstein(lo, hi), func(l, h bigDyadic) bool {
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
func (w *maxWide) separatesAt(p bigPoly, lo, hi bigDyadic) bool {
	for i := range w.list {
		c := &w.list[i]
		if c.each(func(q bigPoly) bool { return q.positiveAtRoot(p, &lo, &hi) }) ||
			c.each(func(q bigPoly) bool { return q.negated().positiveAtRoot(p, &lo, &hi) }) {
			return true
		}
	}
	return false
}

// each calls test with n.P + d (s0 n0 + s1 n1 + s2 n2) for all corners and signs until it returns false, and reports whether it never did.
func (c *maxCertificate) each(test func(p bigPoly) bool) bool {
	for _, p := range c.at {
		for signs := range 8 {
			r, skip := p, false
			for k, h := range c.half {
				switch negative := signs>>k&1 == 1; {
				case len(h) == 0:
					skip = skip || negative // the same as without
				case negative:
					r = r.minus(h)
				default:
					r = r.plus(h)
				}
			}
			if !skip && !test(r) {
				return false
			}
		}
	}
	return true
}

// value is p(x) 2^(x.s n), n at least the degree.
func (p bigPoly) value(x bigDyadic, n int) *big.Int {
	s, w := new(big.Int), new(big.Int)
	for i := len(p) - 1; i >= 0; i-- {
		s.Mul(s, x.m)
		s.Add(s, w.Lsh(p[i], x.s*uint(len(p)-1-i)))
	}
	return s.Lsh(s, x.s*uint(n+1-max(len(p), 1)))
}

// padded has zeros up to the degree n, which bernstein takes for coefficients.
func (p bigPoly) padded(n int) bigPoly {
	for len(p) <= n {
		p = append(p[:len(p):len(p)], new(big.Int))
	}
	return p
}
