//go:build !amd64

package simd

// Without assembly every level is the generic one.

func filterWholeVF512(rec []float64, idx [][4]int32, list []int32, bounds *[4]float64, out []int32) int {
	return filterGeneric(rec, idx, list, bounds, out, true)
}

func filterWholeVF256(rec []float64, idx [][4]int32, list []int32, bounds *[4]float64, out []int32) int {
	return filterGeneric(rec, idx, list, bounds, out, true)
}

func filterWholeEE512(rec []float64, idx [][4]int32, list []int32, bounds *[4]float64, out []int32) int {
	return filterGeneric(rec, idx, list, bounds, out, false)
}

func filterWholeEE256(rec []float64, idx [][4]int32, list []int32, bounds *[4]float64, out []int32) int {
	return filterGeneric(rec, idx, list, bounds, out, false)
}

func filterPartVF512(rec []float64, idx [][4]int32, list []int32, bounds *[4]float64, out []int32) int {
	return filterGeneric(rec, idx, list, bounds, out, true)
}

func filterPartVF256(rec []float64, idx [][4]int32, list []int32, bounds *[4]float64, out []int32) int {
	return filterGeneric(rec, idx, list, bounds, out, true)
}

func filterPartEE512(rec []float64, idx [][4]int32, list []int32, bounds *[4]float64, out []int32) int {
	return filterGeneric(rec, idx, list, bounds, out, false)
}

func filterPartEE256(rec []float64, idx [][4]int32, list []int32, bounds *[4]float64, out []int32) int {
	return filterGeneric(rec, idx, list, bounds, out, false)
}
