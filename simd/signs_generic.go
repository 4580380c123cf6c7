package simd

func signsGeneric(rec []float64, idx [][4]int32, list []int32, bounds *[130]float64, masks []uint8, face bool) {
	var q filterQuery
	for j, i := range list {
		q.load(rec, &idx[i], face)
		q.measure()
		masks[j] = q.signs(bounds)
	}
}

// signs are the pieces where the cubic may vanish, or come near it with a separation.
func (q *filterQuery) signs(b *[130]float64) (mask uint8) {
	area := permanent(q.mb, q.mc)
	volume := dot(q.ma, area)
	if !(volume >= smallest && sum(q.scale) <= largestPiece) {
		return 255
	}
	f0, f1, f2, f3, n := q.bernstein()
	e, e3 := float64(volume*pieceEndBound), float64(volume*pieceMiddleBound)
	if b[0] > 0 {
		norm := sum(n) + float64(sum(area)*normBound)
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

// weigh is the Bernstein form on piece k, the middle coefficients times three, from that on the whole motion.
func weigh(b *[130]float64, k int, f0, f1, f2, f3 float64) (g0, g1, g2, g3 float64) {
	w := (*[128]float64)(b[2:])
	g0 = float64(f0*w[k]) + float64(f1*w[k+8]) + float64(f2*w[k+16]) + float64(f3*w[k+24])
	g1 = float64(f0*w[k+32]) + float64(f1*w[k+40]) + float64(f2*w[k+48]) + float64(f3*w[k+56])
	g2 = float64(f0*w[k+64]) + float64(f1*w[k+72]) + float64(f2*w[k+80]) + float64(f3*w[k+88])
	g3 = float64(f0*w[k+96]) + float64(f1*w[k+104]) + float64(f2*w[k+112]) + float64(f3*w[k+120])
	return g0, g1, g2, g3
}
