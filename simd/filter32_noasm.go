//go:build !amd64

package simd

// Without assembly every level is the generic one.

func filter32WholeVF512(rec []float64, idx [][4]int32, list []int32, bounds *[4]float32, out []int32) int {
	return filter32Generic(rec, idx, list, bounds, out, true)
}

func filter32WholeVF256(rec []float64, idx [][4]int32, list []int32, bounds *[4]float32, out []int32) int {
	return filter32Generic(rec, idx, list, bounds, out, true)
}

func filter32WholeEE512(rec []float64, idx [][4]int32, list []int32, bounds *[4]float32, out []int32) int {
	return filter32Generic(rec, idx, list, bounds, out, false)
}

func filter32WholeEE256(rec []float64, idx [][4]int32, list []int32, bounds *[4]float32, out []int32) int {
	return filter32Generic(rec, idx, list, bounds, out, false)
}

func filter32PartVF512(rec []float64, idx [][4]int32, list []int32, bounds *[4]float32, out []int32) int {
	return filter32Generic(rec, idx, list, bounds, out, true)
}

func filter32PartVF256(rec []float64, idx [][4]int32, list []int32, bounds *[4]float32, out []int32) int {
	return filter32Generic(rec, idx, list, bounds, out, true)
}

func filter32PartEE512(rec []float64, idx [][4]int32, list []int32, bounds *[4]float32, out []int32) int {
	return filter32Generic(rec, idx, list, bounds, out, false)
}

func filter32PartEE256(rec []float64, idx [][4]int32, list []int32, bounds *[4]float32, out []int32) int {
	return filter32Generic(rec, idx, list, bounds, out, false)
}
