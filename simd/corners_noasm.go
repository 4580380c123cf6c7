//go:build !amd64

package simd

// Without assembly every level is the generic one.

func corners256(coef *[6][3]float64, t0, t1, u0, u1, u3, v0, v1 float64, lim *[3]float64, out *[3][8]float64) (above, below uint32) {
	return cornersGeneric(coef, t0, t1, u0, u1, u3, v0, v1, lim, out)
}

func project256(f *[3][8]float64, x, y, z, lim float64, out *[8]float64) (above, below uint32) {
	return projectGeneric(f, x, y, z, lim, out)
}
