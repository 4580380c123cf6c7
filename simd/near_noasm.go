//go:build !amd64

package simd

// Without assembly every level is the generic one.

func nearVF512(rec []float64, idx [][4]int32, square float64, out []int32) int {
	return nearGeneric(rec, idx, square, out, true)
}

func nearVF256(rec []float64, idx [][4]int32, square float64, out []int32) int {
	return nearGeneric(rec, idx, square, out, true)
}

func nearEE512(rec []float64, idx [][4]int32, square float64, out []int32) int {
	return nearGeneric(rec, idx, square, out, false)
}

func nearEE256(rec []float64, idx [][4]int32, square float64, out []int32) int {
	return nearGeneric(rec, idx, square, out, false)
}
