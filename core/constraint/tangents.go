package constraint

import (
	"math"

	"ccd/core/status"
)

// Tangents writes two vectors for each normal, such that (normal, first, second) is a right-handed
// orthonormal frame with the direction of the normal, which need not have length 1. normals has 3
// numbers for each normal, out 6. On an error out is 0.
func Tangents(normals, out []float64) error {
	clear(out)
	for i := range len(normals) / 3 {
		n := [3]float64(normals[3*i:])
		for k, x := range n {
			if err := checkNumber(x, "normals[%d][%d]", i, k); err != nil {
				return err
			}
		}
		if n == [3]float64{} {
			return status.Errorf(status.ErrArgument, "normals[%d] is 0: it has no direction", i)
		}
	}
	for i := range len(normals) / 3 {
		n := [3]float64(normals[3*i:])
		first, second := tangents(&n)
		copy(out[6*i:], first[:])
		copy(out[6*i+3:], second[:])
	}
	return nil
}

// tangents returns the frame of [Duff2017], which has no singular direction: with s the sign of z
// and a = -1 / (s + z) it is (1 + s x^2 a, s x y a, -s x) and (x y a, s + y^2 a, -y).
//
// Errors, with U = 2^-53 and N = n/|n| in real arithmetic. The components are divided by the
// largest, so nothing overflows, and what underflows is below 2^-1000 of the length. (x, y, z) as
// computed is N (1 + 3.5 U), a common factor, with a relative error of 2U for each component; so it
// is within 2U of the direction, and its square is 1 + d, |d| <= 7U. s + z is in [1, 2] in
// magnitude, so a errs by 2U of itself, and x y a and x^2 a by 4U; |x^2 a| <= 1 and |x y a| <= 1/2,
// so each vector errs by at most 4.5U.
//
// Without rounding, from x^2 + y^2 = 1 + d - z^2: the product of the first vector with (x, y, z) is
// -x d / (1 + |z|), the square of its length 1 + x^2 d / (1 + |z|)^2, and the product of both
// vectors s x y d / (1 + |z|)^2; the second is the same in y. So the products with N are at most
// 7U + 4.5U + 2U, the lengths within 3.5U + 4.5U of 1, and the product of both is at most 3.5U +
// 9U: all below 16 U = 2^-49.
func tangents(n *[3]float64) (first, second [3]float64) {
	scale := max(math.Abs(n[0]), math.Abs(n[1]), math.Abs(n[2]))
	x, y, z := n[0]/scale, n[1]/scale, n[2]/scale
	length := math.Sqrt(float64(x*x) + float64(y*y) + float64(z*z))
	x, y, z = x/length, y/length, z/length
	s := math.Copysign(1, z)
	a := -1 / (s + z)
	b := float64(float64(x*y) * a)
	first = [3]float64{1 + float64(s*float64(float64(x*x)*a)), 0 + float64(s*b), 0 - float64(s*x)}
	second = [3]float64{0 + b, s + float64(float64(y*y)*a), 0 - y}
	return first, second // The sums 0 + b and 0 - x make no component -0.
}
