package exact

import (
	"cmp"
	"math"

	"ccd/core/geom"
	"ccd/core/num"
)

// ApartBefore reports whether a coordinate axis proves that a pair of a motion does not touch at any t in [0, end), 0 < end <= 1: it may touch
// at end itself. A false answer proves nothing. Of pairs that touch at one time in a plane across an axis, only the first in their order is
// wanted by a search for the earliest impact; this test spares the others the exact stages.
//
// F is linear in t at a corner of its domain, and a mean of its corners elsewhere. If a component of F is positive at 0 and not negative at end
// for every corner, it is positive on [0, end). Both signs are exact.
func ApartBefore(kind geom.Kind, mo *geom.Trajectories, v *[4]int32, end float64) bool {
	corners := kind.Info().Corners
next:
	for k := range 3 {
		side := 0
		for _, c := range corners {
			p, q := mo.Rec[8*int(v[c.A]):8*int(v[c.A])+8], mo.Rec[8*int(v[c.B]):8*int(v[c.B])+8]
			now := 1
			switch {
			case p[k] == q[k]:
				continue next
			case p[k] < q[k]:
				now = -1
			}
			if side != 0 && now != side {
				continue next
			}
			side = now
		}
		for _, c := range corners {
			p, q := mo.Rec[8*int(v[c.A]):8*int(v[c.A])+8], mo.Rec[8*int(v[c.B]):8*int(v[c.B])+8]
			if at, ok := sideAt(p[k], q[k], p[4+k], q[4+k], end); !ok || at*side < 0 {
				continue next
			}
		}
		return true
	}
	return false
}

// sideAt returns the sign of p(t) - q(t) for p(t) = p0 + t (p1 - p0), q likewise, t in (0, 1].
//
// In floats 1-t, both differences, both products and their sum are rounded once: the sum errs by 4U of the sum of the products' magnitudes, as
// computed, and 6U pays for second order; products that underflow for 2^-1073. What floats leave open is the sum of p0, -q0 and of the four
// products of t, each in two parts without error (where the differences are exact and the rounded products cancel, two): ten numbers, which an expansion adds exactly [Shewchuk1997]. Products that may underflow
// are not added: ok is false then.
func sideAt(p0, q0, p1, q1, t float64) (sign int, ok bool) {
	const u6, tiny = 6 * 0x1p-53, 0x1p-1000
	rest, d0, d1 := 1-t, p0-q0, p1-q1
	x, y := float64(rest*d0), float64(t*d1)
	s := x + y
	switch bound := float64(u6*(math.Abs(x)+math.Abs(y))) + tiny; {
	case s > bound:
		return 1, true
	case s < -bound:
		return -1, true
	}
	if x == -y && math.Abs(x) >= 0x1p-900 && exactly(1, t) && exactly(p0, q0) && exactly(p1, q1) {
		s = math.FMA(rest, d0, -x) + math.FMA(t, d1, -y) // what rounding took from both products: a sum's sign is exact
		return cmp.Compare(s, 0), true
	}
	var e [10]float64
	e[0] = p0
	n := add(&e, 1, -q0)
	for _, f := range [4]float64{p1, -q1, -p0, q0} {
		hi, lo := num.TwoProd(t, f)
		if f != 0 && !(math.Abs(hi) >= 0x1p-900) {
			return 0, false
		}
		n = add(&e, n, lo)
		n = add(&e, n, hi)
	}
	for n--; n >= 0; n-- { // the largest part that is not zero has the sign of the sum
		switch {
		case e[n] > 0:
			return 1, true
		case e[n] < 0:
			return -1, true
		}
	}
	return 0, true
}

// exactly reports whether a - b is a double.
func exactly(a, b float64) bool {
	_, e := num.TwoDiff(a, b)
	return e == 0
}

// add adds x to the expansion of the first n numbers of e, from the smallest to the largest, and returns how many it has then.
func add(e *[10]float64, n int, x float64) int {
	for i := range n {
		x, e[i] = num.TwoSum(x, e[i])
	}
	e[n] = x
	return n + 1
}
