package simd

// Roots on curved paths: the first contact of queries whose vertices move on polynomials of degree k = 2 or 3 in t, without a separation. Records are those
// of curved.go. CurvedRootsVF isolates the roots of f = A.(B x C), of degree 3k, in doubles; CurvedTimesVF rounds the time of one of them, in double-doubles.
// docs/proofs/motions.md, "Kernels for roots", derives the bounds.
const (
	// curvedReach: the root of a part is looked for at this distance from where doubles find it, in units of the part.
	curvedReach = 0x1p-24
	// curvedReachBound: a minor of A, B, C at the root in doubles, against the one at a root within curvedReach of it: entries change by 2k M curvedReach, 6M at most, and are off
	// by 16U M. (1 + 6.01 curvedReach)^2 - 1 < 12.1 curvedReach.
	curvedReachBound = 0x1p-20
	// curvedNearBound: f in double-doubles at a double is off by less than 159 * 2^-106 P.
	curvedNearBound = 0x1p-97
	// curvedFarBound: f at a neighboring double, from its value and its slope in doubles, by less than 675 * 2^-106 P.
	curvedFarBound = 0x1p-95
	// curvedMinorBound: a minor of A, B, C, rounded at a double, against the one at a root next to it: 18.1U of its permanent.
	curvedMinorBound = 0x1p-48
	// curvedNewtonTurns and curvedTimesTurns bound the iterations; a query that has not converged then is not certified.
	curvedNewtonTurns = 16
	curvedTimesTurns  = 4
)

// CurvedRootsVF looks, for every j, for a root of f of the vertex-face query list[j] in the part [from[j], to[j]] of the time, whose ends are multiples of
// 2^-50. It writes to state[j] what it has proven:
//
//	RootNone       no contact on the closed part: f has no zero there, or a single one, where u or v is certainly out of range
//	RootContact    f has one zero on the closed part, inside, and it is simple; toi[j] is about where, which proves nothing
//	RootUndecided  anything else
//
// toi[j] is 0 in the other cases. from, to, toi and state must hold len(list) entries.
func CurvedRootsVF(rec []float64, degree int, idx [][4]int32, list []int32, from, to, toi []float64, state []uint8) {
	from, to, toi, state = from[:len(list)], to[:len(list)], toi[:len(list)], state[:len(list)]
	if degree == 2 {
		curvedRoots2VF(rec, idx, list, from, to, toi, state)
	} else {
		curvedRoots3VF(rec, idx, list, from, to, toi, state)
	}
}

// CurvedRootsEE is CurvedRootsVF for edge-edge queries.
func CurvedRootsEE(rec []float64, degree int, idx [][4]int32, list []int32, from, to, toi []float64, state []uint8) {
	from, to, toi, state = from[:len(list)], to[:len(list)], toi[:len(list)], state[:len(list)]
	if degree == 2 {
		curvedRoots2EE(rec, idx, list, from, to, toi, state)
	} else {
		curvedRoots3EE(rec, idx, list, from, to, toi, state)
	}
}

// CurvedTimesVF goes from at[j], near a zero of f of the vertex-face query list[j], to neighboring doubles at which f certainly has different signs. It writes the
// lower one to toi[j], and to state[j] RootContact if a zero between them is a contact, RootNone if none between them is, else RootUndecided: then toi[j] means
// nothing. at, toi and state must hold len(list) entries.
func CurvedTimesVF(rec []float64, degree int, idx [][4]int32, list []int32, at, toi []float64, state []uint8) {
	at, toi, state = at[:len(list)], toi[:len(list)], state[:len(list)]
	if degree == 2 {
		curvedTimes2VF(rec, idx, list, at, toi, state)
	} else {
		curvedTimes3VF(rec, idx, list, at, toi, state)
	}
}

// CurvedTimesEE is CurvedTimesVF for edge-edge queries.
func CurvedTimesEE(rec []float64, degree int, idx [][4]int32, list []int32, at, toi []float64, state []uint8) {
	at, toi, state = at[:len(list)], toi[:len(list)], state[:len(list)]
	if degree == 2 {
		curvedTimes2EE(rec, idx, list, at, toi, state)
	} else {
		curvedTimes3EE(rec, idx, list, at, toi, state)
	}
}
