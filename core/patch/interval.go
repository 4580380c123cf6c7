package patch

import "math"

// interval is an interval whose operations are rounded outwards cheaply, by a little more than
// rounding to nearest may err: fl(x) is off by U |fl(x)|, and x - (4U |x| + 2^-1060), itself
// rounded, is lower than fl(x) by at least 2U |x|. It is wider than num.Interval by a few units and
// several times faster. Values stay far below overflow: localSpace scales them.
type interval struct{ lo, hi float64 }

func below(x float64) float64 { return x - (float64(math.Abs(x)*0x1p-51) + 0x1p-1060) }
func above(x float64) float64 { return x + (float64(math.Abs(x)*0x1p-51) + 0x1p-1060) }

// around returns [x-r, x+r].
func around(x, r float64) interval { return interval{below(x - r), above(x + r)} }

func (a interval) add(b interval) interval { return interval{below(a.lo + b.lo), above(a.hi + b.hi)} }
func (a interval) neg() interval           { return interval{-a.hi, -a.lo} }

func (a interval) mul(b interval) interval {
	p, q, r, s := float64(a.lo*b.lo), float64(a.lo*b.hi), float64(a.hi*b.lo), float64(a.hi*b.hi)
	return interval{below(min(p, q, r, s)), above(max(p, q, r, s))}
}

// times returns a product with a number.
func (a interval) times(f float64) interval {
	if f < 0 {
		return interval{below(float64(a.hi * f)), above(float64(a.lo * f))}
	}
	return interval{below(float64(a.lo * f)), above(float64(a.hi * f))}
}

// mag returns the largest magnitude in a.
func (a interval) mag() float64 { return max(-a.lo, a.hi) }

// middle and radius: a lies within middle - radius and middle + radius, up to rounding.
func (a interval) middle() float64 { return 0.5 * (a.lo + a.hi) }

// include widens a to x.
func (a *interval) include(x float64) { a.lo, a.hi = min(a.lo, x), max(a.hi, x) }
