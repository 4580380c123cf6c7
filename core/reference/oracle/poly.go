package oracle

import (
	"math"
	"math/big"
)

// poly is a polynomial in t with integer coefficients, lowest degree first, without leading zeros;
// nil is zero.
type poly []*big.Int

func trim(p poly) poly {
	for len(p) > 0 && p[len(p)-1].Sign() == 0 {
		p = p[:len(p)-1]
	}
	return p
}

func (p poly) at(i int) *big.Int {
	if i < len(p) {
		return p[i]
	}
	return new(big.Int)
}

func (p poly) plus(q poly) poly {
	r := make(poly, max(len(p), len(q)))
	for i := range r {
		r[i] = new(big.Int).Add(p.at(i), q.at(i))
	}
	return trim(r)
}

func (p poly) minus(q poly) poly {
	r := make(poly, max(len(p), len(q)))
	for i := range r {
		r[i] = new(big.Int).Sub(p.at(i), q.at(i))
	}
	return trim(r)
}

func (p poly) times(q poly) poly {
	if len(p) == 0 || len(q) == 0 {
		return nil
	}
	r := make(poly, len(p)+len(q)-1)
	for i := range r {
		r[i] = new(big.Int)
	}
	x := new(big.Int)
	for i := range p {
		for j := range q {
			r[i+j].Add(r[i+j], x.Mul(p[i], q[j]))
		}
	}
	return trim(r)
}

func (p poly) derivative() poly {
	if len(p) < 2 {
		return nil
	}
	r := make(poly, len(p)-1)
	for i := range r {
		r[i] = new(big.Int).Mul(p[i+1], big.NewInt(int64(i+1)))
	}
	return r
}

// primitive divides p by the greatest common divisor of its coefficients: the same roots and signs.
func (p poly) primitive() poly {
	g := new(big.Int)
	for _, c := range p {
		g.GCD(nil, nil, g, new(big.Int).Abs(c))
	}
	r := make(poly, len(p))
	for i, c := range p {
		r[i] = new(big.Int).Quo(c, g)
	}
	return r
}

// remainder is m p - s q for some integer m > 0 and some polynomial s, of lower degree than q: a
// positive multiple of the remainder of p by q.
func remainder(p, q poly) poly {
	n := len(q) - 1
	lead := new(big.Int).Abs(q[n])
	for len(p) > n {
		k := len(p) - 1 - n
		r := make(poly, len(p))
		c := p[len(p)-1]
		if q[n].Sign() < 0 {
			c = new(big.Int).Neg(c)
		}
		for i := range r {
			r[i] = new(big.Int).Mul(p[i], lead)
			if i >= k {
				r[i].Sub(r[i], new(big.Int).Mul(q[i-k], c))
			}
		}
		p = trim(r)
	}
	return p
}

// gcd holds the common roots of p and q, of which at most one is zero.
func gcd(p, q poly) poly {
	for len(q) > 0 {
		p, q = q, remainder(p, q).primitiveOrNil()
	}
	return p
}

func (p poly) primitiveOrNil() poly {
	if len(p) == 0 {
		return nil
	}
	return p.primitive()
}

// squarefree has the roots of p, each once.
func (p poly) squarefree() poly {
	g := gcd(p, p.derivative())
	if len(g) <= 1 {
		return p.primitive()
	}
	// Exact division over the rationals, kept over the integers: scale p so that every step
	// divides.
	n := len(g) - 1
	scale := new(big.Int).Exp(g[n], big.NewInt(int64(len(p)-n)), nil)
	rest := make(poly, len(p))
	for i := range p {
		rest[i] = new(big.Int).Mul(p[i], scale)
	}
	quo := make(poly, len(p)-n)
	for k := len(quo) - 1; k >= 0; k-- {
		quo[k] = new(big.Int).Quo(rest[k+n], g[n])
		for i := range g {
			rest[k+i].Sub(rest[k+i], new(big.Int).Mul(quo[k], g[i]))
		}
	}
	return quo.primitive()
}

// dyadic is the number n / 2^k.
type dyadic struct {
	n *big.Int
	k uint
}

func dyadicOf(x float64) dyadic {
	f, e := math.Frexp(x)
	n := big.NewInt(int64(math.Ldexp(f, 53)))
	if e -= 53; e > 0 {
		return dyadic{n.Lsh(n, uint(e)), 0}
	}
	return dyadic{n, uint(-e)}
}

func (x dyadic) cmp(y dyadic) int {
	a, b := new(big.Int).Lsh(x.n, y.k), new(big.Int).Lsh(y.n, x.k)
	return a.Cmp(b)
}

func (x dyadic) mid(y dyadic) dyadic {
	a, b := new(big.Int).Lsh(x.n, y.k), new(big.Int).Lsh(y.n, x.k)
	return dyadic{a.Add(a, b), x.k + y.k + 1}.reduce()
}

func (x dyadic) reduce() dyadic {
	if x.n.Sign() == 0 {
		return dyadic{x.n, 0}
	}
	z := min(x.n.TrailingZeroBits(), x.k)
	return dyadic{new(big.Int).Rsh(x.n, z), x.k - z}
}

func (x dyadic) rat() *big.Rat {
	return new(big.Rat).SetFrac(x.n, new(big.Int).Lsh(big.NewInt(1), x.k))
}

// eval is p(x) 2^(k deg p), which has the sign of p(x).
func (p poly) eval(x dyadic) *big.Int {
	r := new(big.Int)
	for i := len(p) - 1; i >= 0; i-- {
		r.Mul(r, x.n)
		r.Add(r, new(big.Int).Lsh(p[i], x.k*uint(len(p)-1-i)))
	}
	return r
}

func (p poly) sign(x dyadic) int { return p.eval(x).Sign() }

// sturm is the chain p, p', and the negated remainders of each two before.
func (p poly) sturm() []poly {
	chain := []poly{p}
	for q := p.derivative(); len(q) > 0; {
		chain = append(chain, q)
		r := remainder(chain[len(chain)-2], q).primitiveOrNil()
		q = poly(nil).minus(r)
	}
	return chain
}

// count is the number of roots in (lo, hi] of the square-free polynomial with this chain: Sturm's
// theorem.
func count(chain []poly, lo, hi dyadic) int {
	variations := func(x dyadic) (v int) {
		last := 0
		for _, p := range chain {
			s := p.sign(x)
			if s != 0 && s == -last {
				v++
			}
			if s != 0 {
				last = s
			}
		}
		return v
	}
	return variations(lo) - variations(hi)
}
