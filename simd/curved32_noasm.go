//go:build !amd64

package simd

// Without assembly every level is the generic one.

func curved32Whole2VF512(rec []float64, idx [][4]int32, list []int32, bounds *[4]float32, out []int32) int {
	return curved32Generic(rec, 2, idx, list, bounds, true, out, true)
}

func curved32Part2VF512(rec []float64, idx [][4]int32, list []int32, bounds *[4]float32, out []int32) int {
	return curved32Generic(rec, 2, idx, list, bounds, false, out, true)
}

func curved32Whole2VF256(rec []float64, idx [][4]int32, list []int32, bounds *[4]float32, out []int32) int {
	return curved32Generic(rec, 2, idx, list, bounds, true, out, true)
}

func curved32Part2VF256(rec []float64, idx [][4]int32, list []int32, bounds *[4]float32, out []int32) int {
	return curved32Generic(rec, 2, idx, list, bounds, false, out, true)
}

func curved32Whole2EE512(rec []float64, idx [][4]int32, list []int32, bounds *[4]float32, out []int32) int {
	return curved32Generic(rec, 2, idx, list, bounds, true, out, false)
}

func curved32Part2EE512(rec []float64, idx [][4]int32, list []int32, bounds *[4]float32, out []int32) int {
	return curved32Generic(rec, 2, idx, list, bounds, false, out, false)
}

func curved32Whole2EE256(rec []float64, idx [][4]int32, list []int32, bounds *[4]float32, out []int32) int {
	return curved32Generic(rec, 2, idx, list, bounds, true, out, false)
}

func curved32Part2EE256(rec []float64, idx [][4]int32, list []int32, bounds *[4]float32, out []int32) int {
	return curved32Generic(rec, 2, idx, list, bounds, false, out, false)
}

func curved32Whole3VF512(rec []float64, idx [][4]int32, list []int32, bounds *[4]float32, out []int32) int {
	return curved32Generic(rec, 3, idx, list, bounds, true, out, true)
}

func curved32Part3VF512(rec []float64, idx [][4]int32, list []int32, bounds *[4]float32, out []int32) int {
	return curved32Generic(rec, 3, idx, list, bounds, false, out, true)
}

func curved32Whole3VF256(rec []float64, idx [][4]int32, list []int32, bounds *[4]float32, out []int32) int {
	return curved32Generic(rec, 3, idx, list, bounds, true, out, true)
}

func curved32Part3VF256(rec []float64, idx [][4]int32, list []int32, bounds *[4]float32, out []int32) int {
	return curved32Generic(rec, 3, idx, list, bounds, false, out, true)
}

func curved32Whole3EE512(rec []float64, idx [][4]int32, list []int32, bounds *[4]float32, out []int32) int {
	return curved32Generic(rec, 3, idx, list, bounds, true, out, false)
}

func curved32Part3EE512(rec []float64, idx [][4]int32, list []int32, bounds *[4]float32, out []int32) int {
	return curved32Generic(rec, 3, idx, list, bounds, false, out, false)
}

func curved32Whole3EE256(rec []float64, idx [][4]int32, list []int32, bounds *[4]float32, out []int32) int {
	return curved32Generic(rec, 3, idx, list, bounds, true, out, false)
}

func curved32Part3EE256(rec []float64, idx [][4]int32, list []int32, bounds *[4]float32, out []int32) int {
	return curved32Generic(rec, 3, idx, list, bounds, false, out, false)
}
