//go:build !amd64

package simd

// Without assembly every level is the generic one.

func inPlaneVF256(rec []float64, idx [][4]int32, list []int32, bounds *[4]float64, out []int32) int {
	return inPlaneGeneric(rec, idx, list, bounds, out, true)
}

func inPlaneEE256(rec []float64, idx [][4]int32, list []int32, bounds *[4]float64, out []int32) int {
	return inPlaneGeneric(rec, idx, list, bounds, out, false)
}

func inPlaneVF512(rec []float64, idx [][4]int32, list []int32, bounds *[4]float64, out []int32) int {
	return inPlaneGeneric(rec, idx, list, bounds, out, true)
}

func inPlaneEE512(rec []float64, idx [][4]int32, list []int32, bounds *[4]float64, out []int32) int {
	return inPlaneGeneric(rec, idx, list, bounds, out, false)
}
