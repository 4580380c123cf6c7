package num

import "math"

// TwoSum returns s = fl(a+b) and e with a + b = s + e exactly (Knuth), unless s overflows.
func TwoSum(a, b float64) (s, e float64) {
	// The conversions round products that callers pass, so that no compiler fuses them with the
	// sum.
	a, b = float64(a), float64(b)
	s = a + b
	bb := s - a
	return s, (a - (s - bb)) + (b - bb)
}

// TwoDiff returns s = fl(a-b) and e with a - b = s + e exactly, unless s overflows.
func TwoDiff(a, b float64) (s, e float64) { return TwoSum(a, -b) }

// TwoProd returns p = fl(a*b) and e with a * b = p + e exactly, unless p overflows or |p| < 2^-968:
// the error is a multiple of ulp(a)*ulp(b) >= 2^-106 |p|, which must stay above eta.
func TwoProd(a, b float64) (p, e float64) {
	p = float64(a * b)
	return p, math.FMA(a, b, -p)
}
