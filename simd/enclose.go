package simd

// EncloseLen is the largest number of queries of a call of EncloseVF and EncloseEE: their output stays in the first-level cache.
const EncloseLen = 64

// Enclosures holds the results for number j of a list in column j, each in its row.
type Enclosures [encloseRows][EncloseLen]float64

// Rows of Enclosures: both ends of the distance, and the parameters of a nearest point.
const (
	EncloseLo   = 0
	EncloseHi   = 1
	EncloseU    = 2
	EncloseV    = 3
	encloseRows = 4
)

// The bounds of an enclosure are those of core/proximity/bound.go, where they are derived: upperBound, lowerBound and encloseFloats.
const (
	encloseSum    = 5 * 0x1p-53   // of a component of A + u B + v C, relative to the sum of the terms' magnitudes
	encloseCorner = 2 * 0x1p-53   // of a component of a corner
	encloseTiny   = 0x1p-400      // pays for squares that underflow
	encloseUp     = 1 + 8*0x1p-53 // of a length, upwards
	encloseDown   = 1 - 8*0x1p-53 // and downwards
	encloseAlong  = 6 * 0x1p-53   // of a component along a direction, relative to the sum of the terms' magnitudes
	encloseLoss   = 0x1p-1000     // what underflows there
	encloseSquare = 0x1p-900      // the square of a direction must exceed it
	encloseTight  = 0x1p-24       // relative width of a result
	encloseFine   = 0x1p-46       // relative width at which a second direction would gain little
	encloseLeast  = 0x1p-100      // extents of the set of differences for which no product over- or underflows
	encloseMost   = 0x1p100
)

// EncloseVF encloses the distances of vertex-face queries at the start of the motion. For query list[j], column j of out is
//
//	lo, hi   the distance is between them, and hi - lo <= 2^-24 hi; or lo is -1, and the column means nothing
//	u, v     parameters of a nearest point of the face, within its domain
//
// These are the bits of package proximity's own floats (core/proximity/bound.go, where the bounds are derived):
//
//	F := A + u B + v C; its corners are differences of two vertices, rounded once
//	u, v := of the point of least |F|, in floats: within the domain, or on a side of it, or at a corner
//	hi := |F(u, v)| + its error
//	lo := the greatest over w in {sum of the corners, F(u, v) across its side, B x C where the others leave a gap} of
//	      (the least w.corner - its error) / |w|
//
// The list has at most EncloseLen numbers; rows of out may be written up to the next multiple of eight.
func EncloseVF(rec []float64, idx [][4]int32, list []int32, out *Enclosures) {
	_ = out[0][:len(list)]
	encloseVF(rec, idx, list, out)
}

// EncloseEE is EncloseVF for edge-edge queries, with u on edge a and v on edge b.
func EncloseEE(rec []float64, idx [][4]int32, list []int32, out *Enclosures) {
	_ = out[0][:len(list)]
	encloseEE(rec, idx, list, out)
}
