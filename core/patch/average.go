package patch

import (
	"math"

	"ccd/core/num"
)

// control is a control point at both ends of the step, with bounds on its errors: every coordinate
// errs by at most err, and the exact weight is w (1 + e) with |e| <= werr. Both bounds are zero as
// long as nothing was rounded.
type control struct {
	x         [6]float64 // x0, then x1
	w         float64
	err, werr float64
}

// fraction is a number alpha in [0,1] and beta = 1 - alpha, each with a relative error of at most
// rel.
type fraction struct{ alpha, beta, rel float64 }

// fractionOf returns where t lies between lo and hi, lo <= t <= hi, lo < hi. The differences and
// the quotients are rounded once each, (1+U)(1+U)/(1-U) < 1 + 4U; where none of them was, rel is
// zero.
func fractionOf(lo, t, hi float64) fraction {
	switch t {
	case lo:
		return fraction{0, 1, 0}
	case hi:
		return fraction{1, 0, 0}
	}
	d, e := num.TwoDiff(hi, lo)
	a, ea := num.TwoDiff(t, lo)
	b, eb := num.TwoDiff(hi, t)
	f := fraction{a / d, b / d, 0}
	if e != 0 || ea != 0 || eb != 0 || math.FMA(-f.alpha, d, a) != 0 || math.FMA(-f.beta, d, b) != 0 || a < 0x1p-960 ||
		b < 0x1p-960 {
		f.rel = 4 * 0x1p-53
	}
	return f
}

// average is beta a + alpha b in homogeneous coordinates: the weight is w = beta wa + alpha wb, and
// the point xa + lambda (xb - xa) with lambda = alpha wb / w. As the weights stand still, lambda
// does, and the point moves on the segment between its ends just as xa and xb do.
//
// Errors. True lambda in [0,1] mixes the errors of xa and xb: at most the larger. To that comes
// |lambda~ - lambda| |xb - xa| and the roundings of a difference, a product and a sum, which
// error-free transforms give exactly, so that an exact average costs nothing.
//
// lambda: with equal and exact weights it is alpha, off by rel alpha. Otherwise a relative change
// of the two products by r changes lambda by at most 2 r lambda (1 - lambda): r = rel + werr + U;
// the sum and the quotient round by U each. So it is off by lambda (2 rel + werr_a + werr_b + 4U)
// at most, to first order. The weight is off by max(werr) + rel + 2U. The factor 1 + 2^-20 covers
// the terms of second order (werr < 2^-20 is checked on entry) and the roundings here.
func average(a, b *control, f fraction) control {
	if f.rel == 0 && f.alpha == 0 {
		return *a
	}
	if f.rel == 0 && f.beta == 0 {
		return *b
	}
	const u, slack = 0x1p-53, 1 + 0x1p-20
	c := control{w: a.w}
	lambda, off := f.alpha, f.rel*f.alpha
	if a.w != b.w || a.werr+b.werr > 0 {
		wa, wb := float64(f.beta*a.w), float64(f.alpha*b.w)
		c.w = wa + wb
		lambda = wb / c.w
		off = lambda * (2*f.rel + a.werr + b.werr + 4*u)
		c.werr = (max(a.werr, b.werr) + f.rel + 2*u) * slack
	}
	worst := 0.0
	for k := range c.x {
		var e float64
		c.x[k], e = between(a.x[k], b.x[k], lambda)
		worst = max(worst, e+float64(off*math.Abs(b.x[k]-a.x[k])))
	}
	c.err = (max(a.err, b.err) + worst) * slack
	return c
}

// between returns x + s (y - x), s in [0,1], and a bound on its rounding error that is zero when
// there is none.
func between(x, y, s float64) (z, err float64) {
	d, e1 := num.TwoDiff(y, x)
	p, e2 := num.TwoProd(s, d)
	z, e3 := num.TwoSum(x, p)
	err = float64(s*math.Abs(e1)) + math.Abs(e2) + math.Abs(e3)
	if p != s*d || (math.Abs(p) < 0x1p-960 && s != 0 && d != 0) {
		err += 0x1p-1074
	}
	return z, err
}
