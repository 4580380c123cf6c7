package inclusion

import (
	"math"

	"ccd/core/num"
)

// parabola encloses f(t0 + x) for x >= 0 by g + b x + a x^2: with g = f(t0), b = f'(t0) and 2 a holding f” all the way,
// Taylor's theorem with Lagrange's remainder says so ([Buddingh2017], theta).
type parabola struct{ g, b, a num.Interval }

// flip mirrors a parabola that begins below zero, so that only roots downwards are to be found.
func (p parabola) flip() parabola {
	if p.g.Hi < 0 {
		return parabola{p.g.Neg(), p.b.Neg(), p.a.Neg()}
	}
	return p
}

// free is a length, rounded down, such that f has no root at x < free; none tells that it has none at all. It asks for
// g.Lo > 0.
//
// It is the first root of the lower parabola, with every coefficient at its lower end, for x >= 0 makes each term least
// there. In the form 2g / (sqrt(b^2 - 4ag) - b) nothing cancels: where a < 0 the root exceeds |b|, and where a >= 0 there
// is a positive root only for b < 0. Every operation is rounded so that the quotient comes out low.
func (p parabola) free() (x float64, none bool) {
	g, b, a := p.g.Lo, p.b.Lo, p.a.Lo
	if a >= 0 && b >= 0 {
		return 0, true
	}
	disc := num.SubUp(num.MulUp(b, b), num.MulDown(num.MulDown(4, a), g))
	if disc < 0 {
		return 0, true
	}
	below := num.SubUp(num.SqrtUp(disc), b)
	if !(below > 0 && below <= math.MaxFloat64) {
		return 0, false // overflow: nothing is known
	}
	return num.DivDown(num.MulDown(2, g), below), false
}

// crossed is a length, rounded up, by which f has surely had its first root, or +Inf when that is not sure. It asks for
// g.Lo > 0: by the first root of the upper parabola f has come down to zero.
func (p parabola) crossed() float64 {
	g, b, a := p.g.Hi, p.b.Hi, p.a.Hi
	if a >= 0 && b >= 0 {
		return math.Inf(1)
	}
	disc := num.SubDown(num.MulDown(b, b), num.MulUp(num.MulUp(4, a), g))
	if !(disc >= 0 && disc <= math.MaxFloat64) {
		return math.Inf(1)
	}
	below := num.SubDown(num.SqrtDown(disc), b)
	if !(below > 0) {
		return math.Inf(1)
	}
	return num.DivUp(num.MulUp(2, g), below)
}
