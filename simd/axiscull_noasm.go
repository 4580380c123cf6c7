//go:build !amd64

package simd

// Without assembly every level is the generic one.

func axisCullVF512(rec []float64, idx [][4]int32, sep float64, out []int32) int {
	return axisCullVFGeneric(rec, idx, sep, out)
}

func axisCullVF256(rec []float64, idx [][4]int32, sep float64, out []int32) int {
	return axisCullVFGeneric(rec, idx, sep, out)
}

func axisCullEE512(rec []float64, idx [][4]int32, sep float64, out []int32) int {
	return axisCullEEGeneric(rec, idx, sep, out)
}

func axisCullEE256(rec []float64, idx [][4]int32, sep float64, out []int32) int {
	return axisCullEEGeneric(rec, idx, sep, out)
}
