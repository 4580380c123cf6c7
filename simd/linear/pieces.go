package linear

import (
	"math"
	"math/bits"
)

// TimePieceEnds returns the times that bound the eight pieces of [0, tmax]: k/8 of tmax, where tmax
// is first raised to the next double of 13 significant bits and to no less than 2^-60. So all ends
// are exact, integers below 2^17 times one power of two, which RootsVF relies on; a proof on a
// little more than [0, tmax] is still a proof, and a time found beyond tmax is no contact.
func TimePieceEnds(tmax float64) (ends [9]float64) {
	const tail = 1<<40 - 1 // the low 40 of the 52 bits of the fraction
	tmax = max(math.Float64frombits((math.Float64bits(tmax)+tail)&^tail), 0x1p-60)
	for k := range ends {
		ends[k] = tmax * (float64(k) / 8)
	}
	return ends
}

// TimePiecesVF cuts [0, tmax] at TimePieceEnds and tests every vertex-face query of list on each of
// the eight pieces. It writes to out, in the order of list, the positions of those queries that may
// touch within sep on some piece, to masks the pieces where they may (bit k: the closed piece k),
// and returns how many there are. A bit that is not set is a proof that |F|max > sep on that closed
// piece. out may be list itself; out and masks must hold len(list) entries.
//
// A query is apart on a piece if the cubic A.(B x C) keeps its sign there; or if, at both ends of
// the piece, a coordinate axis separates, or one of the directions u x v, v x t, t x u, m x u, m x
// v, m x (u-v), where m = u x v, or, with a separation, one of the coordinate axes crossed with u,
// v, u-v. The directions in the plane of the primitives (m x u, m x v, ...) also decide pairs that
// stay coplanar. The bounds are those of FilterVF: they hold with the maxima of the whole motion on
// any part of it. Queries whose size is beyond 2^150 keep all pieces.
func TimePiecesVF(rec []float64, idx [][4]int32, list []int32, tmax, sep float64, out []int32, masks []uint8) int {
	return pieces(rec, idx, list, tmax, sep, out, masks, true)
}

// TimePiecesEE is TimePiecesVF for edge-edge queries; the third direction in the plane is m x t,
// and u-v is left out.
func TimePiecesEE(rec []float64, idx [][4]int32, list []int32, tmax, sep float64, out []int32, masks []uint8) int {
	return pieces(rec, idx, list, tmax, sep, out, masks, false)
}

// pieceChunk is the number of queries that are processed at a time. Their data are on the stack.
const pieceChunk = 64

// pieces runs two kernels: signs tests all pieces of a query at once; turns tests the remaining
// pieces of all queries.
func pieces(rec []float64, idx [][4]int32, list []int32, tmax, sep float64, out []int32, masks []uint8, face bool) int {
	out, masks = out[:len(list)], masks[:len(list)]
	bounds, ends := makePieceBounds(tmax, sep), TimePieceEnds(tmax)
	var left [pieceChunk]uint8
	var query [8 * pieceChunk]int32
	var piece, alive [8 * pieceChunk]uint8
	n := 0
	for first := 0; first < len(list); first += pieceChunk {
		part := list[first:min(first+pieceChunk, len(list))]
		signs(rec, idx, part, &bounds, left[:len(part)], face)
		jobs := 0
		for i, q := range part {
			for m := left[i]; m != 0; m &= m - 1 {
				query[jobs], piece[jobs] = q, uint8(bits.TrailingZeros8(m))
				jobs++
			}
		}
		turns(rec, idx, query[:jobs], piece[:jobs], &ends, &bounds, alive[:jobs], face)
		j := 0
		for i, q := range part {
			mask := uint8(0)
			for m := left[i]; m != 0; m &= m - 1 {
				mask |= alive[j] << piece[j]
				j++
			}
			if mask != 0 {
				out[n], masks[n] = q, mask
				n++
			}
		}
	}
	return n
}
