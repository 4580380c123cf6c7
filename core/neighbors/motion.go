package neighbors

import (
	"math"

	"ccd/core/engine"
)

// displacements holds the two largest displacements so far, squared and as floats compute them, and
// whether any vertex moves at all.
type displacements struct {
	first, second float64
	moved         bool
}

// add takes the displacement of another vertex into account. Both become NaN with the first NaN,
// and stay so.
func (d *displacements) add(square float64) {
	if !(square <= d.second) {
		d.first, d.second = max(d.first, square), min(d.first, square)
	}
}

// join takes those of other vertices into account.
func (d *displacements) join(e *displacements) {
	d.add(e.first)
	d.add(e.second)
	d.moved = d.moved || e.moved
}

// sum returns an upper bound of the sum of the two displacements. It is 0 if nothing moves.
//
// With u = 2^-53, a difference of coordinates errs by u (exactly if it is a denormal), its square
// by 2u more and a rounding, two sums by 2u: the square of a length errs by 5u (1 + O(u)), and by
// less than 2^-1070 where squares underflow. Its root errs by 2.5u, with its own rounding by 3.5u,
// and by 2^-535 where squares underflow; the sum of two and its rounding, and the product, by 5.5u.
// 2^-50 is 8u. Of all vertices the two with the largest computed squares are taken, and every other
// one is no longer than the bound for the second.
func (d *displacements) sum() float64 {
	if !d.moved {
		return 0
	}
	return float64((math.Sqrt(d.first)+math.Sqrt(d.second))*(1+0x1p-50)) + 0x1p-530
}

// verticesAtOnce is the number of vertices from which on several threads measure displacements.
const verticesAtOnce = 1 << 16

// displaced returns an upper bound of the sum of the two largest distances from from[v] of a point
// in the box of x0[v] and x1[v], for two different vertices v. The arrays have the same length. The
// result is NaN or +Inf if a coordinate is.
func displaced(from, x0, x1 []float64, threads int) float64 {
	n := len(from) / 3
	parts := max(1, min(threads, n/verticesAtOnce))
	found := make([]displacements, parts)
	err := engine.Parallel(parts, func(i int) {
		a, b := 3*(n*i/parts), 3*(n*(i+1)/parts)
		found[i] = displacementsOf(from[a:b], x0[a:b], x1[a:b])
	})
	if err != nil {
		return math.NaN() // no list serves the call
	}
	var all displacements
	for i := range found {
		all.join(&found[i])
	}
	return all.sum()
}

func displacementsOf(from, x0, x1 []float64) (d displacements) {
	x0, x1 = x0[:len(from)], x1[:len(from)]
	for i := 0; i+2 < len(from); i += 3 {
		x := max(math.Abs(x0[i]-from[i]), math.Abs(x1[i]-from[i]))
		y := max(math.Abs(x0[i+1]-from[i+1]), math.Abs(x1[i+1]-from[i+1]))
		z := max(math.Abs(x0[i+2]-from[i+2]), math.Abs(x1[i+2]-from[i+2]))
		d.moved = d.moved || x != 0 || y != 0 || z != 0
		if s := float64(x*x) + float64(y*y) + float64(z*z); !(s <= d.second) {
			d.add(s)
		}
	}
	return d
}
