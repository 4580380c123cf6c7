package exact

import (
	"math"

	"ccd/core/exact/internal/algebra"
	"ccd/core/geom"
)

// This file decides contacts on the border of a primitive, where a slack is zero at the root, in
// integers of fixed width. They are common in symmetric and regular meshes: an edge meets the end
// of another, a vertex meets an edge, or two vertices meet.
//
// Each slack is a component of a vector, U = C x A, V = A x B, N - U = (A + B) x C and so on
// (below: slackVector), that is zero when a corner or side of the parameter domain is a solution:
// then A, B and C are linearly dependent, and the cubic is zero, too. So where such a vector is
// zero in an interval that has one root of the cubic, it is zero at the root, and with N not zero
// there the parameters are unique: the slack is exactly zero. That the vector is zero is proven
// when all components are multiples of one polynomial and this changes its sign: motion in a plane,
// for a side; along a line, for a corner.

// linear is d0 (1-t) + d1 t as a quadratic.
func linear(d0, d1 int64) quadratic {
	x, y := algebra.Int128Of(d0), algebra.Int128Of(d1)
	return quadratic{x, x.Add(y), y}
}

// slackVector returns the vector of which slack i is a component.
func (f *fixed) slackVector(i int) (p [3]quadratic) {
	for k := range 3 {
		u, v := crossAt(&f.c, &f.a, k), crossAt(&f.a, &f.b, k)
		switch {
		case i == 0:
			p[k] = u
		case i == 1:
			p[k] = v
		case i == 2:
			if p[k] = f.n[k].minus(&u); f.domain != geom.Square {
				p[k] = p[k].minus(&v)
			}
		default:
			p[k] = f.n[k].minus(&v)
		}
	}
	return p
}

// corner returns the vector of corner i, A + uB + vC with u and v the two bits of i.
func (f *fixed) corner(i int) (p [3]quadratic) {
	for k := range 3 {
		d := [2]int64{f.a[0][k], f.a[1][k]}
		for s := range d {
			d[s] += int64(i&1)*f.b[s][k] + int64(i>>1)*f.c[s][k] // The sum is a difference of two coordinates, too.
		}
		p[k] = linear(d[0], d[1])
	}
	return p
}

// zero reports whether a vector is proven to be zero between t and the next double.
func zero(p *[3]quadratic, t float64) bool {
	k := 0
	for i := range p {
		if p[k] == (quadratic{}) {
			k = i
		}
	}
	for i := range p {
		if !proportional(&p[k], &p[i]) {
			return false
		}
	}
	a, ok := p[k].signAt(t)
	b, ok2 := p[k].signAt(math.Nextafter(t, 2))
	return ok && ok2 && a*b < 0
}

// proportional reports whether one of two quadratics, p if it is not zero, divides the other.
func proportional(p, q *quadratic) bool {
	for i := range 3 {
		for j := range i {
			if product(p[i], q[j]) != product(p[j], q[i]) {
				return false
			}
		}
	}
	return true
}

// product returns x y; magnitudes are below 2^126.
func product(x, y algebra.Int128) algebra.Int256 {
	negative := x.Hi < 0 != (y.Hi < 0)
	if x.Hi < 0 {
		x = algebra.Int128{}.Sub(x)
	}
	if y.Hi < 0 {
		y = algebra.Int128{}.Sub(y)
	}
	var r algebra.Int256
	r.AddMul(0, x.Lo, y.Lo)
	r.AddMul(1, x.Lo, uint64(y.Hi))
	r.AddMul(1, uint64(x.Hi), y.Lo)
	r.AddMul(2, uint64(x.Hi), uint64(y.Hi))
	if negative {
		r.Negate()
	}
	return r
}

// corners returns the number of corners of the parameters' domain, which has as many sides.
func (f *fixed) corners() int {
	if f.domain == geom.Square {
		return 4
	}
	return 3
}

// slacksOf returns the slacks at corner i.
func (f *fixed) slacksOf(i int) [4]int {
	u, v := i&1, i>>1
	if f.domain == geom.Square {
		return [4]int{u, v, 1 - u, 1 - v}
	}
	return [4]int{u, v, 1 - u - v, 0}
}

// border fills in the slacks at the cubic's root between t and the next double, where N is not
// zero; true once all are known.
func (f *fixed) border(t float64, out *found, known *[4]bool) bool {
	for i := range f.corners() {
		if p := f.corner(i); zero(&p, t) {
			out.slack = f.slacksOf(i)
			return true
		}
	}
	for i := range f.corners() {
		if !known[i] {
			if p := f.slackVector(i); !zero(&p, t) {
				return false
			}
			out.slack[i] = 0
		}
	}
	return true
}
