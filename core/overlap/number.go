package overlap

import (
	"math"
	"math/big"

	"ccd/core/num"
)

// number is what volumes are computed with: one of single, double and rational. Each operation
// rounds relatively by the unit of its arithmetic; numbers that underflow err by less than tiny.
type number[T any] interface {
	plus(T) T
	minus(T) T
	times(T) T
	over(T) T
	sign() int
	float() float64
}

// arithmetic is what is known of a number type.
type arithmetic[T any] struct {
	unit float64              // u: a result is within u of the exact one, relatively
	of   func(x float64) T    // the number x
	read func(x *big.Rat) T   // the number x, rounded by at most unit
	diff func(x, y float64) T // x - y, rounded by at most unit
}

// single is a double.
type single float64

func (x single) plus(y single) single  { return x + y }
func (x single) minus(y single) single { return x - y }
func (x single) times(y single) single { return single(float64(x) * float64(y)) }
func (x single) over(y single) single  { return x / y }
func (x single) float() float64        { return float64(x) }
func (x single) sign() int {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return 0
}

var singles = arithmetic[single]{
	unit: 0x1p-53,
	of:   func(x float64) single { return single(x) },
	read: func(x *big.Rat) single { f, _ := x.Float64(); return single(f) },
	diff: func(x, y float64) single { return single(x - y) },
}

// double is the sum of two doubles, l at most half a unit in the last place of h. By Joldes, Muller
// and Popescu (2017) a sum by this algorithm errs by 3 2^-106, a product by 5 2^-106, and a
// quotient by 15 2^-106, to first order; 2^-98 is far more than each of them.
type double struct{ h, l float64 }

func (x double) plus(y double) double {
	s, e := num.TwoSum(x.h, y.h)
	t, f := num.TwoSum(x.l, y.l)
	s, e = fast(s, e+t)
	s, e = fast(s, e+f)
	return double{s, e}
}

func (x double) minus(y double) double { return x.plus(double{-y.h, -y.l}) }

func (x double) times(y double) double {
	p := float64(x.h * y.h)
	e := math.FMA(x.h, y.h, -p)
	e += math.FMA(x.h, y.l, float64(x.l*y.h))
	p, e = fast(p, e)
	return double{p, e}
}

// over divides: the quotient of the leading parts, and that of what is left, twice.
func (x double) over(y double) double {
	q := x.h / y.h
	r := x.minus(y.times(double{q, 0}))
	p := r.h / y.h
	r = r.minus(y.times(double{p, 0}))
	q, p = fast(q, p)
	return double{q, p}.plus(double{r.h / y.h, 0})
}

func (x double) float() float64 { return x.h }
func (x double) sign() int      { return single(x.h).sign() }

// fast returns the sum of a and b, |a| >= |b|, and its error.
func fast(a, b float64) (s, e float64) {
	s = a + b
	return s, b - (s - a)
}

var doubles = arithmetic[double]{
	unit: 0x1p-98,
	of:   func(x float64) double { return double{x, 0} },
	read: func(x *big.Rat) double {
		h, _ := x.Float64()
		l, _ := new(big.Rat).Sub(x, new(big.Rat).SetFloat64(h)).Float64()
		return double{h, l}
	},
	diff: func(x, y float64) double {
		h, l := num.TwoDiff(x, y)
		return double{h, l}
	},
}

// rational is a rational number; nil is 0.
type rational struct{ r *big.Rat }

func (x rational) value() *big.Rat {
	if x.r == nil {
		return new(big.Rat)
	}
	return x.r
}

func (x rational) plus(y rational) rational {
	return rational{new(big.Rat).Add(x.value(), y.value())}
}

func (x rational) minus(y rational) rational {
	return rational{new(big.Rat).Sub(x.value(), y.value())}
}

func (x rational) times(y rational) rational {
	return rational{new(big.Rat).Mul(x.value(), y.value())}
}

func (x rational) over(y rational) rational {
	return rational{new(big.Rat).Quo(x.value(), y.value())}
}

func (x rational) sign() int { return x.value().Sign() }

func (x rational) float() float64 {
	f, _ := x.value().Float64()
	return f
}

var rationals = arithmetic[rational]{
	of:   func(x float64) rational { return rational{new(big.Rat).SetFloat64(x)} },
	read: func(x *big.Rat) rational { return rational{x} },
	diff: func(x, y float64) rational {
		a := new(big.Rat).SetFloat64(x)
		return rational{a.Sub(a, new(big.Rat).SetFloat64(y))}
	},
}
