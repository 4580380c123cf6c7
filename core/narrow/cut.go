package narrow

import "math"

// This file holds the primitive of the time-contracted search: cutting a cell by one projection of
// F.
//
// Let g be the eight computed corner values of d.F, corner 4t + 2u + v, and e a bound such that a
// contact implies |d.F| <= e minus the error of the corner values. g is affine in each parameter,
// so where all corners are > e (or < -e) there is no contact in the cell. Where the four corners of
// one face, say t = t0, are > e, take s in [0,1] with t = t0 + s(t1-t0): at s the least value is
// that of a corner, (1-s) a + s b of the computed ends a and b of its edge along t (errors mix
// likewise and stay within the bound), which exceeds e for s < (a-e)/(a-b). Up to the least such s
// over the four edges, no contact: that side of the cell is cut off.
//
// Roundings: a-e, a-b and the quotient err by u each, relatively; the factor below takes off 16u.
// The new bound t0 + f*(t1-t0) sums positive terms, 4u at most, and gets the factor again; for the
// upper side t1 - f*(t1-t0) the product is already below the exact one thanks to the first factor,
// and the second pays for the difference. A fraction below 2^-900 is taken for 0, so nothing here
// underflows.
const (
	inward  = 1 - 0x1p-49 // 16u
	outward = 1 + 0x1p-49
	nothing = 0x1p-900
)

// Least and greatest of two doubles >= +0, which order like their bit patterns: no branch, no care
// for NaN.
func lesser(a, b float64) float64 {
	x, y := math.Float64bits(a), math.Float64bits(b)
	if y < x {
		x = y
	}
	return math.Float64frombits(x)
}

func larger(a, b float64) float64 {
	x, y := math.Float64bits(a), math.Float64bits(b)
	if y > x {
		x = y
	}
	return math.Float64frombits(x)
}

// crossing returns a lower bound of the least fraction at which an edge from a (a*sign > e) to b
// comes to e.
//
// An edge that does not come to e has a quotient of 1 or more, of +Inf, or below zero, whose bits
// lie above those of 1.
func crossing(a0, b0, a1, b1, a2, b2, a3, b3, sign, e float64) float64 {
	s0 := (float64(a0*sign) - e) / ((a0 - b0) * sign)
	s1 := (float64(a1*sign) - e) / ((a1 - b1) * sign)
	s2 := (float64(a2*sign) - e) / ((a2 - b2) * sign)
	s3 := (float64(a3*sign) - e) / ((a3 - b3) * sign)
	s := lesser(1, lesser(lesser(s0, s1), lesser(s2, s3)))
	if s < nothing {
		return 0
	}
	return s * inward
}

// ahead and behind move the lower and upper bound of [lo, hi] by the fraction f.
func ahead(lo, hi, f float64) float64  { return (lo + float64(f*(hi-lo))) * inward }
func behind(lo, hi, f float64) float64 { return (hi - float64(f*(hi-lo))) * outward }

// cut contracts n, a part of the cell c whose corner values are g; above and below are the corners
// beyond e and -e, as bits. It is false when that leaves no contact in c.
//
// corner says that the corner (u1, v1) of c lies outside the triangle u + v <= 1 and the corners
// (u0, v1) and (u1, v0) on or outside its border: the part inside is then within the triangle of
// the other three corners, whose slice at a given u runs from the edge (u0,v0)-(u1,v0) to the edge
// (u0,v1)-(u1,v0), at a given v likewise. So the missing corner's partner differs: for u it is (u1,
// v0), for v it is (u0, v1). Using one partner for both loses contacts. In g, above and below the
// missing corner repeats (u0, v1).
//
// The function is long because it is the hot one.
func cut(g *[8]float64, above, below uint32, e float64, c, n *cell, corner bool) bool {
	if above == 0xff || below == 0xff {
		return false
	}
	if above|below == 0 {
		return true
	}
	g0, g1, g2, g3, g4, g5, g6, g7 := g[0], g[1], g[2], g[3], g[4], g[5], g[6], g[7]
	m, sign := above, 1.0
	for side := range 2 {
		if side == 1 {
			m, sign = below, -1
		}
		if m == 0 {
			continue
		}
		if m&0x0f == 0x0f {
			f := crossing(g0, g4, g1, g5, g2, g6, g3, g7, sign, e)
			n.t0 = larger(n.t0, ahead(c.t0, c.t1, f))
		} else if m&0xf0 == 0xf0 {
			f := crossing(g4, g0, g5, g1, g6, g2, g7, g3, sign, e)
			n.t1 = lesser(n.t1, behind(c.t0, c.t1, f))
		}
		x3, x7 := g3, g7
		if corner {
			x3, x7 = g2, g6
			m = m&^0x88 | m&0x44<<1
		}
		if m&0x33 == 0x33 {
			f := crossing(g0, g2, g1, x3, g4, g6, g5, x7, sign, e)
			n.u0 = larger(n.u0, ahead(c.u0, c.u1, f))
		} else if m&0xcc == 0xcc {
			f := crossing(g2, g0, x3, g1, g6, g4, x7, g5, sign, e)
			n.u1 = lesser(n.u1, behind(c.u0, c.u1, f))
		}
		if corner {
			x3, x7 = g1, g5
			m = m&^0x88 | m&0x22<<2
		}
		if m&0x55 == 0x55 {
			f := crossing(g0, g1, g2, x3, g4, g5, g6, x7, sign, e)
			n.v0 = larger(n.v0, ahead(c.v0, c.v1, f))
		} else if m&0xaa == 0xaa {
			f := crossing(g1, g0, x3, g2, g5, g4, x7, g6, sign, e)
			n.v1 = lesser(n.v1, behind(c.v0, c.v1, f))
		}
	}
	return n.t0 <= n.t1 && n.u0 <= n.u1 && n.v0 <= n.v1
}
