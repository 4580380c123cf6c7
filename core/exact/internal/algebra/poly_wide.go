package algebra

import "math"

// Poly is a polynomial in t of degree below 4. The first N of C are its coefficients, lowest degree
// first, the last of them not zero.
type Poly struct {
	C [4]Int
	N int
}

// Trimmed leaves out leading zeros.
func (p Poly) Trimmed() Poly {
	for p.N > 0 && len(p.C[p.N-1].Mag) == 0 {
		p.N--
	}
	return p
}

// PolyAdd returns p + q.
func (a *Arena) PolyAdd(p, q *Poly) (r Poly) {
	r.N = max(p.N, q.N)
	for i := range r.N {
		switch {
		case i >= p.N:
			r.C[i] = q.C[i]
		case i >= q.N:
			r.C[i] = p.C[i]
		default:
			r.C[i] = a.Add(p.C[i], q.C[i])
		}
	}
	return r.Trimmed()
}

// Negated returns -p.
func (p *Poly) Negated() (r Poly) {
	r.N = p.N
	for i := range p.N {
		r.C[i] = p.C[i].negated()
	}
	return r
}

// PolySub returns p - q.
func (a *Arena) PolySub(p, q *Poly) Poly {
	m := q.Negated()
	return a.PolyAdd(p, &m)
}

// PolyMul returns p q.
func (a *Arena) PolyMul(p, q *Poly) (r Poly) {
	if p.N == 0 || q.N == 0 {
		return r
	}
	r.N = p.N + q.N - 1
	for i := range p.N {
		for j := range q.N {
			r.C[i+j] = a.Add(r.C[i+j], a.mul(p.C[i], q.C[j]))
		}
	}
	return r.Trimmed()
}

// Dyadic is the number m / 2^s, m >= 0.
type Dyadic struct {
	m Int
	S uint
}

// Dyadic converts a double in [0, 1].
func (a *Arena) Dyadic(x float64) Dyadic {
	m, e := Mantissa(x)
	if e > 0 {
		return Dyadic{a.Shl(a.Word(false, uint64(m)), uint(e)), 0}
	}
	return Dyadic{a.Word(false, uint64(m)), uint(-e)}
}

// Eval returns p(x) 2^(s (n-1)).
func (a *Arena) Eval(p *Poly, x Dyadic) Int {
	if p.N == 0 {
		return Int{}
	}
	if len(x.m.Mag) == 0 {
		return a.Shl(p.C[0], x.S*uint(p.N-1))
	}
	r := p.C[p.N-1]
	for i := p.N - 2; i >= 0; i-- {
		r = a.Add(a.mul(r, x.m), a.Shl(p.C[i], x.S*uint(p.N-1-i)))
	}
	return r
}

// EvalSign returns the sign of p(x).
func (a *Arena) EvalSign(p *Poly, x Dyadic) int {
	m := a.Mark()
	s := a.Eval(p, x).Sign()
	a.Release(m)
	return s
}

// Align brings two dyadic numbers to one denominator.
func (a *Arena) Align(x, y Dyadic) (Int, Int, uint) {
	s := max(x.S, y.S)
	return a.Shl(x.m, s-x.S), a.Shl(y.m, s-y.S), s
}

// Middle returns the number halfway between x and y.
func (a *Arena) Middle(x, y Dyadic) Dyadic {
	l, h, s := a.Align(x, y)
	return Dyadic{a.Add(l, h), s + 1}
}

// Variations counts the sign changes of the Bernstein coefficients of p on [lo, hi], and gives the
// sign of all of them when there is none and not all vanish. (By Descartes' rule in Bernstein form,
// p then has that sign inside the interval; one change means one root there.)
func (a *Arena) Variations(p *Poly, lo, hi Dyadic) (changes, sign int) {
	mk := a.Mark()
	defer a.Release(mk)
	l, h, s := a.Align(lo, hi)
	var b [4]int
	b[0] = a.Eval(p, Dyadic{l, s}).Sign()
	b[3] = a.Eval(p, Dyadic{h, s}).Sign()
	switch p.N { // the middle coefficients are polar forms
	case 3: // c0 + c1 (lo + hi)/2 + c2 lo hi
		x := a.mul(p.C[2], a.Shl(a.mul(l, h), 1))
		x = a.Add(x, a.Shl(a.mul(p.C[1], a.Add(l, h)), s))
		b[1] = a.Add(x, a.Shl(p.C[0], 2*s+1)).Sign()
	case 4:
		b[1], b[2] = a.polar(p, l, h, s).Sign(), a.polar(p, h, l, s).Sign()
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

// polar returns 3 2^3s times the polar form of the cubic p at (x, x, y) / 2^s: c0 + c1 (2x + y)/3 +
// c2 (x^2 + 2xy)/3 + c3 x^2 y.
func (a *Arena) polar(p *Poly, x, y Int, s uint) Int {
	square, product := a.mul(x, x), a.mul(x, y)
	r := a.times(3, a.mul(p.C[3], a.mul(square, y)))
	r = a.Add(r, a.Shl(a.mul(p.C[2], a.Add(square, a.Shl(product, 1))), s))
	r = a.Add(r, a.Shl(a.mul(p.C[1], a.Add(a.Shl(x, 1), y)), 2*s))
	return a.Add(r, a.Shl(a.times(3, p.C[0]), 3*s))
}

// remainder returns a positive or negative multiple of the remainder of p by q.
func (a *Arena) remainder(p, q Poly) Poly {
	for p.N >= q.N {
		k := p.N - q.N
		lead, top := q.C[q.N-1], p.C[p.N-1]
		var r Poly
		r.N = p.N - 1
		for i := range r.N {
			r.C[i] = a.mul(p.C[i], lead)
			if i >= k {
				r.C[i] = a.Sub(r.C[i], a.mul(q.C[i-k], top))
			}
		}
		p = r.Trimmed()
	}
	return p
}

// common returns the greatest common divisor of p and q up to a factor.
func (a *Arena) common(p, q Poly) Poly {
	for q.N > 0 {
		p, q = q, a.remainder(p, q)
	}
	return p
}

// simple returns a polynomial with the roots of p, each once. The roots that a cubic or a quadratic
// repeats are rational, and found without division: docs/proofs/exact.md, "Repeated roots".
func (a *Arena) simple(p Poly) Poly {
	c := &p.C
	if d := a.Derivative(&p); coprime(&p, &d) {
		return p
	}
	switch p.N {
	case 3: // the discriminant, and the derivative
		if a.Sub(a.mul(c[1], c[1]), a.Shl(a.mul(c[0], c[2]), 2)).Sign() == 0 {
			return Poly{C: [4]Int{c[1], a.Shl(c[2], 1)}, N: 2}
		}
	case 4: // the Hessian h0 + h1 t + h2 t^2: a square when p has a double root, zero when it has a triple one
		h2 := a.Sub(a.mul(c[2], c[2]), a.times(3, a.mul(c[1], c[3])))
		h1 := a.Sub(a.mul(c[1], c[2]), a.times(9, a.mul(c[0], c[3])))
		h0 := a.Sub(a.mul(c[1], c[1]), a.times(3, a.mul(c[0], c[2])))
		if a.Sub(a.mul(h1, h1), a.Shl(a.mul(h0, h2), 2)).Sign() != 0 {
			return p
		}
		if h2.Sign() == 0 {
			return Poly{C: [4]Int{c[2], a.times(3, c[3])}, N: 2}
		}
		twice := Poly{C: [4]Int{h1, a.Shl(h2, 1)}, N: 2}
		once := Poly{C: [4]Int{a.Sub(a.mul(c[2], h2), a.mul(h1, c[3])), a.mul(c[3], h2)}, N: 2}
		return a.PolyMul(&twice, &once)
	}
	return p
}

// floats returns the coefficients rounded and scaled by a common power of two: for guesses only.
func (p *Poly) floats() (f [4]float64) {
	top := math.MinInt32
	for i := range p.N {
		if p.C[i].Sign() != 0 {
			top = max(top, p.C[i].bitLen())
		}
	}
	for i := range p.N {
		m, e := p.C[i].frexp()
		f[i] = math.Ldexp(m, e-top)
	}
	return f
}

// Derivative returns the derivative of p.
func (a *Arena) Derivative(p *Poly) (d Poly) {
	d.N = max(p.N-1, 0)
	for i := range d.N {
		d.C[i] = a.times(uint64(i+1), p.C[i+1])
	}
	return d
}
