package clearance

import (
	"math"

	"ccd/core/exact/internal/algebra"
	"ccd/core/num"
)

// bernstein is a polynomial over a part of time in double-doubles, with a bound on its error. It
// has the Bernstein coefficients of the part times the binomials, so that a coefficient of a
// product is a sum of products.
//
// Error. Units of u^2 = 2^-106, as at Double2. The true coefficients, without the binomials, are at
// most `most`, and those held differ from them by at most `err`.
//
//   - A sum of products p q: coefficient k has the terms p_i q_(k-i), of magnitudes that sum up to
//     S = sum most_p most_q, times the binomial of k by Vandermonde's identity. Each product errs
//     by 11 of its magnitude, and each of the n additions by 5 S at most: (11 + 5 n) S. The
//     factors' errors are most_p err_q + err_p most_q + err_p err_q. The code has (16 + 6 n) S in
//     place of the first, which leaves room for the terms of higher order.
//   - A sum or difference of two: 5 (most_p + most_q), in the code 6.
//   - A coefficient times the inverse of its binomial, a double-double off by less than 1: 12 most,
//     in the code 16.
//   - A halving averages coefficients by de Casteljau's algorithm, degree times, each a sum of two
//     that is halved: 5 most, in the code 6.
//
// Lengths are below 2, so no product of up to six factors is larger than 2^9, and what underflows
// in a product, less than 2^-1000, is within lost.
type bernstein struct {
	c         []Double2
	most, err float64
}

const (
	square2 = 0x1p-106
	lost    = 0x1p-900
)

// term is a product of two polynomials, or less it.
type term struct {
	p, q *bernstein
	less bool
}

// inverses are those of the binomials, to 2^-106 of themselves.
var inverses = func() (list [algebra.MaxDegree + 1][algebra.MaxDegree + 1]Double2) {
	for n := range list {
		for k := range n + 1 {
			b := float64(algebra.Binomials[n][k])
			h := 1 / b
			p, e := num.TwoProd(h, b)
			list[n][k] = Double2{h, ((1 - p) - e) / b}
		}
	}
	return list
}()

// room is memory that polynomials take from, and give back by its mark.
type room struct {
	list []Double2
	used int
}

// take returns n zeros.
func (m *room) take(n int) []Double2 {
	if m.used+n > len(m.list) {
		m.list = make([]Double2, max(2*len(m.list), 1<<12, n)) // Old lists live on in what took from them.
		m.used = 0
	}
	c := m.list[m.used : m.used+n : m.used+n]
	m.used += n
	clear(c)
	return c
}

// sum returns the sum of products, all of one degree.
func (m *room) sum(terms ...term) (r bernstein) {
	r.c = m.take(len(terms[0].p.c) + len(terms[0].q.c) - 1)
	size, additions := 0.0, 0
	for i := range terms {
		t := &terms[i]
		p, q := t.p, t.q
		size += float64(p.most * q.most)
		r.err += float64(p.most*q.err) + float64(p.err*q.most) + float64(p.err*q.err)
		additions += min(len(p.c), len(q.c))
		for j, x := range p.c {
			if t.less {
				x = Double2{-x.Hi, -x.Lo}
			}
			for k, y := range q.c {
				r.c[j+k] = r.c[j+k].Plus(x.times(y))
			}
		}
	}
	r.err = float64((r.err+float64(float64(16+6*additions)*square2*size))*(1+0x1p-40)) + lost
	r.bound()
	return r
}

// plus returns p + q, and minus p - q, of one degree.
func (m *room) plus(p, q *bernstein) (r bernstein) {
	r.c = m.take(len(p.c))
	for k := range r.c {
		r.c[k] = p.c[k].Plus(q.c[k])
	}
	r.err = float64((p.err + q.err + float64(6*square2*(p.most+q.most))) * (1 + 0x1p-40))
	r.bound()
	return r
}

func (m *room) minus(p, q *bernstein) bernstein {
	n := m.negated(q)
	return m.plus(p, &n)
}

func (m *room) negated(p *bernstein) bernstein {
	r := bernstein{m.take(len(p.c)), p.most, p.err}
	for k, x := range p.c {
		r.c[k] = Double2{-x.Hi, -x.Lo}
	}
	return r
}

// bound sets most from the coefficients and err.
func (p *bernstein) bound() {
	n := len(p.c) - 1
	for k := range p.c {
		p.most = max(p.most, math.Abs(p.c[k].Hi)*inverses[n][k].Hi)
	}
	p.most = float64(p.most*(1+0x1p-50)) + p.err
}

// plain divides the coefficients by the binomials.
func (p *bernstein) plain() {
	n := len(p.c) - 1
	for k := range p.c {
		p.c[k] = p.c[k].times(inverses[n][k])
	}
	p.err = float64((p.err+float64(16*square2*p.most))*(1+0x1p-40)) + lost
}

// constant returns the polynomial of the degree that is x throughout, where x errs by less than 8
// u^2 of itself.
func (m *room) constant(degree int, x Double2) bernstein {
	r := bernstein{c: m.take(degree + 1), err: float64(16 * square2 * math.Abs(x.Hi))}
	for k := range r.c {
		r.c[k] = x.By(float64(algebra.Binomials[degree][k]))
	}
	r.err += lost
	r.bound()
	return r
}

// weigh multiplies the control points of p by the binomials, and sets what else there is of p but
// for their errors.
func (p *bernstein) weigh() {
	for i := range p.c {
		p.c[i] = p.c[i].By(choose(len(p.c)-1, i))
	}
	p.bound()
	p.err += float64(8*square2*p.most) + lost
}

// magnitudes returns the polynomial whose coefficients are the magnitudes of those of p: its bounds
// are those of p.
func (m *room) magnitudes(p *bernstein) bernstein {
	r := bernstein{m.take(len(p.c)), p.most, p.err}
	for k, x := range p.c {
		r.c[k] = x.Abs()
	}
	return r
}

// dot returns u.v less, unless p is nil, p q.
func (m *room) dot(u, v *[3]bernstein, p, q *bernstein) bernstein {
	list, n := [4]term{{p: &u[0], q: &v[0]}, {p: &u[1], q: &v[1]}, {p: &u[2], q: &v[2]}, {p, q, true}}, 4
	if p == nil {
		n = 3
	}
	return m.sum(list[:n]...)
}

func (m *room) cross(u, v *[3]bernstein) (r [3]bernstein) {
	for k := range r {
		i, j := (k+1)%3, (k+2)%3
		r[k] = m.sum(term{p: &u[i], q: &v[j]}, term{p: &u[j], q: &v[i], less: true})
	}
	return r
}

// halve writes the coefficients of the halves of a plain polynomial.
func halve(c, left, right []Double2) {
	n := len(c) - 1
	copy(right, c)
	for i := range c {
		left[i] = right[0]
		for j := range n - i {
			right[j] = right[j].Plus(right[j+1]).half()
		}
	}
}
