package exact

import (
	"math"

	"ccd/core/geom"
	"ccd/core/num"
)

// DD is an unevaluated sum of two doubles, about 106 bits. Its errors, with u = 2^-53, barring
// underflow: a sum is off by at most 3 u^2 (|x| + |y|), a product by 8 u^2 |x y|. The double-double
// of separations is clearance.Double2, with cheaper sums; that of package simd has the roundings of
// the kernels that it stands in for.
type DD struct{ H, L float64 }

func Difference(a, b float64) DD {
	h, l := num.TwoDiff(a, b)
	return DD{h, l}
}

func (x DD) Add(y DD) DD {
	h, l := num.TwoSum(x.H, y.H)
	h, l = num.TwoSum(h, l+(x.L+y.L))
	return DD{h, l}
}

func (x DD) Sub(y DD) DD { return x.Add(DD{-y.H, -y.L}) }

func (x DD) Mul(y DD) DD {
	p := float64(x.H * y.H)
	l := math.FMA(x.H, y.H, -p) + (float64(x.H*y.L) + float64(x.L*y.H))
	s := p + l
	return DD{s, l - (s - p)}
}

func (x DD) Times(y float64) DD {
	p := float64(x.H * y)
	l := math.FMA(x.H, y, -p) + float64(x.L*y)
	s := p + l
	return DD{s, l - (s - p)}
}

// Over returns x / y with a relative error of at most 24 u^2. With q the quotient in doubles, x - q
// y errs by 8 u^2 and 6 u^2 of x. Its own quotient is at most 2 u of the result and errs by 3 u of
// itself.
func (x DD) Over(y DD) DD {
	q := x.H / y.H
	r := x.Sub(y.Times(q))
	p := r.H / y.H
	h, l := num.TwoSum(q, p)
	return DD{h, l}
}

type VecDD [3]DD

func (a *VecDD) crossAt(b *VecDD, k int) DD {
	i, j := (k+1)%3, (k+2)%3
	return a[i].Mul(b[j]).Sub(a[j].Mul(b[i]))
}

func (a *VecDD) Cross(b *VecDD) VecDD {
	return VecDD{a.crossAt(b, 0), a.crossAt(b, 1), a.crossAt(b, 2)}
}

func (a *VecDD) Dot(b *VecDD) DD { return a[0].Mul(b[0]).Add(a[1].Mul(b[1])).Add(a[2].Mul(b[2])) }

// double decides queries in double-doubles. Differences of doubles are exact in them, so most signs
// of the cubic are certain, even near zero. Queries with other signs are left to integers.
type double struct {
	domain     geom.Domain // a triangle or a square
	a, b, c    [2]VecDD    // A, B, C at t = 0 and 1, each axis scaled by a power of two to magnitudes below 1
	exponent   [3]int      // the exponents of the scales
	ma, mb, mc [3]float64
	power      [4]DD
	err        float64 // bound on the error of every coefficient and value of the cubic
	cubic      cubic
}

const (
	// boundDouble: the cubic's coefficients and its values in [0, 1] are off by less than 1500 u^2
	// P: docs/proofs/exact.md, "In double-doubles". P is computed to within 10 u.
	boundDouble = 0x1p-94
	// underflowDouble bounds what underflow may add, all magnitudes being below 1.
	underflowDouble = 0x1p-900
	// boundCramer bounds the error of a component of B x C that is computed in doubles at one
	// double, anywhere up to the next double: 7 u for two entries, 2 for the operations, 4 for the
	// way, and 2 for the additions of a slack.
	boundCramer = 16 * 0x1p-53
)

// load prepares a query.
func (f *double) load(domain geom.Domain, q *[24]float64) {
	f.domain = domain
	for k := range 3 {
		for s := range 2 {
			p := q[12*s+k : 12*s+k+10]
			if domain == geom.Square {
				f.a[s][k], f.b[s][k], f.c[s][k] = Difference(p[0], p[6]), Difference(p[3], p[0]), Difference(p[6], p[9])
			} else {
				f.a[s][k], f.b[s][k], f.c[s][k] = Difference(p[0], p[3]), Difference(p[3], p[6]), Difference(p[3], p[9])
			}
		}
		f.ma[k] = Larger(f.a[0][k].H, f.a[1][k].H)
		f.mb[k] = Larger(f.b[0][k].H, f.b[1][k].H)
		f.mc[k] = Larger(f.c[0][k].H, f.c[1][k].H)
		_, e := math.Frexp(Larger(f.ma[k], Larger(f.mb[k], f.mc[k])))
		f.exponent[k] = e
		if e < -1000 { // One step would let the scale overflow.
			f.scale(k, 0x1p600)
			e += 600
		}
		f.scale(k, math.Float64frombits(uint64(1023-e)<<52)) // 2^-e
	}
}

func (f *double) scale(k int, s float64) {
	for end := range 2 {
		for _, x := range [3]*DD{&f.a[end][k], &f.b[end][k], &f.c[end][k]} {
			x.H *= s
			x.L *= s
		}
	}
	f.ma[k] *= s
	f.mb[k] *= s
	f.mc[k] *= s
}

func (f *double) decide(tMax float64, out *found) Answer {
	if !f.expand() {
		return Unknown
	}
	changes := f.cubic.changes()
	if changes == 0 {
		return No
	}
	return f.cubic.inner(f, changes, tMax, out)
}

// Permanent returns component k of x cross y with all its terms positive.
func Permanent(x, y *[3]float64, k int) float64 {
	i, j := (k+1)%3, (k+2)%3
	return float64(x[i]*y[j]) + float64(x[j]*y[i])
}

// expand computes f = A.(B x C). It returns false if a sign in Bernstein form is not certain.
func (f *double) expand() bool {
	P := 0.0
	var n0, n1, n2 VecDD
	for k := range 3 {
		P += float64(f.ma[k] * Permanent(&f.mb, &f.mc, k))
		n0[k], n2[k] = f.b[0].crossAt(&f.c[0], k), f.b[1].crossAt(&f.c[1], k)
		n1[k] = f.b[0].crossAt(&f.c[1], k).Add(f.b[1].crossAt(&f.c[0], k))
	}
	f.err = float64(boundDouble*P) + underflowDouble
	b := [4]DD{
		f.a[0].Dot(&n0), f.a[1].Dot(&n0).Add(f.a[0].Dot(&n1)),
		f.a[1].Dot(&n1).Add(f.a[0].Dot(&n2)), f.a[1].Dot(&n2),
	}
	for i, x := range b {
		switch {
		case x.H > f.err:
			f.cubic.signs[i] = 1
		case x.H < -f.err:
			f.cubic.signs[i] = -1
		default:
			return false
		}
		f.cubic.bern[i] = x.H
	}
	f.cubic.bern[1] /= 3
	f.cubic.bern[2] /= 3
	f.cubic.err = 2 * f.err
	b03 := b[0].Times(3)
	f.power = [4]DD{b[0], b[1].Sub(b03), b[2].Sub(b[1].Times(2)).Add(b03), b[3].Sub(b[2]).Add(b[1]).Sub(b[0])}
	for i, x := range f.power {
		f.cubic.power[i] = x.H
	}
	return true
}

// value returns the cubic at x.
func (f *double) value(x float64) DD {
	return f.power[3].Times(x).Add(f.power[2]).Times(x).Add(f.power[1]).Times(x).Add(f.power[0])
}

func (f *double) signAt(x float64) (int, bool) {
	switch y := f.value(x); {
	case y.H > f.err:
		return 1, true
	case y.H < -f.err:
		return -1, true
	}
	return 0, false
}

// at returns A, B, C at the time t.
func (f *double) at(t float64) (a, b, c VecDD) {
	mix := func(x, y DD) DD { return x.Add(y.Sub(x).Times(t)) }
	for k := range 3 {
		a[k], b[k], c[k] = mix(f.a[0][k], f.a[1][k]), mix(f.b[0][k], f.b[1][k]), mix(f.c[0][k], f.c[1][k])
	}
	return a, b, c
}

// cramer returns N = B x C, C x A and A x B at the time t in doubles, and bounds on how far each
// may be from it anywhere up to the next double.
func (f *double) cramer(t float64) (x, bound [3][3]float64) {
	var a, b, c [3]float64
	w := 1 - t
	for k := range 3 {
		a[k] = float64(f.a[0][k].H*w) + float64(f.a[1][k].H*t)
		b[k] = float64(f.b[0][k].H*w) + float64(f.b[1][k].H*t)
		c[k] = float64(f.c[0][k].H*w) + float64(f.c[1][k].H*t)
	}
	for k := range 3 {
		bound[0][k] = float64(boundCramer*Permanent(&f.mb, &f.mc, k)) + underflowDouble
		bound[1][k] = float64(boundCramer*Permanent(&f.mc, &f.ma, k)) + underflowDouble
		bound[2][k] = float64(boundCramer*Permanent(&f.ma, &f.mb, k)) + underflowDouble
	}
	return [3][3]float64{geom.Cross3(&b, &c), geom.Cross3(&c, &a), geom.Cross3(&a, &b)}, bound
}

func (f *double) feasible(t float64, exact bool, out *found) Answer {
	n, e := f.cramer(t)
	k := 0
	for i := range 3 {
		if math.Abs(n[0][i]) > math.Abs(n[0][k]) {
			k = i
		}
	}
	out.floor, out.exact, out.planar = t, exact, false
	return f.slacks(&n, &e, k, out)
}

// slacks writes the signs of the slacks of component k, from cramer's values n and bounds e. It
// returns No if a slack is certainly negative, and Yes if all are certainly positive.
func (f *double) slacks(n, e *[3][3]float64, k int, out *found) Answer {
	x, y, z := n[0][k], n[1][k], n[2][k]
	en, eu, ev := e[0][k], e[1][k], e[2][k]
	if x < 0 {
		x, y, z = -x, -y, -z
	}
	if !(x > en) {
		return Unknown
	}
	slack := [4]float64{y, z, x - y, x - z}
	bound := [4]float64{eu, ev, en + eu, en + ev}
	if f.domain != geom.Square {
		slack[2], bound[2] = x-y-z, en+eu+ev
		slack[3], bound[3] = 1, 0
	}
	certain := true
	for i := range slack {
		if slack[i] < -bound[i] {
			return No
		}
		certain = certain && slack[i] > bound[i]
	}
	if !certain {
		return Unknown
	}
	out.shape, out.slack = 2, [4]int{1, 1, 1, 1}
	return Yes
}
