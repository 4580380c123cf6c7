package num

import "math"

// Interval is the closed set [Lo, Hi] of reals, with finite ends. Every operation encloses the
// exact one.
type Interval struct{ Lo, Hi float64 }

// Point returns the interval that holds x alone.
func Point(x float64) Interval { return Interval{x, x} }

// Contains reports whether x lies in i.
func (i Interval) Contains(x float64) bool { return i.Lo <= x && x <= i.Hi }

// Width bounds the length of i from above.
func (i Interval) Width() float64 { return SubUp(i.Hi, i.Lo) }

// Mag returns the greatest magnitude in i.
func (i Interval) Mag() float64 { return max(-i.Lo, i.Hi) }

// Neg encloses -x.
func (i Interval) Neg() Interval { return Interval{-i.Hi, -i.Lo} }

// Add encloses x + y.
func (i Interval) Add(j Interval) Interval { return Interval{AddDown(i.Lo, j.Lo), AddUp(i.Hi, j.Hi)} }

// Sub encloses x - y.
func (i Interval) Sub(j Interval) Interval { return Interval{SubDown(i.Lo, j.Hi), SubUp(i.Hi, j.Lo)} }

// Mul encloses x * y.
func (i Interval) Mul(j Interval) Interval {
	return Interval{
		min(MulDown(i.Lo, j.Lo), MulDown(i.Lo, j.Hi), MulDown(i.Hi, j.Lo), MulDown(i.Hi, j.Hi)),
		max(MulUp(i.Lo, j.Lo), MulUp(i.Lo, j.Hi), MulUp(i.Hi, j.Lo), MulUp(i.Hi, j.Hi)),
	}
}

// Scale encloses s * x.
func (i Interval) Scale(s float64) Interval {
	if s < 0 {
		return Interval{MulDown(i.Hi, s), MulUp(i.Lo, s)}
	}
	return Interval{MulDown(i.Lo, s), MulUp(i.Hi, s)}
}

// Div encloses x / y; j must not hold 0.
func (i Interval) Div(j Interval) Interval {
	return Interval{
		min(DivDown(i.Lo, j.Lo), DivDown(i.Lo, j.Hi), DivDown(i.Hi, j.Lo), DivDown(i.Hi, j.Hi)),
		max(DivUp(i.Lo, j.Lo), DivUp(i.Lo, j.Hi), DivUp(i.Hi, j.Lo), DivUp(i.Hi, j.Hi)),
	}
}

// Sqr encloses x * x, which i.Mul(i) does less tightly when i holds 0.
func (i Interval) Sqr() Interval {
	m := max(-i.Lo, i.Hi)
	l := max(i.Lo, -i.Hi, 0)
	return Interval{MulDown(l, l), MulUp(m, m)}
}

// Sqrt encloses the root of x; the part of i below 0, left by rounding, is ignored.
func (i Interval) Sqrt() Interval {
	return Interval{SqrtDown(max(i.Lo, 0)), SqrtUp(max(i.Hi, 0))}
}

// Abs encloses |x|.
func (i Interval) Abs() Interval { return Interval{max(i.Lo, -i.Hi, 0), math.Max(-i.Lo, i.Hi)} }

// Union returns the least interval that holds i and j.
func (i Interval) Union(j Interval) Interval { return Interval{min(i.Lo, j.Lo), max(i.Hi, j.Hi)} }

// Intersect returns the part that i and j share; ok is false when there is none.
func (i Interval) Intersect(j Interval) (k Interval, ok bool) {
	k = Interval{max(i.Lo, j.Lo), min(i.Hi, j.Hi)}
	return k, k.Lo <= k.Hi
}
