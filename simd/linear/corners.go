package linear

import "math"

// cornersGeneric evaluates F(t,u,v) = A + uB + vC on three axes at the eight corners of a box, and
// returns on which side of lim they lie.
//
// coef holds A, B, C at t = 0 and their changes until t = 1. The box is [t0,t1] x [u0,u1] x
// [v0,v1]; the corner (u1, v1) has u3 in place of u1: u0 puts it on the corner (u0, v1), for a box
// whose far corner does not count.
//
//	for k := range 3 {
//		for i := range 8 { // t1 for bit 2, u1 for bit 1, v1 for bit 0
//			a := coef[0][k] + coef[3][k]*t
//			b := coef[1][k] + coef[4][k]*t
//			c := coef[2][k] + coef[5][k]*t
//			out[k][i] = (a + b*u) + c*v
//			above |= (out[k][i] > lim[k]) << (8*k + i)
//			below |= (out[k][i] < -lim[k]) << (8*k + i)
//		}
//	}
//
// Nothing is fused. The values are finite; lim may be +Inf.
func cornersGeneric(coef *[6][3]float64, t0, t1, u0, u1, u3, v0, v1 float64, lim *[3]float64,
	out *[3][8]float64) (above, below uint32) {
	for k := range 3 {
		g := &out[k]
		for i, t := range [2]float64{t0, t1} {
			a := coef[0][k] + float64(coef[3][k]*t)
			b := coef[1][k] + float64(coef[4][k]*t)
			c := coef[2][k] + float64(coef[5][k]*t)
			x0, y0, y1 := a+float64(b*u0), float64(c*v0), float64(c*v1)
			g[4*i], g[4*i+1] = x0+y0, x0+y1
			g[4*i+2], g[4*i+3] = a+float64(b*u1)+y0, a+float64(b*u3)+y1
		}
		over, under := sides(g, lim[k])
		above |= over << (8 * k)
		below |= under << (8 * k)
	}
	return above, below
}

// projectGeneric writes to out the dot products of the direction (x, y, z) with the eight vectors
// whose components are f[0], f[1] and f[2], and returns on which side of lim they lie, as Corners
// does.
//
//	for i := range 8 {
//		out[i] = (x*f[0][i] + y*f[1][i]) + z*f[2][i]
//		above |= (out[i] > lim) << i
//		below |= (out[i] < -lim) << i
//	}
func projectGeneric(f *[3][8]float64, x, y, z, lim float64, out *[8]float64) (above, below uint32) {
	for i := range out {
		out[i] = float64(x*f[0][i]) + float64(y*f[1][i]) + float64(z*f[2][i])
	}
	return sides(out, lim)
}

// sides returns which values lie above lim, and which below -lim. Differences of finite doubles
// have the exact sign, and taking it costs no branch.
func sides(g *[8]float64, lim float64) (above, below uint32) {
	above = negative(lim-g[0]) | negative(lim-g[1])<<1 | negative(lim-g[2])<<2 | negative(lim-g[3])<<3 |
		negative(lim-g[4])<<4 | negative(lim-g[5])<<5 | negative(lim-g[6])<<6 | negative(lim-g[7])<<7
	below = negative(g[0]+lim) | negative(g[1]+lim)<<1 | negative(g[2]+lim)<<2 | negative(g[3]+lim)<<3 |
		negative(g[4]+lim)<<4 | negative(g[5]+lim)<<5 | negative(g[6]+lim)<<6 | negative(g[7]+lim)<<7
	return above, below
}

// negative returns 1 for a sign bit, else 0.
func negative(x float64) uint32 { return uint32(math.Float64bits(x) >> 63) }
