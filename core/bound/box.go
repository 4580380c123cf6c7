package bound

import (
	"math"

	"ccd/core/geom"
	"ccd/core/num"
)

// Box is an axis-aligned box of doubles.
type Box struct{ Min, Max [3]float64 }

// Overlaps reports whether the closed boxes a and b have a point in common.
func (a *Box) Overlaps(b *Box) bool {
	return a.Min[0] <= b.Max[0] && b.Min[0] <= a.Max[0] &&
		a.Min[1] <= b.Max[1] && b.Min[1] <= a.Max[1] &&
		a.Min[2] <= b.Max[2] && b.Min[2] <= a.Max[2]
}

// Swept is the smallest box that holds the vertices v at every time of the step, and with them the
// edge or the face they span. A vertex moves on a segment, so its two ends bound it, and comparing
// doubles rounds nothing: law 1 with equality.
func Swept(mo *geom.Trajectories, v ...int32) Box {
	inf := math.Inf(1)
	b := Box{Min: [3]float64{inf, inf, inf}, Max: [3]float64{-inf, -inf, -inf}}
	for _, i := range v {
		r := mo.Rec[8*int(i) : 8*int(i)+8]
		for k := range 3 { // without branches, which would be mispredicted
			b.Min[k] = min(b.Min[k], r[k], r[4+k])
			b.Max[k] = max(b.Max[k], r[k], r[4+k])
		}
	}
	return b
}

// Inflate widens the box by r >= 0 on every side, each bound to the nearest double that is not
// inside the true one.
func (a *Box) Inflate(r float64) {
	if r == 0 {
		return
	}
	for k := range 3 {
		a.Min[k] = num.AddDown(a.Min[k], -r)
		a.Max[k] = num.AddUp(a.Max[k], r)
	}
}

// Inflation is how far to widen the box of a primitive of radius r, for a minimum separation d: 0
// where both are 0. Two boxes so widened overlap where the primitives come within d + r_a + r_b,
// even if that sum is rounded up to a double.
//
// Rounded up, the sum is at most its own 2^-52 larger (sums of denormals are exact). s >= Half(d) +
// r, and each Up adds at least 2^-53 s; so the two inflations together are at least (d + r_a + r_b)
// (1 + 2^-52).
func Inflation(d, r float64) float64 {
	if d == 0 && r == 0 {
		return 0
	}
	return num.Up(num.Up(num.AddUp(Half(d), r)))
}

// Half is the smallest double r with 2 r >= d, for d >= 0: half the separation on each of two boxes
// keeps law 2, for lo_b - hi_a <= d implies lo_b - r <= hi_a + r. Halving a double is exact unless
// it loses its last denormal bit.
func Half(d float64) float64 {
	r := float64(d / 2)
	if r+r < d {
		r = num.Up(r)
	}
	return r
}
