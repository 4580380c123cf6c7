//go:build !amd64

package simd

// Without assembly every level is the generic one.

func diagonalVF512(rec []float64, idx [][4]int32, gap float64, out []int32) int {
	return diagonalGeneric(rec, idx, 1, gap, out)
}

func diagonalVF256(rec []float64, idx [][4]int32, gap float64, out []int32) int {
	return diagonalGeneric(rec, idx, 1, gap, out)
}

func diagonalEE512(rec []float64, idx [][4]int32, gap float64, out []int32) int {
	return diagonalGeneric(rec, idx, 2, gap, out)
}

func diagonalEE256(rec []float64, idx [][4]int32, gap float64, out []int32) int {
	return diagonalGeneric(rec, idx, 2, gap, out)
}
