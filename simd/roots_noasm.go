//go:build !amd64

package simd

// Without assembly every level is the generic one.

func rootsVF512(rec []float64, idx [][4]int32, list []int32, piece []uint8, ends *[9]float64, toi []float64, state []uint8) {
	rootsGeneric(rec, idx, list, piece, ends, toi, state, true)
}

func rootsVF256(rec []float64, idx [][4]int32, list []int32, piece []uint8, ends *[9]float64, toi []float64, state []uint8) {
	rootsGeneric(rec, idx, list, piece, ends, toi, state, true)
}

func rootsEE512(rec []float64, idx [][4]int32, list []int32, piece []uint8, ends *[9]float64, toi []float64, state []uint8) {
	rootsGeneric(rec, idx, list, piece, ends, toi, state, false)
}

func rootsEE256(rec []float64, idx [][4]int32, list []int32, piece []uint8, ends *[9]float64, toi []float64, state []uint8) {
	rootsGeneric(rec, idx, list, piece, ends, toi, state, false)
}
