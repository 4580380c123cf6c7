package num

// The filter of F = A + uB + vC.
//
// On one axis, let A0, B0, C0 be the rounded differences of coordinates at t=0 and A1, B1, C1 those
// at t=1, MA = max(|A0|,|A1|) and so on, S = MA + MB + MC. The code evaluates, each operation
// rounded, for doubles t, u, v in [0,1],
//
//	dA = A1 - A0        a = A0 + t*dA        (B and C alike)
//	F  = (a + b*u) + c*v
//
// Error of a against the real motion of the exact differences: the ends err by u*MA each (|fl(x)-x|
// <= u|fl(x)|), and so does their convex combination; |dA| <= 2MA, so its rounding and that of t*dA
// err by 2u*MA each (and eta/2); the sum is a convex combination of A0 and A1 up to O(u), and errs
// by u*MA: together 6u*MA. The product b*u adds u*MB (and eta/2), the sum a + b*u adds u(MA+MB),
// the last sum u*S. Collected: 8u*MA + 9u*MB + 8u*MC <= 9u*S, times 1 + O(u), plus 5 eta/2. Note
// that t, u, v need not be dyadic: they are taken for the doubles they are.
//
// A projection d.F = (d0*F0 + d1*F1) + d2*F2 on three doubles d adds 3u * sum |dk||Fk| <=
// 3u(1+O(u)) * sum |dk|Sk, and 3 eta/2: together 12u * sum |dk|Sk.
//
// Multiplying A and its like by a power of two beforehand, to tame extreme exponents, errs by eta/2
// each when it underflows: at most 3 eta/2 in F.
//
// affineK is 16: the slack of 4u*S pays for the roundings in AffineBound itself (3u relative) and
// in the sum of |dk| times the bounds (4u relative), with more than 3u*S to spare. affineTiny pays
// for the terms in eta.
const (
	affineK    = 16 * 0x1p-53
	affineTiny = 16 * 0x1p-1074
)

// AffineBound bounds the error of F = A + uB + vC on one axis, evaluated as above, from s >= MA +
// MB + MC (s itself may be rounded). The same bound holds for projections: the error of d.F is
// below fl(sum |dk| * bound k) + affineTiny.
func AffineBound(s float64) float64 { return float64(affineK*s) + affineTiny }

// ProjectTiny covers the underflow of a projection of F, see AffineBound.
const ProjectTiny = affineTiny
