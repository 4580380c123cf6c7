package algebra

import (
	"math/big"
)

// Polynomials in t with integer coefficients of any width, their values at dyadic times, and
// vectors of them.

// BigDyadic is the number m / 2^s.
type BigDyadic struct {
	m *big.Int
	s uint
}

// BigDyadicOf converts a double in [0, 1].
func BigDyadicOf(x float64) BigDyadic {
	m, e := Mantissa(x)
	return BigDyadic{big.NewInt(m), uint(-e)}
}

// Aligned brings two numbers to one denominator.
func (x BigDyadic) Aligned(y BigDyadic) (a, b *big.Int, s uint) {
	s = max(x.s, y.s)
	return new(big.Int).Lsh(x.m, s-x.s), new(big.Int).Lsh(y.m, s-y.s), s
}

func (x BigDyadic) compare(y BigDyadic) int {
	a, b, _ := x.Aligned(y)
	return a.Cmp(b)
}

// Middle returns the number halfway between two others.
func (x BigDyadic) Middle(y BigDyadic) BigDyadic {
	a, b, s := x.Aligned(y)
	return BigDyadic{a.Add(a, b), s + 1}
}

// BigPoly is a polynomial in t with integer coefficients, lowest degree first, the last not zero;
// the zero polynomial is empty.
type BigPoly []*big.Int

// Trimmed leaves out leading zeros.
func (p BigPoly) Trimmed() BigPoly {
	for len(p) > 0 && p[len(p)-1].Sign() == 0 {
		p = p[:len(p)-1]
	}
	return p
}

// Negated returns -p.
func (p BigPoly) Negated() BigPoly { return BigPoly(nil).Minus(p) }

// Plus returns p + q.
func (p BigPoly) Plus(q BigPoly) BigPoly { return p.combined(q, (*big.Int).Add) }

// Minus returns p - q.
func (p BigPoly) Minus(q BigPoly) BigPoly { return p.combined(q, (*big.Int).Sub) }

// combined applies an operation to the coefficients of p and q, degree by degree.
func (p BigPoly) combined(q BigPoly, op func(z, x, y *big.Int) *big.Int) BigPoly {
	var zero big.Int
	r := make(BigPoly, max(len(p), len(q)))
	for i := range r {
		x, y := &zero, &zero
		if i < len(p) {
			x = p[i]
		}
		if i < len(q) {
			y = q[i]
		}
		r[i] = op(new(big.Int), x, y)
	}
	return r.Trimmed()
}

// Times returns p q.
func (p BigPoly) Times(q BigPoly) BigPoly {
	if len(p) == 0 || len(q) == 0 {
		return nil
	}
	words := make([]big.Int, len(p)+len(q)-1)
	r := make(BigPoly, len(words))
	for i := range r {
		r[i] = &words[i]
	}
	var x big.Int
	for i := range p {
		for j := range q {
			r[i+j].Add(r[i+j], x.Mul(p[i], q[j]))
		}
	}
	return r
}

func (p BigPoly) derivative() BigPoly {
	if len(p) < 2 {
		return nil
	}
	r := make(BigPoly, len(p)-1)
	for i := range r {
		r[i] = new(big.Int).Mul(p[i+1], big.NewInt(int64(i+1)))
	}
	return r
}

// Sign returns the sign of p(x).
func (p BigPoly) Sign(x BigDyadic) int {
	var s, w big.Int
	for i := len(p) - 1; i >= 0; i-- { // s is 2^(x.s times the degree) times the value of the leading terms
		s.Mul(&s, x.m)
		s.Add(&s, w.Lsh(p[i], x.s*uint(len(p)-1-i)))
	}
	return s.Sign()
}

// remainder returns the remainder of p by q, up to a factor.
func (p BigPoly) remainder(q BigPoly) BigPoly {
	var x, y big.Int
	lead := q[len(q)-1]
	for len(p) >= len(q) {
		top, k := p[len(p)-1], len(p)-len(q)
		r := make(BigPoly, len(p)-1)
		for i := range r {
			r[i] = new(big.Int).Mul(p[i], lead)
			if i >= k {
				r[i].Sub(r[i], x.Mul(q[i-k], top))
			}
		}
		p = r.Trimmed()
	}
	var g big.Int // g is the greatest common divisor of the coefficients.
	for _, c := range p {
		if g.GCD(nil, nil, &g, y.Abs(c)); g.IsInt64() && g.Int64() == 1 {
			return p
		}
	}
	r := make(BigPoly, len(p))
	for i := range p {
		r[i] = new(big.Int).Quo(p[i], &g)
	}
	return r
}

// common returns a greatest common divisor of p and q over the rationals, neither of them zero.
func (p BigPoly) common(q BigPoly) BigPoly {
	if p.coprime(q) {
		return BigPoly{big.NewInt(1)}
	}
	for len(q) > 0 {
		p, q = q, p.remainder(q)
	}
	return p
}

// coprime reports whether p and q have no root in common for certain, by their residues: see
// residue.go.
func (p BigPoly) coprime(q BigPoly) bool {
	x, y := p.residues(), q.residues()
	if x[len(x)-1] == 0 || y[len(y)-1] == 0 {
		return false
	}
	for len(y) > 0 {
		for len(x) >= len(y) {
			k := len(x) - len(y)
			lead, top := y[len(y)-1], prime-x[len(x)-1]
			x = x[:len(x)-1]
			for i := range x {
				x[i] = timesModulo(x[i], lead)
				if i >= k {
					x[i] = reduced(x[i] + timesModulo(y[i-k], top))
				}
			}
			for len(x) > 0 && x[len(x)-1] == 0 {
				x = x[:len(x)-1]
			}
		}
		x, y = y, x
	}
	return len(x) == 1
}

func (p BigPoly) residues() []uint64 {
	var r, m big.Int
	m.SetUint64(prime)
	list := make([]uint64, len(p))
	for i, c := range p {
		list[i] = r.Mod(c, &m).Uint64()
	}
	return list
}

// Simple has the roots of p, each once.
func (p BigPoly) Simple() BigPoly {
	d := p.derivative()
	if len(d) == 0 {
		return p
	}
	g := p.common(d)
	if len(g) < 2 {
		return p
	}
	// p / g, by division that leaves no remainder once p is multiplied by enough powers of g's
	// leading coefficient.
	lead := g[len(g)-1]
	rest := make(BigPoly, len(p))
	factor := new(big.Int).Exp(lead, big.NewInt(int64(len(p)-len(g)+1)), nil)
	for i := range p {
		rest[i] = new(big.Int).Mul(p[i], factor)
	}
	quotient := make(BigPoly, len(p)-len(g)+1)
	var x big.Int
	for k := len(quotient) - 1; k >= 0; k-- {
		quotient[k] = new(big.Int).Quo(rest[k+len(g)-1], lead)
		for i := range g {
			rest[k+i].Sub(rest[k+i], x.Mul(quotient[k], g[i]))
		}
	}
	return quotient
}

// BigVector is a vector of polynomials.
type BigVector [3]BigPoly

// Dot returns the scalar product.
func (a *BigVector) Dot(b *BigVector) BigPoly {
	return a[0].Times(b[0]).Plus(a[1].Times(b[1])).Plus(a[2].Times(b[2]))
}

// Cross returns the vector product.
func (a *BigVector) Cross(b *BigVector) (r BigVector) {
	for k := range r {
		i, j := (k+1)%3, (k+2)%3
		r[k] = a[i].Times(b[j]).Minus(a[j].Times(b[i]))
	}
	return r
}

// Value returns p(x) 2^(x.s n), n at least the degree.
func (p BigPoly) Value(x BigDyadic, n int) *big.Int {
	s, w := new(big.Int), new(big.Int)
	for i := len(p) - 1; i >= 0; i-- {
		s.Mul(s, x.m)
		s.Add(s, w.Lsh(p[i], x.s*uint(len(p)-1-i)))
	}
	return s.Lsh(s, x.s*uint(n+1-max(len(p), 1)))
}

// Padded has zeros up to the degree n, which bernstein takes for coefficients.
func (p BigPoly) Padded(n int) BigPoly {
	for len(p) <= n {
		p = append(p[:len(p):len(p)], new(big.Int))
	}
	return p
}

// Divisor returns a greatest common divisor of the components: it vanishes where all of them do.
func (a *BigVector) Divisor() (g BigPoly) {
	for _, p := range a {
		switch {
		case len(p) == 0:
		case len(g) == 0:
			g = p
		default:
			g = g.common(p)
		}
	}
	return g
}
