package oracle

import (
	"math"
	"math/big"
)

// Algebraic numbers in [0,1], for Separation: polynomials with integer coefficients, isolated
// roots, and the sign of one polynomial at a root of another. Slow, and short enough to be read.
// Contact has the like by Sturm's theorem; this goes by Descartes' rule, and is kept apart so that
// one may be held against the other.

// sepDyadic is the number n / 2^k.
type sepDyadic struct {
	n *big.Int
	k uint
}

// sepDyadicOf writes a double of [0,1] exactly.
func sepDyadicOf(x float64) sepDyadic {
	f, e := math.Frexp(x)
	return sepDyadic{big.NewInt(int64(f * 0x1p53)), uint(53 - e)}
}

// aligned returns the numerators of a and b over their common denominator 2^k.
func aligned(a, b sepDyadic) (x, y *big.Int, k uint) {
	k = max(a.k, b.k)
	return new(big.Int).Lsh(a.n, k-a.k), new(big.Int).Lsh(b.n, k-b.k), k
}

func (a sepDyadic) cmp(b sepDyadic) int {
	x, y, _ := aligned(a, b)
	return x.Cmp(y)
}

func midpoint(a, b sepDyadic) sepDyadic {
	x, y, k := aligned(a, b)
	return sepDyadic{x.Add(x, y), k + 1}
}

// floor is the largest double not above a.
func (a sepDyadic) floor() float64 {
	r := new(big.Rat).SetFrac(a.n, new(big.Int).Lsh(big.NewInt(1), a.k))
	f, _ := r.Float64()
	if sepDyadicOf(f).cmp(a) > 0 {
		f = math.Nextafter(f, 0)
	}
	return f
}

// intPoly is a polynomial in t, lowest power first, its leading coefficient not zero; the zero
// polynomial is empty.
type intPoly []*big.Int

func trimmed(p intPoly) intPoly {
	for len(p) > 0 && p[len(p)-1].Sign() == 0 {
		p = p[:len(p)-1]
	}
	return p
}

// plus is p + s q.
func (p intPoly) plus(s int64, q intPoly) intPoly {
	r := make(intPoly, max(len(p), len(q)))
	for i := range r {
		r[i] = new(big.Int)
		if i < len(q) {
			r[i].Mul(q[i], big.NewInt(s))
		}
		if i < len(p) {
			r[i].Add(r[i], p[i])
		}
	}
	return trimmed(r)
}

func (p intPoly) times(q intPoly) intPoly {
	if len(p) == 0 || len(q) == 0 {
		return nil
	}
	r := make(intPoly, len(p)+len(q)-1)
	for i := range r {
		r[i] = new(big.Int)
	}
	for i, a := range p {
		for j, b := range q {
			r[i+j].Add(r[i+j], new(big.Int).Mul(a, b))
		}
	}
	return r
}

func (p intPoly) derivative() intPoly {
	if len(p) < 2 {
		return nil
	}
	r := make(intPoly, len(p)-1)
	for i := range r {
		r[i] = new(big.Int).Mul(p[i+1], big.NewInt(int64(i+1)))
	}
	return r
}

// primitive divides p by the greatest common divisor of its coefficients.
func (p intPoly) primitive() intPoly {
	g := new(big.Int)
	for _, c := range p {
		g.GCD(nil, nil, g, new(big.Int).Abs(c))
	}
	r := make(intPoly, len(p))
	for i, c := range p {
		r[i] = new(big.Int).Quo(c, g)
	}
	return r
}

// divide is pseudo-division: m p = q d + r for some non-zero integer m, with deg r < deg d.
func (p intPoly) divide(d intPoly) (q, r intPoly) {
	lead := d[len(d)-1]
	r = p
	for len(r) >= len(d) {
		shift := len(r) - len(d)
		term := make(intPoly, shift+1)
		for i := range term {
			term[i] = new(big.Int)
		}
		term[shift].Set(r[len(r)-1])
		r = r.times(intPoly{lead}).plus(-1, term.times(d))
		q = q.times(intPoly{lead}).plus(1, term)
	}
	return q, r
}

// sepGCD is the greatest common divisor of two non-zero polynomials, up to a constant.
func sepGCD(p, q intPoly) intPoly {
	for len(q) > 0 {
		_, r := p.divide(q)
		if len(r) > 0 {
			r = r.primitive()
		}
		p, q = q, r
	}
	return p
}

// signAt is the sign of p(x).
func (p intPoly) signAt(x sepDyadic) int {
	s, w := new(big.Int), new(big.Int)
	for i := len(p) - 1; i >= 0; i-- { // s = 2^(k m) times the value of the m+1 leading terms
		s.Mul(s, x.n)
		s.Add(s, w.Lsh(p[i], x.k*uint(len(p)-1-i)))
	}
	return s.Sign()
}

// bernstein writes a positive multiple of p in the Bernstein basis of [lo, hi]; p must not be zero.
func (p intPoly) bernstein(lo, hi sepDyadic) []*big.Int {
	a, b, k := aligned(lo, hi)
	line := intPoly{a, b.Sub(b, a)} // 2^k t = a + (b - a) s
	var s intPoly
	for i := len(p) - 1; i >= 0; i-- {
		s = s.times(line).plus(1, intPoly{new(big.Int).Lsh(p[i], k*uint(len(p)-1-i))})
	}
	for len(s) < len(p) {
		s = append(s, new(big.Int))
	}
	n := len(p) - 1
	multiple := new(big.Int).MulRange(1, int64(n)) // n! = C(n,i) i! (n-i)!, a multiple of every C(n,i)
	c := make([]*big.Int, n+1)
	for j := range c { // c_j = n! sum_i C(j,i)/C(n,i) s_i
		c[j] = new(big.Int)
		for i := 0; i <= j; i++ {
			w := new(big.Int).Binomial(int64(j), int64(i))
			w.Mul(w, new(big.Int).Quo(multiple, new(big.Int).Binomial(int64(n), int64(i))))
			c[j].Add(c[j], w.Mul(w, s[i]))
		}
	}
	return c
}

// variations counts the changes of sign and returns the first sign that is not zero. By Descartes'
// rule the number of roots in the open interval is at most the variations of the Bernstein
// coefficients, and of the same parity.
func variations(c []*big.Int) (changes, sign int) {
	last := 0
	for _, x := range c {
		s := x.Sign()
		if s == 0 {
			continue
		}
		if sign == 0 {
			sign = s
		} else if s != last {
			changes++
		}
		last = s
	}
	return changes, sign
}

// sepRoot is one root of the squarefree polynomial p: the only one in the open interval (lo, hi),
// where p has the sign s to the left of it; or lo itself when lo equals hi.
type sepRoot struct {
	p      intPoly
	lo, hi sepDyadic
	s      int
}

func (r *sepRoot) exact() bool { return r.s == 0 }

// exactRoot is the number x as a root.
func exactRoot(x sepDyadic) *sepRoot { return &sepRoot{lo: x, hi: x} }

// rootsOf lists the different roots of a non-zero p in [0,1], ascending.
func rootsOf(p intPoly) (list []*sepRoot) {
	if len(p) < 2 {
		return nil
	}
	if g := sepGCD(p, p.derivative()); len(g) > 1 {
		p, _ = p.divide(g)
	}
	p = p.primitive()
	zero, one := sepDyadicOf(0), sepDyadicOf(1)
	if p.signAt(zero) == 0 {
		list = append(list, exactRoot(zero))
	}
	list = sepIsolate(p, zero, one, list)
	if p.signAt(one) == 0 {
		list = append(list, exactRoot(one))
	}
	return list
}

// sepIsolate appends the roots of the squarefree p in the open interval (lo, hi). It ends: near a
// point that is no root, and near a simple root, all small enough intervals have at most one
// variation.
func sepIsolate(p intPoly, lo, hi sepDyadic, list []*sepRoot) []*sepRoot {
	v, s := variations(p.bernstein(lo, hi))
	switch v {
	case 0:
		return list
	case 1:
		return append(list, &sepRoot{p, lo, hi, s})
	}
	m := midpoint(lo, hi)
	list = sepIsolate(p, lo, m, list)
	if p.signAt(m) == 0 {
		list = append(list, exactRoot(m))
	}
	return sepIsolate(p, m, hi, list)
}

// halve halves the isolating interval.
func (r *sepRoot) halve() {
	m := midpoint(r.lo, r.hi)
	switch r.p.signAt(m) {
	case 0:
		*r = *exactRoot(m)
	case r.s:
		r.lo = m
	default:
		r.hi = m
	}
}

// sign is the sign of q at the root. Doubling the number of bits for each look keeps far fewer
// looks than bits.
func (r *sepRoot) sign(q intPoly) int {
	if len(q) == 0 {
		return 0
	}
	for i := 0; !r.exact(); i++ {
		c := q.bernstein(r.lo, r.hi)
		if v, s := variations(c); v == 0 && c[0].Sign() != 0 && c[len(c)-1].Sign() != 0 {
			return s
		}
		if i == 2 && common(r.p, q, r.lo, r.hi) {
			return 0
		}
		for range 1 << i {
			if !r.exact() {
				r.halve()
			}
		}
	}
	return q.signAt(r.lo)
}

// common reports whether the squarefree p and q have a root in common between lo and hi, where p
// has one at most.
func common(p, q intPoly, lo, hi sepDyadic) bool {
	g := sepGCD(p, q)
	if len(g) < 2 {
		return false
	}
	v, _ := variations(g.bernstein(lo, hi))
	return v%2 == 1
}

// sepCompare orders two roots.
func sepCompare(a, b *sepRoot) int {
	for i := 0; ; i++ {
		switch {
		case a.exact() && b.exact():
			return a.lo.cmp(b.lo)
		case a.hi.cmp(b.lo) <= 0:
			return -1
		case b.hi.cmp(a.lo) <= 0:
			return 1
		case a.exact() && b.p.signAt(a.lo) == 0, b.exact() && a.p.signAt(b.lo) == 0:
			return 0
		}
		if i == 4 && !a.exact() && !b.exact() {
			// A root in common within both intervals is the one root of either.
			lo, hi := a.lo, a.hi
			if b.lo.cmp(lo) > 0 {
				lo = b.lo
			}
			if b.hi.cmp(hi) < 0 {
				hi = b.hi
			}
			if common(a.p, b.p, lo, hi) {
				return 0
			}
		}
		if !a.exact() {
			a.halve()
		}
		if !b.exact() {
			b.halve()
		}
	}
}

// floor is the largest double not above the root, and the smallest not below it.
func (r *sepRoot) floor() (lo, hi float64) {
	lo = r.lo.floor()
	if r.exact() {
		if sepDyadicOf(lo).cmp(r.lo) == 0 {
			return lo, lo
		}
		return lo, math.Nextafter(lo, 2)
	}
	hi = r.hi.floor()
	if sepDyadicOf(hi).cmp(r.hi) < 0 {
		hi = math.Nextafter(hi, 2)
	}
	// Every double between lo and hi lies inside the isolating interval; positive doubles are
	// ordered as their bits.
	a, b := math.Float64bits(lo), math.Float64bits(hi)
	for b-a > 1 {
		m := a + (b-a)/2
		x := math.Float64frombits(m)
		switch r.p.signAt(sepDyadicOf(x)) {
		case 0:
			return x, x
		case r.s:
			a = m
		default:
			b = m
		}
	}
	return math.Float64frombits(a), math.Float64frombits(b)
}
