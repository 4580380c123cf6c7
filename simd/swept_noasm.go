//go:build !amd64

package simd

// Without assembly every level is the generic one.

func sweptVF(rec []float64, a, b []int32, grow [][2]float64, pairs, out [][2]int32) int {
	return sweptGeneric(rec, SweptSet{a, 1}, SweptSet{b, 3}, grow, pairs, out)
}

func sweptEE(rec []float64, a, b []int32, grow [][2]float64, pairs, out [][2]int32) int {
	return sweptGeneric(rec, SweptSet{a, 2}, SweptSet{b, 2}, grow, pairs, out)
}

func sweptPE(rec []float64, a, b []int32, grow [][2]float64, pairs, out [][2]int32) int {
	return sweptGeneric(rec, SweptSet{a, 1}, SweptSet{b, 2}, grow, pairs, out)
}

func sweptPP(rec []float64, a, b []int32, grow [][2]float64, pairs, out [][2]int32) int {
	return sweptGeneric(rec, SweptSet{a, 1}, SweptSet{b, 1}, grow, pairs, out)
}
