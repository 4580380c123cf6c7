package simd

// The states that RootsVF and RootsEE write.
const (
	RootUndecided uint8 = iota // floats cannot tell
	RootNone                   // no contact on the closed piece: a proof
	RootContact                // the first contact of the piece, at the root that toi rounds down
)

// Units of the permanent P of the maxima; derived in docs/numerics.md.
const (
	// endBound: the cubic of double-double coefficients at a double in [0, 1] is off by less than 1957 * 2^-106 P.
	endBound = 0x1p-95
	// middleBound: three times a middle Bernstein coefficient on a piece, by less than 5247 * 2^-106 P.
	middleBound = 0x1p-93
	// minorBound: a 2 x 2 minor of A, B, C, evaluated at a double next to the root, by less than 15 * 2^-53 of its
	// permanent.
	minorBound = 0x1p-49
	// leastMinor covers the underflow in a minor, below 2^-815 because no entry exceeds 2^250.
	leastMinor = 0x1p-800
	// smallestVolume: underflow, below 2^-560, is then far below the slack of the bounds, 80 * 2^-106 P.
	smallestVolume = 0x1p-400
	// leastTime: a root that is not above it is left undecided.
	leastTime = 0x1p-60
	// newtonTurns bounds the iteration; a lane that has not converged then is not certified.
	newtonTurns = 40
)

// RootsVF looks, for every j, for the first contact of the vertex-face query list[j] on its piece piece[j] of time
// (numbered as by TimePiecesVF with the same tmax), in double-double arithmetic, eight at a time. It writes to state[j]
// what it has proven:
//
//	RootNone       no contact on the closed piece: the cubic f = A.(B x C) has no zero there, or a single one, where u or v is
//	               certainly out of range
//	RootContact    a contact at tau, the only zero of f on the piece, and none before it on the piece; toi[j] is the
//	               largest double not above tau, and tau is no double itself
//	RootUndecided  anything else: several zeros, a zero at an end, a double as root, a contact at a corner or edge, f = 0 ...
//
// The proof of a rounded time is that f is certainly positive at it and certainly negative at the next double. A time
// beyond tmax may be reported, because pieces reach a little beyond it. toi[j] is 0 unless there is a contact. piece,
// toi and state must hold len(list) entries; there is no separation here.
func RootsVF(rec []float64, idx [][4]int32, list []int32, piece []uint8, tmax float64, toi []float64, state []uint8) {
	ends := TimePieceEnds(tmax)
	rootsVF(rec, idx, list, piece[:len(list)], &ends, toi[:len(list)], state[:len(list)])
}

// RootsEE is RootsVF for edge-edge queries.
func RootsEE(rec []float64, idx [][4]int32, list []int32, piece []uint8, tmax float64, toi []float64, state []uint8) {
	ends := TimePieceEnds(tmax)
	rootsEE(rec, idx, list, piece[:len(list)], &ends, toi[:len(list)], state[:len(list)])
}
