package exact

import "math"

// wpoly is a polynomial in t of degree below 4; its first n coefficients, lowest degree first, the last of them not zero.
type wpoly struct {
	c [4]wint
	n int
}

func (p wpoly) trimmed() wpoly {
	for p.n > 0 && len(p.c[p.n-1].mag) == 0 {
		p.n--
	}
	return p
}

func (a *arena) polyAdd(p, q *wpoly) (r wpoly) {
	r.n = max(p.n, q.n)
	for i := range r.n {
		switch {
		case i >= p.n:
			r.c[i] = q.c[i]
		case i >= q.n:
			r.c[i] = p.c[i]
		default:
			r.c[i] = a.add(p.c[i], q.c[i])
		}
	}
	return r.trimmed()
}

func (p *wpoly) negated() (r wpoly) {
	r.n = p.n
	for i := range p.n {
		r.c[i] = p.c[i].negated()
	}
	return r
}

func (a *arena) polySub(p, q *wpoly) wpoly {
	m := q.negated()
	return a.polyAdd(p, &m)
}

func (a *arena) polyMul(p, q *wpoly) (r wpoly) {
	if p.n == 0 || q.n == 0 {
		return r
	}
	r.n = p.n + q.n - 1
	for i := range p.n {
		for j := range q.n {
			r.c[i+j] = a.add(r.c[i+j], a.mul(p.c[i], q.c[j]))
		}
	}
	return r.trimmed()
}

// wdyadic is the number m / 2^s, m >= 0.
type wdyadic struct {
	m wint
	s uint
}

func (a *arena) dyadic(x float64) wdyadic {
	m, e := mantissa(x)
	if e > 0 {
		return wdyadic{a.shl(a.word(false, uint64(m)), uint(e)), 0}
	}
	return wdyadic{a.word(false, uint64(m)), uint(-e)}
}

// eval is p(x) 2^(s (n-1)).
func (a *arena) eval(p *wpoly, x wdyadic) wint {
	if p.n == 0 {
		return wint{}
	}
	if len(x.m.mag) == 0 {
		return a.shl(p.c[0], x.s*uint(p.n-1))
	}
	r := p.c[p.n-1]
	for i := p.n - 2; i >= 0; i-- {
		r = a.add(a.mul(r, x.m), a.shl(p.c[i], x.s*uint(p.n-1-i)))
	}
	return r
}

func (a *arena) evalSign(p *wpoly, x wdyadic) int {
	m := a.mark()
	s := a.eval(p, x).sign()
	a.release(m)
	return s
}

// align brings two dyadic numbers to one denominator.
func (a *arena) align(x, y wdyadic) (wint, wint, uint) {
	s := max(x.s, y.s)
	return a.shl(x.m, s-x.s), a.shl(y.m, s-y.s), s
}

// variations counts the sign changes of the Bernstein coefficients of p on [lo, hi], and gives the
// sign of all of them when there is none and not all vanish. (By Descartes' rule in Bernstein form, p then has that sign
// inside the interval; one change means one root there.)
func (a *arena) variations(p *wpoly, lo, hi wdyadic) (changes, sign int) {
	mk := a.mark()
	defer a.release(mk)
	l, h, s := a.align(lo, hi)
	var b [4]int
	b[0] = a.eval(p, wdyadic{l, s}).sign()
	b[3] = a.eval(p, wdyadic{h, s}).sign()
	switch p.n { // the middle coefficients are polar forms
	case 3: // c0 + c1 (lo + hi)/2 + c2 lo hi
		x := a.mul(p.c[2], a.shl(a.mul(l, h), 1))
		x = a.add(x, a.shl(a.mul(p.c[1], a.add(l, h)), s))
		b[1] = a.add(x, a.shl(p.c[0], 2*s+1)).sign()
	case 4:
		b[1], b[2] = a.polar(p, l, h, s).sign(), a.polar(p, h, l, s).sign()
	}
	for _, x := range b {
		if x != 0 && x == -sign {
			changes++
		}
		if x != 0 {
			sign = x
		}
	}
	return changes, sign
}

// polar is 3 2^3s times the polar form of the cubic p at (x, x, y) / 2^s: c0 + c1 (2x + y)/3 + c2 (x^2 + 2xy)/3 + c3 x^2 y.
func (a *arena) polar(p *wpoly, x, y wint, s uint) wint {
	square, product := a.mul(x, x), a.mul(x, y)
	r := a.times(3, a.mul(p.c[3], a.mul(square, y)))
	r = a.add(r, a.shl(a.mul(p.c[2], a.add(square, a.shl(product, 1))), s))
	r = a.add(r, a.shl(a.mul(p.c[1], a.add(a.shl(x, 1), y)), 2*s))
	return a.add(r, a.shl(a.times(3, p.c[0]), 3*s))
}

// remainder is a positive or negative multiple of the remainder of p by q.
func (a *arena) remainder(p, q wpoly) wpoly {
	for p.n >= q.n {
		k := p.n - q.n
		lead, top := q.c[q.n-1], p.c[p.n-1]
		var r wpoly
		r.n = p.n - 1
		for i := range r.n {
			r.c[i] = a.mul(p.c[i], lead)
			if i >= k {
				r.c[i] = a.sub(r.c[i], a.mul(q.c[i-k], top))
			}
		}
		p = r.trimmed()
	}
	return p
}

// common is the greatest common divisor of p and q up to a factor.
func (a *arena) common(p, q wpoly) wpoly {
	for q.n > 0 {
		p, q = q, a.remainder(p, q)
	}
	return p
}

// simple gives a polynomial with the roots of p, each once. The roots that a cubic or a quadratic repeats are rational, and
// found without division: docs/proofs/exact.md, "Repeated roots".
func (a *arena) simple(p wpoly) wpoly {
	c := &p.c
	if d := a.derivative(&p); coprime(&p, &d) {
		return p
	}
	switch p.n {
	case 3: // the discriminant, and the derivative
		if a.sub(a.mul(c[1], c[1]), a.shl(a.mul(c[0], c[2]), 2)).sign() == 0 {
			return wpoly{c: [4]wint{c[1], a.shl(c[2], 1)}, n: 2}
		}
	case 4: // the Hessian h0 + h1 t + h2 t^2: a square when p has a double root, zero when it has a triple one
		h2 := a.sub(a.mul(c[2], c[2]), a.times(3, a.mul(c[1], c[3])))
		h1 := a.sub(a.mul(c[1], c[2]), a.times(9, a.mul(c[0], c[3])))
		h0 := a.sub(a.mul(c[1], c[1]), a.times(3, a.mul(c[0], c[2])))
		if a.sub(a.mul(h1, h1), a.shl(a.mul(h0, h2), 2)).sign() != 0 {
			return p
		}
		if h2.sign() == 0 {
			return wpoly{c: [4]wint{c[2], a.times(3, c[3])}, n: 2}
		}
		twice := wpoly{c: [4]wint{h1, a.shl(h2, 1)}, n: 2}
		once := wpoly{c: [4]wint{a.sub(a.mul(c[2], h2), a.mul(h1, c[3])), a.mul(c[3], h2)}, n: 2}
		return a.polyMul(&twice, &once)
	}
	return p
}

// floats gives the coefficients rounded and scaled by a common power of two: for guesses only.
func (p *wpoly) floats() (f [4]float64) {
	top := math.MinInt32
	for i := range p.n {
		if p.c[i].sign() != 0 {
			top = max(top, p.c[i].bitLen())
		}
	}
	for i := range p.n {
		m, e := p.c[i].frexp()
		f[i] = math.Ldexp(m, e-top)
	}
	return f
}

// derivative is that of p.
func (a *arena) derivative(p *wpoly) (d wpoly) {
	d.n = max(p.n-1, 0)
	for i := range d.n {
		d.c[i] = a.times(uint64(i+1), p.c[i+1])
	}
	return d
}
