package num

import (
	"math"
	"math/big"
)

// Up returns the least double above x. Up(+Inf) = +Inf, Up(NaN) = NaN.
func Up(x float64) float64 {
	if !(x < math.Inf(1)) {
		return x
	}
	if x == 0 {
		return math.SmallestNonzeroFloat64
	}
	b := math.Float64bits(x)
	if x > 0 {
		return math.Float64frombits(b + 1)
	}
	return math.Float64frombits(b - 1)
}

// Down returns the greatest double below x. Down(-Inf) = -Inf, Down(NaN) = NaN.
func Down(x float64) float64 { return -Up(-x) }

// AddUp returns the least double not below a + b, for finite a and b.
//
// Whether the sum was rounded down is as good as random, so no branch depends on it: of doubles of
// one sign the next one has the next number.
func AddUp(a, b float64) float64 {
	s, e := TwoSum(a, b)
	if e != e {
		return farUp(s, b)
	}
	up := int64(0)
	if e > 0 { // Hence s is not 0.
		up = 1
	}
	n := int64(math.Float64bits(s))
	return math.Float64frombits(uint64(n + up*(n>>63|1)))
}

// farUp is AddUp where TwoSum has no error: s overflows, or s is finite and the error has the sign
// opposite to b; see TwoSum.
func farUp(s, b float64) float64 {
	switch {
	case s == math.Inf(-1):
		return -math.MaxFloat64
	case b < 0 && s < math.Inf(1):
		return Up(s)
	}
	return s
}

// AddDown returns the greatest double not above a + b, for finite a and b.
func AddDown(a, b float64) float64 { return -AddUp(-a, -b) }

// AddUp3 returns the least double not below a + b + c, for finite a, b and c, where a and b have
// one sign.
//
// Derivation. s + e = a + b, t + f = s + c, g + h = f + e, p + q = t + g, all exact: the sum is p +
// (q + h). With U(x) the unit in the last place, |e| <= U(s)/2, |f| <= U(t)/2, |h| <= 2^-53 |g| and
// |q| <= U(p)/2, or half of that on the side of a power of two where doubles are denser. Where c
// cancels most of s, Sterbenz' lemma gives f = 0, so h = 0, and q alone is the rest. Elsewhere |t|
// >= |s|/4, so |g| <= 3 U(t), and |h| is less than 2^-51 U(t), far less than what is left between
// |q| and the distance to the next double. So the sum lies strictly between the doubles beside p,
// and above p if and only if q + h > 0, whose sign rounding keeps. Where a step overflows, an error
// is NaN (TwoSum), and so is h: then the sum is added exactly.
func AddUp3(a, b, c float64) float64 {
	s, e := TwoSum(a, b)
	t, f := TwoSum(s, c)
	g, h := TwoSum(f, e)
	p, q := TwoSum(t, g)
	switch rest := q + h; {
	case rest > 0:
		return Up(p)
	case rest != rest:
		return farUp3(a, b, c, p)
	}
	return p
}

// farUp3 is AddUp3 where a step overflows. It returns p where the arguments are not finite.
func farUp3(a, b, c, p float64) float64 {
	const digits = 2200 // A sum of three doubles is a multiple of 2^-1074 below 2^1026.
	sum := new(big.Float).SetPrec(digits)
	for _, x := range [3]float64{a, b, c} {
		if !(math.Abs(x) <= math.MaxFloat64) {
			return p
		}
		sum.Add(sum, big.NewFloat(x))
	}
	near, side := sum.Float64()
	if side == big.Below {
		return Up(near)
	}
	return near
}

// AddDown3 returns the greatest double not above a + b + c, for finite a, b and c, where a and b
// have one sign.
func AddDown3(a, b, c float64) float64 { return -AddUp3(-a, -b, -c) }

// SubUp returns the least double not below a - b, for finite a and b.
func SubUp(a, b float64) float64 { return AddUp(a, -b) }

// SubDown returns the greatest double not above a - b, for finite a and b.
func SubDown(a, b float64) float64 { return -AddUp(-a, b) }

// exactError is the magnitude from which on the error of a product, quotient or root is itself a
// double; see TwoProd.
const exactError = 0x1p-960

// MulUp returns a double not below a * b, for finite a and b: the least one, unless the product is
// nearly denormal.
func MulUp(a, b float64) float64 {
	p := a * b
	switch {
	case a == 0 || b == 0:
		return p
	case math.Abs(p) < exactError:
		return Up(p)
	case p == math.Inf(-1):
		return -math.MaxFloat64
	case math.FMA(a, b, -p) > 0:
		return Up(p)
	}
	return p
}

// MulDown returns a double not above a * b, for finite a and b.
func MulDown(a, b float64) float64 { return -MulUp(-a, b) }

// DivUp returns a double not below a / b, for finite a and finite b other than 0.
func DivUp(a, b float64) float64 {
	q := a / b
	switch {
	case a == 0:
		return q
	case math.Abs(q) < exactError || math.Abs(a) < exactError:
		return Up(q)
	case q == math.Inf(-1):
		return -math.MaxFloat64
	}
	// r = a - q b exactly, so a/b exceeds q when r has the sign of b.
	if r := math.FMA(-q, b, a); r > 0 && b > 0 || r < 0 && b < 0 {
		return Up(q)
	}
	return q
}

// DivDown returns a double not above a / b, for finite a and finite b other than 0.
func DivDown(a, b float64) float64 { return -DivUp(-a, b) }

// SqrtUp returns a double not below the root of x, for finite x >= 0.
func SqrtUp(x float64) float64 {
	s := math.Sqrt(x)
	if x != 0 && (x < exactError || math.FMA(-s, s, x) > 0) {
		return Up(s)
	}
	return s
}

// SqrtDown returns a double not above the root of x, for finite x >= 0.
func SqrtDown(x float64) float64 {
	s := math.Sqrt(x)
	if x != 0 && (x < exactError || math.FMA(-s, s, x) < 0) {
		return Down(s)
	}
	return s
}
