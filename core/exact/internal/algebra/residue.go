package algebra

import "math/bits"

// Whether two polynomials with integer coefficients have a root in common is tested modulo a prime
// first. If they have, so have their residues, unless both lose their leading coefficients: their
// resultant is zero. So residues without a common factor are a proof, which takes a pass over the
// words; a common factor of the residues proves nothing, and is looked for in integers.

// prime is the modulus. 2^64 = 8 modulo it, so a word more costs a shift and an addition.
const prime = 1<<61 - 1

// reduced returns x modulo the prime, for x < 2^63.
func reduced(x uint64) uint64 {
	x = x&prime + x>>61
	if x >= prime {
		x -= prime
	}
	return x
}

// residue returns x modulo the prime.
func (x Int) residue() (r uint64) {
	for i := len(x.Mag) - 1; i >= 0; i-- {
		m := x.Mag[i]
		r = reduced(r<<3&prime + r>>58 + m&prime + m>>61)
	}
	if x.neg && r != 0 {
		r = prime - r
	}
	return r
}

func timesModulo(x, y uint64) uint64 {
	h, l := bits.Mul64(x, y)
	return reduced(l&prime + (h<<3 | l>>61))
}

// residues are those of the coefficients of a polynomial, the last of them not zero.
type residues struct {
	c [4]uint64
	n int
}

// remainder returns a multiple of that of p by q, not by zero.
func (p residues) remainder(q *residues) residues {
	for p.n >= q.n {
		k := p.n - q.n
		lead, top := q.c[q.n-1], prime-p.c[p.n-1]
		p.n--
		for i := range p.n {
			p.c[i] = timesModulo(p.c[i], lead)
			if i >= k {
				p.c[i] = reduced(p.c[i] + timesModulo(q.c[i-k], top))
			}
		}
		for p.n > 0 && p.c[p.n-1] == 0 {
			p.n--
		}
	}
	return p
}

// coprime reports whether p and q have no root in common for certain.
func coprime(p, q *Poly) bool {
	if p.N == 0 || q.N == 0 {
		return false
	}
	x, y := residues{n: p.N}, residues{n: q.N}
	for i := range p.N {
		x.c[i] = p.C[i].residue()
	}
	for i := range q.N {
		y.c[i] = q.C[i].residue()
	}
	if x.c[x.n-1] == 0 || y.c[y.n-1] == 0 {
		return false
	}
	for y.n > 0 {
		x, y = y, x.remainder(&y)
	}
	return x.n == 1
}
