package exact

import (
	"math/big"
)

// Polynomials in t with integer coefficients of any width, their values at dyadic times, and vectors of them.

// bigDyadic is the number m / 2^s.
type bigDyadic struct {
	m *big.Int
	s uint
}

// bigDyadicOf is a double of [0, 1].
func bigDyadicOf(x float64) bigDyadic {
	m, e := mantissa(x)
	return bigDyadic{big.NewInt(m), uint(-e)}
}

// aligned brings two numbers to one denominator.
func (x bigDyadic) aligned(y bigDyadic) (a, b *big.Int, s uint) {
	s = max(x.s, y.s)
	return new(big.Int).Lsh(x.m, s-x.s), new(big.Int).Lsh(y.m, s-y.s), s
}

func (x bigDyadic) compare(y bigDyadic) int {
	a, b, _ := x.aligned(y)
	return a.Cmp(b)
}

func (x bigDyadic) middle(y bigDyadic) bigDyadic {
	a, b, s := x.aligned(y)
	return bigDyadic{a.Add(a, b), s + 1}
}

// bigPoly is a polynomial in t with integer coefficients, lowest degree first, the last not zero; the zero polynomial is empty.
type bigPoly []*big.Int

func (p bigPoly) trimmed() bigPoly {
	for len(p) > 0 && p[len(p)-1].Sign() == 0 {
		p = p[:len(p)-1]
	}
	return p
}

func (p bigPoly) negated() bigPoly { return bigPoly(nil).minus(p) }

func (p bigPoly) plus(q bigPoly) bigPoly { return p.combined(q, (*big.Int).Add) }

func (p bigPoly) minus(q bigPoly) bigPoly { return p.combined(q, (*big.Int).Sub) }

func (p bigPoly) combined(q bigPoly, op func(z, x, y *big.Int) *big.Int) bigPoly {
	var zero big.Int
	r := make(bigPoly, max(len(p), len(q)))
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
	return r.trimmed()
}

func (p bigPoly) times(q bigPoly) bigPoly {
	if len(p) == 0 || len(q) == 0 {
		return nil
	}
	words := make([]big.Int, len(p)+len(q)-1)
	r := make(bigPoly, len(words))
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

func (p bigPoly) derivative() bigPoly {
	if len(p) < 2 {
		return nil
	}
	r := make(bigPoly, len(p)-1)
	for i := range r {
		r[i] = new(big.Int).Mul(p[i+1], big.NewInt(int64(i+1)))
	}
	return r
}

// sign is that of p(x).
func (p bigPoly) sign(x bigDyadic) int {
	var s, w big.Int
	for i := len(p) - 1; i >= 0; i-- { // s is 2^(x.s times the degree) times the value of the leading terms
		s.Mul(&s, x.m)
		s.Add(&s, w.Lsh(p[i], x.s*uint(len(p)-1-i)))
	}
	return s.Sign()
}

// remainder is that of p by q, up to a factor.
func (p bigPoly) remainder(q bigPoly) bigPoly {
	var x, y big.Int
	lead := q[len(q)-1]
	for len(p) >= len(q) {
		top, k := p[len(p)-1], len(p)-len(q)
		r := make(bigPoly, len(p)-1)
		for i := range r {
			r[i] = new(big.Int).Mul(p[i], lead)
			if i >= k {
				r[i].Sub(r[i], x.Mul(q[i-k], top))
			}
		}
		p = r.trimmed()
	}
	var g big.Int // of the coefficients
	for _, c := range p {
		if g.GCD(nil, nil, &g, y.Abs(c)); g.IsInt64() && g.Int64() == 1 {
			return p
		}
	}
	r := make(bigPoly, len(p))
	for i := range p {
		r[i] = new(big.Int).Quo(p[i], &g)
	}
	return r
}

// common is a greatest common divisor of p and q over the rationals, neither of them zero.
func (p bigPoly) common(q bigPoly) bigPoly {
	if p.coprime(q) {
		return bigPoly{big.NewInt(1)}
	}
	for len(q) > 0 {
		p, q = q, p.remainder(q)
	}
	return p
}

// coprime reports whether p and q have no root in common for certain, by their residues: see residue.go.
func (p bigPoly) coprime(q bigPoly) bool {
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

func (p bigPoly) residues() []uint64 {
	var r, m big.Int
	m.SetUint64(prime)
	list := make([]uint64, len(p))
	for i, c := range p {
		list[i] = r.Mod(c, &m).Uint64()
	}
	return list
}

// simple has the roots of p, each once.
func (p bigPoly) simple() bigPoly {
	d := p.derivative()
	if len(d) == 0 {
		return p
	}
	g := p.common(d)
	if len(g) < 2 {
		return p
	}
	// p / g, by division that leaves no remainder once p is multiplied by enough powers of g's leading coefficient.
	lead := g[len(g)-1]
	rest := make(bigPoly, len(p))
	factor := new(big.Int).Exp(lead, big.NewInt(int64(len(p)-len(g)+1)), nil)
	for i := range p {
		rest[i] = new(big.Int).Mul(p[i], factor)
	}
	quotient := make(bigPoly, len(p)-len(g)+1)
	var x big.Int
	for k := len(quotient) - 1; k >= 0; k-- {
		quotient[k] = new(big.Int).Quo(rest[k+len(g)-1], lead)
		for i := range g {
			rest[k+i].Sub(rest[k+i], x.Mul(quotient[k], g[i]))
		}
	}
	return quotient
}

// bigVector is a vector of polynomials.
type bigVector [3]bigPoly

func (a *bigVector) dot(b *bigVector) bigPoly {
	return a[0].times(b[0]).plus(a[1].times(b[1])).plus(a[2].times(b[2]))
}

func (a *bigVector) cross(b *bigVector) (r bigVector) {
	for k := range r {
		i, j := (k+1)%3, (k+2)%3
		r[k] = a[i].times(b[j]).minus(a[j].times(b[i]))
	}
	return r
}
