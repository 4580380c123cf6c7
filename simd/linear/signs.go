package linear

import (
	"ccd/simd/internal/query"
	"ccd/simd/internal/vec"
)

const (

	// pieceEndBound and pieceMiddleBound: Bernstein coefficients of a piece are convex combinations
	// of those of the whole motion, which are off by 19U P; the weights are off by 7U of
	// themselves, products and sums add 4U: 30U P, and three times that for the middle ones, times
	// three.
	pieceEndBound    = 32 * 0x1p-53
	pieceMiddleBound = 96 * 0x1p-53
)

// signs writes to masks, for every query of list, the pieces on which the coplanarity cubic is not
// certain to keep its sign, by more than the separation times |B x C| if there is one.
func signs(rec []float64, idx [][4]int32, list []int32, bounds *[130]float64, masks []uint8, face bool) {
	if face {
		signsVF(rec, idx, list, bounds, masks)
	} else {
		signsEE(rec, idx, list, bounds, masks)
	}
}

// whole are the bounds that are wanted most.
var whole = formPieceBounds(1, 0)

func makePieceBounds(tmax, sep float64) [130]float64 {
	if tmax == 1 && sep == 0 {
		return whole
	}
	return formPieceBounds(tmax, sep)
}

// formPieceBounds holds the separation with slack, once and three times; then, for each Bernstein
// coefficient of a piece, the middle ones times three, the weights on the eight pieces of the four
// coefficients of the whole motion, the middle ones of which come times three as well. They are
// values of blossoms: sums of products of three factors out of 1-s, s, 1-e, e.
func formPieceBounds(tmax, sep float64) (b [130]float64) {
	f := FilterBounds(tmax, sep)
	b[0], b[1] = f[2], f[3]
	ends := TimePieceEnds(tmax)
	for k := range 8 {
		s, e := ends[k], ends[k+1]
		r, q := 1-s, 1-e
		for i, w := range [16]float64{
			r * r * r, r * r * s, r * s * s, s * s * s,
			3 * r * r * q, float64(2*r*s*q) + float64(r*r*e), float64(2*s*r*e) + float64(s*s*q), 3 * s * s * e,
			3 * r * q * q, float64(2*r*q*e) + float64(s*q*q), float64(2*s*q*e) + float64(r*e*e), 3 * s * e * e,
			q * q * q, q * q * e, q * e * e, e * e * e,
		} {
			b[2+8*i+k] = w
		}
	}
	return b
}

func signsGeneric(rec []float64, idx [][4]int32, list []int32, bounds *[130]float64, masks []uint8, face bool) {
	var q filterQuery
	for j, i := range list {
		q.load(rec, &idx[i], face)
		q.measure()
		masks[j] = q.signs(bounds)
	}
}

// signs returns the pieces where the cubic may vanish, or come near it with a separation.
func (q *filterQuery) signs(b *[130]float64) (mask uint8) {
	area := vec.Permanent(q.mb, q.mc)
	volume := vec.Dot(q.ma, area)
	if !(volume >= query.Smallest && vec.Sum(q.scale) <= query.LargestPiece) {
		return 255
	}
	f0, f1, f2, f3, n := q.bernstein()
	e, e3 := float64(volume*pieceEndBound), float64(volume*pieceMiddleBound)
	if b[0] > 0 {
		norm := vec.Sum(n) + float64(vec.Sum(area)*normBound)
		e, e3 = e+float64(b[0]*norm), e3+float64(b[1]*norm)
	}
	for k := range 8 {
		g0, g1, g2, g3 := weigh(b, k, f0, f1, f2, f3)
		if g0 < 0 {
			g0, g1, g2, g3 = -g0, -g1, -g2, -g3
		}
		if !(g0 > e && g3 > e && g1 >= e3 && g2 >= e3) {
			mask |= 1 << k
		}
	}
	return mask
}

// weigh returns the Bernstein form on piece k, the middle coefficients times three, from that on
// the whole motion.
func weigh(b *[130]float64, k int, f0, f1, f2, f3 float64) (g0, g1, g2, g3 float64) {
	w := (*[128]float64)(b[2:])
	g0 = float64(f0*w[k]) + float64(f1*w[k+8]) + float64(f2*w[k+16]) + float64(f3*w[k+24])
	g1 = float64(f0*w[k+32]) + float64(f1*w[k+40]) + float64(f2*w[k+48]) + float64(f3*w[k+56])
	g2 = float64(f0*w[k+64]) + float64(f1*w[k+72]) + float64(f2*w[k+80]) + float64(f3*w[k+88])
	g3 = float64(f0*w[k+96]) + float64(f1*w[k+104]) + float64(f2*w[k+112]) + float64(f3*w[k+120])
	return g0, g1, g2, g3
}
