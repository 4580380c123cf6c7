package exact

import "math"

// The bounds of this file are derived in docs/numerics.md, "The float filters"; u = 2^-53.
const (
	// boundCubic: every monomial of a Bernstein coefficient of f passes at most 10 roundings, and the permanent P of
	// the per-entry maxima is computed too small by at most 8: 12 u P covers (10 u + O(u^2)) P (1+u)^10.
	boundCubic = 12 * 0x1p-53
	// underflow: with all entries at most 2^300, products that underflow change a coefficient by less than this.
	underflow = 0x1p-750
	// largest entry for which neither overflow nor more underflow can happen.
	largest = 0x1p300
)

// apartByFilter proves in floats that the coplanarity cubic has no root in [0, 1].
func apartByFilter(square bool, q *[24]float64) bool {
	var A, B, C [2][3]float64
	for s := range 2 {
		p := q[12*s : 12*s+12 : 12*s+12]
		for k := range 3 {
			if square {
				A[s][k], B[s][k], C[s][k] = p[k]-p[6+k], p[3+k]-p[k], p[6+k]-p[9+k]
			} else {
				A[s][k], B[s][k], C[s][k] = p[k]-p[3+k], p[3+k]-p[6+k], p[3+k]-p[9+k]
			}
		}
	}
	a0, a1, a2 := larger(A[0][0], A[1][0]), larger(A[0][1], A[1][1]), larger(A[0][2], A[1][2])
	b0, b1, b2 := larger(B[0][0], B[1][0]), larger(B[0][1], B[1][1]), larger(B[0][2], B[1][2])
	c0, c1, c2 := larger(C[0][0], C[1][0]), larger(C[0][1], C[1][1]), larger(C[0][2], C[1][2])
	if !(a0 < largest && a1 < largest && a2 < largest && b0 < largest && b1 < largest && b2 < largest &&
		c0 < largest && c1 < largest && c2 < largest) {
		return false
	}
	P := float64(a0*(float64(b1*c2)+float64(b2*c1))) + float64(a1*(float64(b2*c0)+float64(b0*c2))) +
		float64(a2*(float64(b0*c1)+float64(b1*c0)))
	e := float64(boundCubic*P) + underflow
	d0, d3 := det(&A[0], &B[0], &C[0]), det(&A[1], &B[1], &C[1])
	if !(d0 > e && d3 > e) && !(d0 < -e && d3 < -e) {
		return false
	}
	d1 := det(&A[1], &B[0], &C[0]) + det(&A[0], &B[1], &C[0]) + det(&A[0], &B[0], &C[1])
	d2 := det(&A[0], &B[1], &C[1]) + det(&A[1], &B[0], &C[1]) + det(&A[1], &B[1], &C[0])
	if d0 > 0 {
		return d1 >= 3*e && d2 >= 3*e
	}
	return d1 <= -3*e && d2 <= -3*e
}

func larger(x, y float64) float64 {
	x, y = math.Abs(x), math.Abs(y)
	if x > y {
		return x
	}
	return y
}

func det(a, b, c *[3]float64) float64 {
	return float64(a[0]*(float64(b[1]*c[2])-float64(b[2]*c[1]))) +
		float64(a[1]*(float64(b[2]*c[0])-float64(b[0]*c[2]))) +
		float64(a[2]*(float64(b[0]*c[1])-float64(b[1]*c[0])))
}
