package simd

// Corners evaluates F(t,u,v) = A + uB + vC on three axes at the eight corners of a box, and returns on which side of lim they lie.
//
// coef holds A, B, C at t = 0 and their changes until t = 1. The box is [t0,t1] x [u0,u1] x [v0,v1]; the corner (u1, v1)
// has u3 in place of u1: u0 puts it on the corner (u0, v1), for a box whose far corner does not count.
//
//	for k := range 3 {
//		for i := range 8 { // t1 for bit 2, u1 for bit 1, v1 for bit 0
//			a, b, c := coef[0][k] + coef[3][k]*t, coef[1][k] + coef[4][k]*t, coef[2][k] + coef[5][k]*t
//			out[k][i] = (a + b*u) + c*v
//			above |= (out[k][i] > lim[k]) << (8*k + i)
//			below |= (out[k][i] < -lim[k]) << (8*k + i)
//		}
//	}
//
// Nothing is fused. The values are finite; lim may be +Inf.
func Corners(coef *[6][3]float64, t0, t1, u0, u1, u3, v0, v1 float64, lim *[3]float64, out *[3][8]float64) (above, below uint32) {
	if level == generic {
		return cornersGeneric(coef, t0, t1, u0, u1, u3, v0, v1, lim, out)
	}
	return corners256(coef, t0, t1, u0, u1, u3, v0, v1, lim, out)
}

// Project writes to out the dot products of the direction (x, y, z) with the eight vectors whose components are f[0], f[1] and
// f[2], and returns on which side of lim they lie, as Corners does.
//
//	for i := range 8 {
//		out[i] = (x*f[0][i] + y*f[1][i]) + z*f[2][i]
//		above |= (out[i] > lim) << i
//		below |= (out[i] < -lim) << i
//	}
func Project(f *[3][8]float64, x, y, z, lim float64, out *[8]float64) (above, below uint32) {
	if level == generic {
		return projectGeneric(f, x, y, z, lim, out)
	}
	return project256(f, x, y, z, lim, out)
}
