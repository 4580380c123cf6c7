package simd

const (
	// curvedPointBound: a point at a double in double-doubles, of control points of at most M, is off by less than 107 * 2^-106 M, the difference of two by 188 * 2^-106 M.
	curvedPointBound = 0x1p-98
	// curvedVelocityBound: the difference of two velocities, by less than 840 * 2^-106 M.
	curvedVelocityBound = 0x1p-96
	// pairSlack: what the sum with an error rounds, of a pair whose low part is at most 6U of the high one.
	pairSlack = 0x1p-102
	// aheadSlack: a sum of pairs is off by 5 * 2^-106 of what it adds up.
	aheadSlack = 0x1p-103
	// Magnitudes of the control points, of relative coordinates and of F within which no step underflows or overflows.
	leastPlaced, mostPlaced = 0x1p-60, 0x1p60
	leastRelative           = 0x1p-300
)

// CurvedPlaceVF finds where vertex-face queries on paths touch whose first contact is strictly between toi[j] and the next double, without a separation. Its numbers are those
// of docs/proofs/motions.md, "Where they touch", in every bit, for they are unique:
//
//	u, v     of the nearest points at the next double, from the rounded points
//	width    the way from toi to the next double times the largest component of a relative velocity, rounded
//	point    on the face, or between both edges, at toi
//	normal   of the linear pair that moves on along the velocities
//
// placed[j] is 0 where double-doubles do not tell how a number rounds, where B and C are about parallel, or where the motion at the contact is rounding; then the column
// means nothing. Lists and rows are those of PlaceVF.
func CurvedPlaceVF(rec []float64, degree int, idx [][4]int32, list []int32, toi []float64, out *Places, placed []uint8) {
	toi, placed = toi[:len(list)], placed[:len(list)]
	if degree == 2 {
		curvedPlace2VF(rec, idx, list, toi, out, placed)
	} else {
		curvedPlace3VF(rec, idx, list, toi, out, placed)
	}
}

// CurvedPlaceEE is CurvedPlaceVF for edge-edge queries.
func CurvedPlaceEE(rec []float64, degree int, idx [][4]int32, list []int32, toi []float64, out *Places, placed []uint8) {
	toi, placed = toi[:len(list)], placed[:len(list)]
	if degree == 2 {
		curvedPlace2EE(rec, idx, list, toi, out, placed)
	} else {
		curvedPlace3EE(rec, idx, list, toi, out, placed)
	}
}
