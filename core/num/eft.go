package num

import "math"

// TwoSum returns s = fl(a+b) and e (Knuth). For finite a and b either a + b = s + e exactly, or e
// is NaN: never is e another number. It is NaN where s overflows, and in one more case: |b| is
// MaxFloat64, a has the other sign, and the error is 2^970 in magnitude, with the sign of a.
//
// Knuth's proof needs that no step overflows. If fl(s-a) does while s is finite, say above, then
// s - a >= 2^1024 - 2^970. In real arithmetic s - a = b - e, and |e| <= 2^970, half of the greatest
// unit in the last place; so b = MaxFloat64 and e = -2^970, and a < 0, because s <= MaxFloat64. The
// next steps give a - (s - Inf) = Inf and b - Inf, whose sum is NaN.
//
// Nothing else overflows. If |a| >= |b|, fl(s-a) is exact, and s less it is a. If |a| < |b|, |a| is
// at most MaxFloat64 - 2^971; s less fl(s-a) is a but for the rounding of fl(s-a), at most 2^970,
// so it is rounded to MaxFloat64 at most. The other differences are errors: below 2^973. Sums have
// no errors from underflow.
func TwoSum(a, b float64) (s, e float64) {
	// The conversions round products that callers pass, so that no compiler fuses them with the
	// sum.
	a, b = float64(a), float64(b)
	s = a + b
	bb := s - a
	return s, (a - (s - bb)) + (b - bb)
}

// TwoDiff returns s = fl(a-b) and e: TwoSum of a and -b.
func TwoDiff(a, b float64) (s, e float64) { return TwoSum(a, -b) }

// TwoProd returns p = fl(a*b) and e with a * b = p + e exactly if a or b is 0 or 2^-968 <= |p| <=
// MaxFloat64: the error is a multiple of ulp(a)*ulp(b) >= 2^-106 |p|, which must stay above eta. If
// p is nearer to 0, e is the double nearest to the error, off by eta/2 at most. If p overflows, e
// is infinite, with the other sign.
func TwoProd(a, b float64) (p, e float64) {
	p = float64(a * b)
	return p, math.FMA(a, b, -p)
}
