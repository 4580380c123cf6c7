//go:build !amd64

package simd

// Without assembly every level is the generic one.

func filterEF512(rec []float64, edges [][2]int32, faces [][3]int32, pairs [][2]int32, out []int32) int {
	return filterEFGeneric(rec, edges, faces, pairs, out)
}

func filterEF256(rec []float64, edges [][2]int32, faces [][3]int32, pairs [][2]int32, out []int32) int {
	return filterEFGeneric(rec, edges, faces, pairs, out)
}
