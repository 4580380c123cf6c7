//go:build !amd64

package simd

// Without assembly every level is the generic one.

func curvedRoots2VF512(rec []float64, idx [][4]int32, list []int32, from, to, toi []float64, state []uint8) {
	curvedRootsGeneric(rec, 2, idx, list, from, to, toi, state, true)
}

func curvedTimes2VF512(rec []float64, idx [][4]int32, list []int32, at, toi []float64, state []uint8) {
	curvedTimesGeneric(rec, 2, idx, list, at, toi, state, true)
}

func curvedRoots2VF256(rec []float64, idx [][4]int32, list []int32, from, to, toi []float64, state []uint8) {
	curvedRootsGeneric(rec, 2, idx, list, from, to, toi, state, true)
}

func curvedTimes2VF256(rec []float64, idx [][4]int32, list []int32, at, toi []float64, state []uint8) {
	curvedTimesGeneric(rec, 2, idx, list, at, toi, state, true)
}

func curvedRoots2EE512(rec []float64, idx [][4]int32, list []int32, from, to, toi []float64, state []uint8) {
	curvedRootsGeneric(rec, 2, idx, list, from, to, toi, state, false)
}

func curvedTimes2EE512(rec []float64, idx [][4]int32, list []int32, at, toi []float64, state []uint8) {
	curvedTimesGeneric(rec, 2, idx, list, at, toi, state, false)
}

func curvedRoots2EE256(rec []float64, idx [][4]int32, list []int32, from, to, toi []float64, state []uint8) {
	curvedRootsGeneric(rec, 2, idx, list, from, to, toi, state, false)
}

func curvedTimes2EE256(rec []float64, idx [][4]int32, list []int32, at, toi []float64, state []uint8) {
	curvedTimesGeneric(rec, 2, idx, list, at, toi, state, false)
}

func curvedRoots3VF512(rec []float64, idx [][4]int32, list []int32, from, to, toi []float64, state []uint8) {
	curvedRootsGeneric(rec, 3, idx, list, from, to, toi, state, true)
}

func curvedTimes3VF512(rec []float64, idx [][4]int32, list []int32, at, toi []float64, state []uint8) {
	curvedTimesGeneric(rec, 3, idx, list, at, toi, state, true)
}

func curvedRoots3VF256(rec []float64, idx [][4]int32, list []int32, from, to, toi []float64, state []uint8) {
	curvedRootsGeneric(rec, 3, idx, list, from, to, toi, state, true)
}

func curvedTimes3VF256(rec []float64, idx [][4]int32, list []int32, at, toi []float64, state []uint8) {
	curvedTimesGeneric(rec, 3, idx, list, at, toi, state, true)
}

func curvedRoots3EE512(rec []float64, idx [][4]int32, list []int32, from, to, toi []float64, state []uint8) {
	curvedRootsGeneric(rec, 3, idx, list, from, to, toi, state, false)
}

func curvedTimes3EE512(rec []float64, idx [][4]int32, list []int32, at, toi []float64, state []uint8) {
	curvedTimesGeneric(rec, 3, idx, list, at, toi, state, false)
}

func curvedRoots3EE256(rec []float64, idx [][4]int32, list []int32, from, to, toi []float64, state []uint8) {
	curvedRootsGeneric(rec, 3, idx, list, from, to, toi, state, false)
}

func curvedTimes3EE256(rec []float64, idx [][4]int32, list []int32, at, toi []float64, state []uint8) {
	curvedTimesGeneric(rec, 3, idx, list, at, toi, state, false)
}
