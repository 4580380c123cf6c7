package simd

// Rows of what PlaceVF and PlaceEE write.
const (
	PlaceU      = 0
	PlaceV      = 1
	PlaceWidth  = 2
	PlacePoint  = 3 // and two more, for y and z
	PlaceNormal = 6 // the same
	placeRows   = 9
)

// PlaceLen is the largest number of queries of a call of PlaceVF and PlaceEE: their output stays in the first-level cache.
const PlaceLen = 64

// Places holds the results for number j of a list in column j, each in its row.
type Places [placeRows][PlaceLen]float64

const (
	// leastSlope: u and v are right to 2^-53 when |f'| |N_k| is at least this, lengths scaled to at most 1:
	// docs/proofs/exact.md, "Where they touch".
	leastSlope = 0x1p-36
	// leastRatio: axes whose scales differ by more are left out, for the normal's sake.
	leastRatio = 0x1p-40
	// leastLength: below it a length has no exponent of its own.
	leastLength = 0x1p-1022
)

// PlaceVF finds where vertex-face queries touch, eight at a time. Query list[j] is known to have a simple root of its cubic f =
// A.N, N = B x C, strictly between toi[j] and the next double, with u, v and 1-u-v positive there. If f' N_k, k N's largest
// component, is not too small for that, placed[j] is 1, and column j of out is
//
//	u, v     at the root, right to 2^-53 besides two roundings, within the domain
//	width    the largest component of dF/dt at u, v, times the way from toi to the next double
//	point    on the face, or on the edge a, at toi
//	normal   the unit vector of -sign(f') N
//
// else placed[j] is 0 and the column means nothing. The list has at most PlaceLen numbers; rows of out may be written
// up to the next multiple of eight. It works in double-doubles, every axis scaled by its own power of two:
//
//	a, b, c, n := A, B, C, N at toi, in double-doubles; a', b', c', n' their derivatives, in doubles
//	delta := -f / f', from toi to the root
//	u := ((c x a)_k + delta (c x a)'_k) / (n_k + delta n'_k), and v likewise with a x b
func PlaceVF(rec []float64, idx [][4]int32, list []int32, toi []float64, out *Places, placed []uint8) {
	placeVF(rec, idx, list, toi[:len(list)], out, placed[:len(list)])
}

// PlaceEE is PlaceVF for edge-edge queries; 1-u and 1-v take the place of 1-u-v.
func PlaceEE(rec []float64, idx [][4]int32, list []int32, toi []float64, out *Places, placed []uint8) {
	placeEE(rec, idx, list, toi[:len(list)], out, placed[:len(list)])
}
