package simd

import "math"

// PieceEnds are the times that bound the eight pieces of [0, tmax]: k/8 of tmax, where tmax is first raised to the next
// double of 13 significant bits and to no less than 2^-60. So all ends are exact, integers below 2^17 times one power
// of two, which RootsVF relies on; a proof on a little more than [0, tmax] is still a proof, and a time found beyond
// tmax is no contact.
func PieceEnds(tmax float64) (ends [9]float64) {
	const tail = 1<<40 - 1 // of the 52 bits of the fraction
	tmax = max(math.Float64frombits((math.Float64bits(tmax)+tail)&^tail), 0x1p-60)
	for k := range ends {
		ends[k] = tmax * (float64(k) / 8)
	}
	return ends
}

// PiecesVF cuts [0, tmax] at PieceEnds and tests every vertex-face query of list on each of the eight pieces. It writes
// to out, in the order of list, the positions of those queries that may touch within sep on some piece, to masks the
// pieces where they may (bit k: the closed piece k), and returns how many there are. A bit that is not set is a proof
// that |F|max > sep on that closed piece. out may be list itself; out and masks must hold len(list) entries.
//
//	for _, i := range list {
//		for k := range 8 {
//			A, B, C := idx[i] at the ends of piece k
//			apart := a coordinate axis separates, or the cubic A.(B x C) keeps its sign, or one of the directions
//				u x v, v x t, t x u, m x u, m x v, m x (u-v) separates, where m = u x v, or, if sep > 0, one of the
//				coordinate axes crossed with u, v, u-v does
//			if !apart { mask |= 1<<k }
//		}
//		if mask != 0 { out[n], masks[n] = i, mask; n++ }
//	}
//
// The directions in the plane of the primitives (m x u, m x v, ...) also decide pairs that stay coplanar. The bounds
// are those of FilterVF: they hold with the maxima of the whole motion on any part of it. Queries whose size is beyond
// 2^150 keep all pieces.
func PiecesVF(rec []float64, idx [][4]int32, list []int32, tmax, sep float64, out []int32, masks []uint8) int {
	out, masks = out[:len(list)], masks[:len(list)]
	bounds := pieceBounds(tmax, sep)
	switch {
	case level == avx512 && sep == 0:
		return piecesVF512(rec, idx, list, &bounds, out, masks)
	case level == avx512:
		return piecesApartVF512(rec, idx, list, &bounds, out, masks)
	case level == avx2 && sep == 0:
		return piecesVF256(rec, idx, list, &bounds, out, masks)
	case level == avx2:
		return piecesApartVF256(rec, idx, list, &bounds, out, masks)
	}
	return piecesGeneric(rec, idx, list, &bounds, out, masks, true)
}

// PiecesEE is PiecesVF for edge-edge queries; the third direction in the plane is m x t, and u-v is left out.
func PiecesEE(rec []float64, idx [][4]int32, list []int32, tmax, sep float64, out []int32, masks []uint8) int {
	out, masks = out[:len(list)], masks[:len(list)]
	bounds := pieceBounds(tmax, sep)
	switch {
	case level == avx512 && sep == 0:
		return piecesEE512(rec, idx, list, &bounds, out, masks)
	case level == avx512:
		return piecesApartEE512(rec, idx, list, &bounds, out, masks)
	case level == avx2 && sep == 0:
		return piecesEE256(rec, idx, list, &bounds, out, masks)
	case level == avx2:
		return piecesApartEE256(rec, idx, list, &bounds, out, masks)
	}
	return piecesGeneric(rec, idx, list, &bounds, out, masks, false)
}

// largestPiece takes the place of largest: directions here are products of three lengths more, at most 2^458.
const largestPiece = 0x1p150

// pieceBounds holds the weights 1-t and t of the eight starts, then of the eight ends; at 32, the separation with slack,
// once and three times, and at 36 the same again, for kernels that take four pieces at a time.
func pieceBounds(tmax, sep float64) (b [40]float64) {
	ends := PieceEnds(tmax)
	for k := range 8 {
		b[k], b[8+k] = 1-ends[k], ends[k]
		b[16+k], b[24+k] = 1-ends[k+1], ends[k+1]
	}
	f := filterBounds(tmax, sep)
	b[32], b[33] = f[2], f[3]
	b[36], b[37] = f[2], f[3]
	return b
}
