//go:build !amd64

package simd

// Without assembly every level is the generic one.

func piecesVF512(rec []float64, idx [][4]int32, list []int32, bounds *[40]float64, out []int32, masks []uint8) int {
	return piecesGeneric(rec, idx, list, bounds, out, masks, true)
}

func piecesVF256(rec []float64, idx [][4]int32, list []int32, bounds *[40]float64, out []int32, masks []uint8) int {
	return piecesGeneric(rec, idx, list, bounds, out, masks, true)
}

func piecesEE512(rec []float64, idx [][4]int32, list []int32, bounds *[40]float64, out []int32, masks []uint8) int {
	return piecesGeneric(rec, idx, list, bounds, out, masks, false)
}

func piecesEE256(rec []float64, idx [][4]int32, list []int32, bounds *[40]float64, out []int32, masks []uint8) int {
	return piecesGeneric(rec, idx, list, bounds, out, masks, false)
}

func piecesApartVF512(rec []float64, idx [][4]int32, list []int32, bounds *[40]float64, out []int32, masks []uint8) int {
	return piecesGeneric(rec, idx, list, bounds, out, masks, true)
}

func piecesApartVF256(rec []float64, idx [][4]int32, list []int32, bounds *[40]float64, out []int32, masks []uint8) int {
	return piecesGeneric(rec, idx, list, bounds, out, masks, true)
}

func piecesApartEE512(rec []float64, idx [][4]int32, list []int32, bounds *[40]float64, out []int32, masks []uint8) int {
	return piecesGeneric(rec, idx, list, bounds, out, masks, false)
}

func piecesApartEE256(rec []float64, idx [][4]int32, list []int32, bounds *[40]float64, out []int32, masks []uint8) int {
	return piecesGeneric(rec, idx, list, bounds, out, masks, false)
}
