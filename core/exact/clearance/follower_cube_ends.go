package clearance

import (
	"math"

	"ccd/core/num"
)

// What CubeFollower says of single certificates, to searches that foresee which ones count.

// Listed returns the directions that count.
func (f *CubeFollower) Listed() []int { return f.directions }

// Reach returns a time in [lo, hi], lo < hi, up to which direction n certainly separates on a side
// from lo on; lo where it is not certain of any.
func (f *CubeFollower) Reach(n, side int, lo, hi float64) float64 {
	var x cubeForm
	f.over(lo, hi)
	if f.form(n, &x); x.none {
		return lo
	}
	if s := x.crossing(side); s < 1 {
		return forward(lo, hi, s)
	}
	return hi
}

// Meets reports whether certainly none of the directions separates at a time, not even weakly.
func (f *CubeFollower) Meets(t float64, list []int) bool {
	var x cubeForm
	f.over(t, t)
	for _, n := range list {
		if f.form(n, &x); !x.fails() {
			return false
		}
	}
	return true
}

// endTries bounds the times at which Ends looks.
const endTries = 8

// Ends looks for the end of a certificate in [lo, tMax] by Newton's method from about its time and
// its slope: neighboring doubles a, at which it certainly holds, and b, at which it certainly does
// not.
func (f *CubeFollower) Ends(n, side int, lo, tMax, t, slope float64) (a, b float64, ok bool) {
	a, b = lo, tMax
	holds, fails := false, false
	var x cubeForm
	for range endTries {
		if !(t >= lo && t <= tMax) {
			return a, b, false
		}
		f.over(t, t)
		f.form(n, &x)
		v := x.c[side][0]
		switch {
		case x.none:
			return a, b, false
		case v > x.err:
			a, holds = t, true
		case v < -x.err:
			b, fails = t, true
		default:
			return a, b, false
		}
		if holds && fails && num.Up(a) == b {
			return a, b, true
		}
		t -= v / slope
		if holds && !(t > a) {
			t = num.Up(a)
		}
		if fails && !(t < b) {
			t = math.Nextafter(b, 0)
		}
	}
	return a, b, false
}
