package exact

import (
	"cmp"
	"math"

	"ccd/core/geom"
	"ccd/core/num"
)

// Before proves, pair after pair, that pairs are apart before a time (see ApartBefore). The zero
// value is ready. It remembers the axis that proved the last pair apart, and the coordinates of the
// two primitives along it. A pair whose points have the same coordinates needs no further proof,
// which is common in flat meshes.
type Before struct {
	axis int
	end  float64
	a, b [2]float64 // coordinates at both ends of a point of a, and of one of b
}

// Apart returns the result of ApartBefore, which it may know from the last pair.
func (f *Before) Apart(kind geom.Kind, mo *geom.Trajectories, v *[4]int32, end float64) bool {
	if end == f.end && f.again(kind, mo, v) {
		return true
	}
	if !ApartBefore(kind, mo, v, end, &f.axis) {
		return false
	}
	info := kind.Info()
	a, b := mo.Rec[8*int(v[0])+f.axis:], mo.Rec[8*int(v[info.Split])+f.axis:]
	f.a, f.b, f.end = [2]float64{a[0], a[4]}, [2]float64{b[0], b[4]}, end
	return true
}

// again reports whether all points of a pair have the remembered coordinates.
func (f *Before) again(kind geom.Kind, mo *geom.Trajectories, v *[4]int32) bool {
	at := func(i int) *[8]float64 { return (*[8]float64)(mo.Rec[8*int(v[i]):]) }
	switch kind {
	case geom.VertexFace:
		return f.has(&f.a, at(0)) && f.has(&f.b, at(1)) && f.has(&f.b, at(2)) && f.has(&f.b, at(3))
	case geom.EdgeEdge:
		return f.has(&f.a, at(0)) && f.has(&f.a, at(1)) && f.has(&f.b, at(2)) && f.has(&f.b, at(3))
	}
	return false
}

// has reports whether a point has the given coordinates at both ends.
func (f *Before) has(at *[2]float64, x *[8]float64) bool {
	k := f.axis & 3
	return x[k] == at[0] && x[4+k] == at[1]
}

// ApartBefore reports whether a coordinate axis proves that a pair of a motion does not touch at
// any t in [0, end), where 0 < end <= 1; it may touch at end. The result false proves nothing. If
// many pairs touch at one time in a plane across an axis, a search for the earliest impact wants
// the first of them alone; this test saves the exact stages for the others.
//
// F is linear in t at a corner of its domain, and elsewhere a mean of its values at the corners. If
// a component of F is positive at 0 and not negative at end for every corner, it is positive on [0,
// end). Both signs are exact. The corners are the differences of a point of a and a point of b.
// Among points whose coordinates agree at both ends, as in a flat sheet, one is enough.
//
// axis is the axis to try first, usually that of the last pair. ApartBefore sets it to the axis
// that proves the pair apart.
func ApartBefore(kind geom.Kind, mo *geom.Trajectories, v *[4]int32, end float64, axis *int) bool {
	info := kind.Info()
	var p [4]*[8]float64
	for i := range info.Points {
		p[i] = (*[8]float64)(mo.Rec[8*int(v[i]):])
	}
	a, b := p[:info.Split], p[info.Split:info.Points]
	k := *axis
	for range 3 {
		side := 1
		if a[0][k] < b[0][k] {
			side = -1
		}
		if onSide(a, b, k, side) && staysOnSide(a, b, k, side, end) {
			*axis = k
			return true
		}
		if k++; k == 3 {
			k = 0
		}
	}
	return false
}

// onSide reports whether all points of a are beyond all of b at t = 0, along axis k: above them if
// side is 1, below if it is -1.
func onSide(a, b []*[8]float64, k, side int) bool {
	for _, x := range a {
		for _, y := range b {
			if side > 0 && !(x[k] > y[k]) || side < 0 && !(x[k] < y[k]) {
				return false
			}
		}
	}
	return true
}

// staysOnSide reports whether no point of a is on the other side of one of b at end.
func staysOnSide(a, b []*[8]float64, k, side int, end float64) bool {
	for i, x := range a {
		if i > 0 && sameCoordinate(x, a[i-1], k) {
			continue
		}
		for j, y := range b {
			if j > 0 && sameCoordinate(y, b[j-1], k) {
				continue
			}
			if at, ok := sideAt(x[k], y[k], x[4+k], y[4+k], end); !ok || at*side < 0 {
				return false
			}
		}
	}
	return true
}

// sameCoordinate reports whether coordinate k of two points is the same at both ends.
func sameCoordinate(x, y *[8]float64, k int) bool { return x[k] == y[k] && x[4+k] == y[4+k] }

// sideAt returns the sign of p(t) - q(t), where p(t) = p0 + t (p1 - p0), q(t) is the same of q0 and
// q1, and t is in (0, 1].
//
// In floats, 1-t, both differences, both products and their sum are rounded once each. So the sum
// errs by at most 4U of the sum of the products' magnitudes; 6U covers terms of second order, and
// tiny covers products that underflow, 2^-1073. Otherwise the difference is the sum of p0, -q0 and
// four products of t, each of which is two doubles without error: ten numbers, which an expansion
// adds exactly [Shewchuk1997]. Where the differences are exact and the rounded products cancel, two
// numbers suffice. If a product may underflow, ok is false.
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
	n := add(e[:], 1, -q0)
	for _, f := range [4]float64{p1, -q1, -p0, q0} {
		hi, lo := num.TwoProd(t, f)
		if f != 0 && !(math.Abs(hi) >= 0x1p-900) {
			return 0, false
		}
		n = add(e[:], n, lo)
		n = add(e[:], n, hi)
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

// add adds x to the expansion that the first n numbers of e form, from the smallest to the largest,
// and returns the new number of numbers.
func add(e []float64, n int, x float64) int {
	for i := range n {
		x, e[i] = num.TwoSum(x, e[i])
	}
	e[n] = x
	return n + 1
}
