package trim

import (
	"math"
	"math/big"

	"ccd/core/num"
)

// Place says where a box lies.
type Place int8

// The places. Zero is none: what was not classified never passes for a proof.
const (
	Crosses Place = 1 + iota
	Outside
	Inside
)

func (p Place) String() string {
	switch p {
	case Crosses:
		return "crosses"
	case Outside:
		return "outside"
	case Inside:
		return "inside"
	}
	return "unknown"
}

// Classify says where the box from lo to hi lies: laws F1 to F3. lo is at most hi along both axes.
//
// If no segment comes within the tolerance of the box, the number of crossings of a ray is odd for
// all of its points, or even for all.
func (r *Region) Classify(lo, hi [2]float64) Place {
	if r.Whole() {
		return Inside
	}
	var wide box
	for k := range 2 {
		wide.lo[k], wide.hi[k] = num.SubDown(lo[k], r.tolerance[k]), num.AddUp(hi[k], r.tolerance[k])
	}
	free := r.visit(wide.meets, func(corners [][2]float64) bool {
		for i := range len(corners) - 1 {
			if !wide.misses(&corners[i], &corners[i+1]) {
				return false
			}
		}
		return true
	})
	switch {
	case !free:
		return Crosses
	case r.odd(lo):
		return Inside
	}
	return Outside
}

// meets reports whether two boxes have a common point.
func (b *box) meets(c *box) bool {
	return b.lo[0] <= c.hi[0] && c.lo[0] <= b.hi[0] && b.lo[1] <= c.hi[1] && c.lo[1] <= b.hi[1]
}

// misses reports whether the box and the segment from p to q provably have no common point: one of
// the two is beyond a side of the box, or the box is on one side of the segment's line. What
// rounding leaves open counts as a common point.
func (b *box) misses(p, q *[2]float64) bool {
	for k := range 2 {
		if max(p[k], q[k]) < b.lo[k] || min(p[k], q[k]) > b.hi[k] {
			return true
		}
	}
	left, right := true, true
	for _, c := range [4][2]float64{b.lo, {b.hi[0], b.lo[1]}, {b.lo[0], b.hi[1]}, b.hi} {
		s := side(p, q, &c)
		left, right = left && s > 0, right && s < 0
	}
	return left || right
}

// sideError bounds the error of side's determinant in units of the sum of its two products: each of
// four differences errs by U of itself, U = 2^-53, each product by U, and their difference by U of
// it: (1 + U)^4 - 1 < 4.01 U. Products below 2^-1022 err by 2^-1075 each, and by 2^-1074 is added.
const (
	sideError     = 4.1 * 0x1p-53
	sideUnderflow = 0x1p-1070
	sideUncertain = 0
	sideLeft      = 1
	sideRight     = -1
)

// side returns 1 if c is left of the line from p to q, -1 if it is right of it, both proven, or 0.
func side(p, q, c *[2]float64) int {
	l := float64((q[0] - p[0]) * (c[1] - p[1]))
	r := float64((q[1] - p[1]) * (c[0] - p[0]))
	bound := float64(sideError*(math.Abs(l)+math.Abs(r))) + sideUnderflow
	switch det := l - r; {
	case det > bound:
		return sideLeft
	case det < -bound:
		return sideRight
	}
	return sideUncertain
}

// odd reports whether the ray from a point to greater x crosses the loops an odd number of times.
// The point is on no segment. A segment is crossed if one of its ends is above the ray and the
// other is not, so corners on the ray count once.
func (r *Region) odd(p [2]float64) (is bool) {
	ahead := func(b *box) bool { return b.lo[1] <= p[1] && p[1] <= b.hi[1] && b.hi[0] >= p[0] }
	r.visit(ahead, func(corners [][2]float64) bool {
		for i := range len(corners) - 1 {
			a, b := &corners[i], &corners[i+1]
			up := b[1] > p[1]
			if (a[1] > p[1]) == up {
				continue
			}
			s := side(a, b, &p)
			if s == sideUncertain {
				s = exactSide(a, b, &p)
			}
			if up == (s > 0) { // The point is left of a segment that rises, or right of one that falls.
				is = !is
			}
		}
		return true
	})
	return is
}

// exactSide is side in rational numbers.
func exactSide(p, q, c *[2]float64) int {
	minus := func(a, b float64) *big.Rat {
		x := new(big.Rat).SetFloat64(a)
		return x.Sub(x, new(big.Rat).SetFloat64(b))
	}
	l := minus(q[0], p[0])
	l.Mul(l, minus(c[1], p[1]))
	r := minus(q[1], p[1])
	return l.Cmp(r.Mul(r, minus(c[0], p[0])))
}
