package algebra

import (
	"math/big"
)

// Roots of polynomials with integer coefficients: isolated by Descartes' rule of signs on Bernstein
// coefficients, and narrowed by halving.

// BigBernstein is a positive multiple of the Bernstein coefficients of a polynomial on an interval.
type BigBernstein []*big.Int

// Bernstein returns the Bernstein form of p on [lo, hi]. With s from 0 to 1 and t = lo + (hi - lo)
// s, c_j = sum C(j,i) / C(n,i) s_i for the coefficients s_i of p as a polynomial in s, times a
// multiple of all C(n,i): 60 for n <= 6, for any n lcm(1..n+1) / (n+1).
func (p BigPoly) Bernstein(lo, hi BigDyadic) BigBernstein {
	if len(p) == 0 {
		return nil
	}
	a, b, k := lo.Aligned(hi)
	b.Sub(b, a)
	n := len(p) - 1
	c := make(BigBernstein, len(p))
	for i := range c { // 2^(k n) p(x / 2^k)
		c[i] = new(big.Int).Lsh(p[i], k*uint(n-i))
	}
	var w big.Int
	for i := range n { // Horner's rule at a: the Taylor coefficients there
		for j := n - 1; j >= i; j-- {
			c[j].Add(c[j], w.Mul(c[j+1], a))
		}
	}
	power := new(big.Int).Set(b)
	for i := 1; i <= n; i++ {
		c[i].Mul(c[i], power)
		power.Mul(power, b)
	}
	for i := range c {
		c[i].Mul(c[i], big.NewInt(binomialMultiples[n]/Binomials[n][i]))
	}
	// c_j = sum C(j,i) c_i: Pascal's triangle.
	for i := 1; i <= n; i++ {
		for j := n; j >= i; j-- {
			c[j].Add(c[j], c[j-1])
		}
	}
	return c
}

// Binomials are the C(n,i) for n up to 6 MaxMotionDegree, and binomialMultiples a common multiple
// of those of each n, which fit: the largest is 2^41.
var Binomials, binomialMultiples = func() (c [MaxDegree + 1][MaxDegree + 1]int64, m [MaxDegree + 1]int64) {
	lcm := int64(1)
	for n := range c {
		for i := range n + 1 {
			c[n][i] = 1
			if i > 0 && i < n {
				c[n][i] = c[n-1][i-1] + c[n-1][i]
			}
		}
		g, r := lcm, int64(n+1)
		for r != 0 {
			g, r = r, g%r
		}
		lcm = lcm / g * int64(n+1) // Now lcm is that of 1 to n+1.
		m[n] = lcm / int64(n+1)
		if n <= 6 {
			m[n] = 60
		}
	}
	return c, m
}()

// MaxDegree is the greatest degree of a polynomial in t: the inside of a Euclidean separation has
// (A.N)^2.
const MaxDegree = 30

// Changes counts the changes of sign, and gives the first sign. There are as many roots inside the
// interval, or fewer by an even number.
func (b BigBernstein) Changes() (count, first int) {
	last := 0
	for _, x := range b {
		s := x.Sign()
		if first == 0 {
			first = s
		}
		if s == -last && s != 0 {
			count++
		}
		if s != 0 {
			last = s
		}
	}
	return count, first
}

// halves is de Casteljau's algorithm at the middle, times 2^n.
func (b BigBernstein) halves() (l, r BigBernstein) {
	n := len(b) - 1
	t := make(BigBernstein, len(b))
	for i := range b {
		t[i] = new(big.Int).Set(b[i])
	}
	l, r = make(BigBernstein, len(b)), make(BigBernstein, len(b))
	shift := 0
	for i := range b {
		l[i], r[n-i] = new(big.Int).Lsh(t[0], uint(n-i)), new(big.Int).Lsh(t[n-i], uint(n-i))
		for j := range n - i {
			t[j].Add(t[j], t[j+1])
		}
	}
	// Take out common powers of two, so that the numbers grow no longer than they must.
	for _, x := range append(append(BigBernstein(nil), l...), r...) {
		if x.Sign() != 0 {
			z := int(x.TrailingZeroBits())
			if shift == 0 || z < shift {
				shift = z
			}
			if shift == 0 {
				return l, r
			}
		}
	}
	for i := range b {
		l[i].Rsh(l[i], uint(shift))
		r[i].Rsh(r[i], uint(shift))
	}
	return l, r
}

// PositiveAtRoot reports whether q > 0 at the only root of p inside (lo, hi), which it may narrow;
// lo = hi is the root itself.
func (q BigPoly) PositiveAtRoot(p BigPoly, lo, hi *BigDyadic) bool {
	if len(q) == 0 {
		return false
	}
	for looks := 0; ; looks++ {
		if lo.compare(*hi) == 0 {
			return q.Sign(*lo) > 0
		}
		if changes, sign := q.Bernstein(*lo, *hi).Changes(); changes == 0 {
			return sign > 0
		}
		if looks == 3 {
			if g := p.common(q); len(g) > 1 {
				// g divides p, so it has one simple root here or none.
				if changes, _ := g.Bernstein(*lo, *hi).Changes(); changes%2 == 1 {
					return false
				}
			}
		}
		for range 1 << min(looks, 8) {
			p.narrow(lo, hi)
		}
	}
}

// narrow halves an interval that has one root of p inside, a simple one.
func (p BigPoly) narrow(lo, hi *BigDyadic) {
	if lo.compare(*hi) == 0 {
		return
	}
	m := lo.Middle(*hi)
	switch s := p.Sign(m); {
	case s == 0:
		*lo, *hi = m, m
	case s == p.signAfter(*lo):
		*lo = m
	default:
		*hi = m
	}
}

// signAfter returns the sign of p just after x.
func (p BigPoly) signAfter(x BigDyadic) int {
	for ; len(p) > 0; p = p.derivative() {
		if s := p.Sign(x); s != 0 {
			return s
		}
	}
	return 0
}

// Isolate calls yes with intervals that hold one root of p each, all of those inside (lo, hi), b
// being its Bernstein coefficients there, until yes returns true. p has no repeated root, so
// intervals that are short enough have one change of sign or none.
func (p BigPoly) Isolate(lo, hi BigDyadic, b BigBernstein, yes func(lo, hi BigDyadic) bool) bool {
	switch changes, _ := b.Changes(); changes {
	case 0:
		return false
	case 1:
		return yes(lo, hi)
	}
	m := lo.Middle(hi)
	l, r := b.halves()
	return p.Isolate(lo, m, l, yes) || r[0].Sign() == 0 && yes(m, m) || p.Isolate(m, hi, r, yes)
}
