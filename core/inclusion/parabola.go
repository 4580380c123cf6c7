package inclusion

import (
	"math"

	"ccd/core/num"
)

// Parabola encloses f(t0 + x) for x >= 0 by G + B x + A x^2, with G = f(t0), B the first derivative
// there, and 2 A holding the second all the way: Taylor's theorem with Lagrange's remainder
// ([Buddingh2017], theta).
type Parabola struct{ G, B, A num.Interval }

// flip mirrors a parabola that begins below zero, so that only roots downwards are to be found.
func (p Parabola) flip() Parabola {
	if p.G.Hi < 0 {
		return Parabola{p.G.Neg(), p.B.Neg(), p.A.Neg()}
	}
	return p
}

// Free returns a length, rounded down, such that f has no root at x < free; none reports that it
// has none at all. It needs G.Lo > 0.
//
// It is the first root of the lower parabola, with every coefficient at its lower end, for x >= 0
// makes each term least there. In the form 2g / (sqrt(b^2 - 4ag) - b) nothing cancels: where a < 0
// the root exceeds |b|, and where a >= 0 there is a positive root only for b < 0. Every operation
// is rounded so that the quotient comes out low.
func (p Parabola) Free() (x float64, none bool) {
	g, b, a := p.G.Lo, p.B.Lo, p.A.Lo
	if a >= 0 && b >= 0 {
		return 0, true
	}
	disc := num.SubUp(num.MulUp(b, b), num.MulDown(num.MulDown(4, a), g))
	if disc < 0 {
		return 0, true
	}
	below := num.SubUp(num.SqrtUp(disc), b)
	if !(below > 0 && below <= math.MaxFloat64) {
		return 0, false // After an overflow nothing is known.
	}
	return num.DivDown(num.MulDown(2, g), below), false
}

// Crossed returns a length, rounded up, by which f has surely had its first root, or +Inf when that
// is not sure. It needs g.Lo > 0: by the first root of the upper parabola f has come down to zero.
func (p Parabola) Crossed() float64 {
	g, b, a := p.G.Hi, p.B.Hi, p.A.Hi
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

// Rid returns a length, rounded up, after which f > 0 for all greater x, or +Inf when there is
// none: the last root of the lower parabola. It opens upwards or there is none; past its last root
// it rises.
func (p Parabola) Rid() float64 {
	g, b, a := p.G.Lo, p.B.Lo, p.A.Lo
	if a < 0 || a == 0 && b <= 0 {
		return math.Inf(1)
	}
	disc := num.SubUp(num.MulUp(b, b), num.MulDown(num.MulDown(4, a), g))
	if disc < 0 {
		return 0
	}
	root := num.SqrtUp(disc)
	if !(root <= math.MaxFloat64) {
		return math.Inf(1)
	}
	// (root - b) / 2a, or -2g / (root + b) where b > 0 would cancel: then g > 0 puts both roots
	// below zero.
	if b <= 0 {
		return num.DivUp(num.SubUp(root, b), num.MulDown(2, a))
	}
	if g > 0 {
		return 0
	}
	root = num.SqrtDown(max(num.SubDown(num.MulDown(b, b), num.MulUp(num.MulUp(4, a), g)), 0))
	return num.DivUp(num.MulUp(-2, g), num.AddDown(root, b))
}
