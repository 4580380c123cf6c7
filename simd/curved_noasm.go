//go:build !amd64

package simd

// Without assembly every level is the generic one.

func curvedAxes2VF256(rec []float64, idx [][4]int32, sep float64, out []int32) int {
	return curvedAxesGeneric(rec, 2, idx, sep, out, true)
}

func curved2VF512(rec []float64, idx [][4]int32, list []int32, bounds *[4]float64, out []int32) int {
	return curvedGeneric(rec, 2, idx, list, bounds, out, true)
}

func curved2VF256(rec []float64, idx [][4]int32, list []int32, bounds *[4]float64, out []int32) int {
	return curvedGeneric(rec, 2, idx, list, bounds, out, true)
}

func curvedPart2VF512(rec []float64, idx [][4]int32, list []int32, bounds *[4]float64, out []int32) int {
	return curvedGeneric(rec, 2, idx, list, bounds, out, true)
}

func curvedPart2VF256(rec []float64, idx [][4]int32, list []int32, bounds *[4]float64, out []int32) int {
	return curvedGeneric(rec, 2, idx, list, bounds, out, true)
}

func curvedAxes2EE256(rec []float64, idx [][4]int32, sep float64, out []int32) int {
	return curvedAxesGeneric(rec, 2, idx, sep, out, false)
}

func curved2EE512(rec []float64, idx [][4]int32, list []int32, bounds *[4]float64, out []int32) int {
	return curvedGeneric(rec, 2, idx, list, bounds, out, false)
}

func curved2EE256(rec []float64, idx [][4]int32, list []int32, bounds *[4]float64, out []int32) int {
	return curvedGeneric(rec, 2, idx, list, bounds, out, false)
}

func curvedPart2EE512(rec []float64, idx [][4]int32, list []int32, bounds *[4]float64, out []int32) int {
	return curvedGeneric(rec, 2, idx, list, bounds, out, false)
}

func curvedPart2EE256(rec []float64, idx [][4]int32, list []int32, bounds *[4]float64, out []int32) int {
	return curvedGeneric(rec, 2, idx, list, bounds, out, false)
}

func curvedAxes3VF256(rec []float64, idx [][4]int32, sep float64, out []int32) int {
	return curvedAxesGeneric(rec, 3, idx, sep, out, true)
}

func curved3VF512(rec []float64, idx [][4]int32, list []int32, bounds *[4]float64, out []int32) int {
	return curvedGeneric(rec, 3, idx, list, bounds, out, true)
}

func curved3VF256(rec []float64, idx [][4]int32, list []int32, bounds *[4]float64, out []int32) int {
	return curvedGeneric(rec, 3, idx, list, bounds, out, true)
}

func curvedPart3VF512(rec []float64, idx [][4]int32, list []int32, bounds *[4]float64, out []int32) int {
	return curvedGeneric(rec, 3, idx, list, bounds, out, true)
}

func curvedPart3VF256(rec []float64, idx [][4]int32, list []int32, bounds *[4]float64, out []int32) int {
	return curvedGeneric(rec, 3, idx, list, bounds, out, true)
}

func curvedAxes3EE256(rec []float64, idx [][4]int32, sep float64, out []int32) int {
	return curvedAxesGeneric(rec, 3, idx, sep, out, false)
}

func curved3EE512(rec []float64, idx [][4]int32, list []int32, bounds *[4]float64, out []int32) int {
	return curvedGeneric(rec, 3, idx, list, bounds, out, false)
}

func curved3EE256(rec []float64, idx [][4]int32, list []int32, bounds *[4]float64, out []int32) int {
	return curvedGeneric(rec, 3, idx, list, bounds, out, false)
}

func curvedPart3EE512(rec []float64, idx [][4]int32, list []int32, bounds *[4]float64, out []int32) int {
	return curvedGeneric(rec, 3, idx, list, bounds, out, false)
}

func curvedPart3EE256(rec []float64, idx [][4]int32, list []int32, bounds *[4]float64, out []int32) int {
	return curvedGeneric(rec, 3, idx, list, bounds, out, false)
}
