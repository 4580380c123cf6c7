package simd

import "math"

// double is an unevaluated sum of two float64, high and low, about 106 bits. The operations are those of Dekker 1971 and
// Joldes, Muller, Popescu 2017, in their short forms: subtraction of nearly equal numbers may lose the relative bound, so
// docs/numerics.md bounds errors absolutely, in units of the magnitudes that enter, which is what determinants need.
type double struct{ h, l float64 }

// twoSum is a + b and its rounding error, exactly.
func twoSum(a, b float64) (s, e float64) {
	s = a + b
	t := s - a
	return s, (a - (s - t)) + (b - t)
}

// twoDifference is a - b and its rounding error, exactly.
func twoDifference(a, b float64) (s, e float64) {
	s = a - b
	t := s - a
	return s, (a - (s - t)) - (b + t)
}

// settle makes a pair whose high part is the rounded sum.
func settle(s, e float64) double {
	h := s + e
	return double{h, e - (h - s)}
}

func (x double) plus(y double) double {
	s, e := twoSum(x.h, y.h)
	return settle(s, e+(x.l+y.l))
}

func (x double) minus(y double) double {
	s, e := twoDifference(x.h, y.h)
	return settle(s, e+(x.l-y.l))
}

func (x double) mul(y double) double {
	h := float64(x.h * y.h)
	e := math.FMA(x.h, y.h, -h)
	return settle(h, math.FMA(x.h, y.l, math.FMA(x.l, y.h, e)))
}

func (x double) times(y float64) double {
	h := float64(x.h * y)
	return settle(h, math.FMA(x.l, y, math.FMA(x.h, y, -h)))
}

// twice is exact.
func (x double) twice() double { return double{x.h + x.h, x.l + x.l} }

// flip negates if minus.
func (x double) flip(minus bool) double {
	if minus {
		return double{-x.h, -x.l}
	}
	return x
}

type double3 struct{ x, y, z double }

// exactDifference of two vertices at one end of the motion: 0 or 4.
func exactDifference(p, q *[8]float64, end int) (d double3) {
	d.x.h, d.x.l = twoDifference(p[end], q[end])
	d.y.h, d.y.l = twoDifference(p[end+1], q[end+1])
	d.z.h, d.z.l = twoDifference(p[end+2], q[end+2])
	return d
}

func plusD(a, b *double3) double3 {
	return double3{a.x.plus(b.x), a.y.plus(b.y), a.z.plus(b.z)}
}

func crossD(a, b *double3) double3 {
	return double3{
		a.y.mul(b.z).minus(a.z.mul(b.y)),
		a.z.mul(b.x).minus(a.x.mul(b.z)),
		a.x.mul(b.y).minus(a.y.mul(b.x)),
	}
}

func dotD(a, b *double3) double {
	return a.x.mul(b.x).plus(a.y.mul(b.y)).plus(a.z.mul(b.z))
}

// cubic holds coefficients of 1, t, t^2, t^3.
type cubic [4]double

// at is Horner's scheme.
func (c *cubic) at(x float64) double {
	r := c[3].times(x).plus(c[2])
	r = r.times(x).plus(c[1])
	return r.times(x).plus(c[0])
}

// blossom is three times the Bernstein coefficient next to s on the interval with ends s and e. The multipliers are exact,
// because the ends are multiples of one power of two by integers below 2^17.
func (c *cubic) blossom(s, e float64) double {
	k1, k2, k3 := s+s+e, s*(s+(e+e)), s*s*e*3
	return c[0].times(3).plus(c[1].times(k1)).plus(c[2].times(k2)).plus(c[3].times(k3))
}
