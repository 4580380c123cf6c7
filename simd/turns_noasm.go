//go:build !amd64

package simd

// Without assembly every level is the generic one.

func turnsVF512(rec []float64, idx [][4]int32, list []int32, piece []uint8, ends *[9]float64, bounds *[130]float64, alive []uint8) {
	turnsGeneric(rec, idx, list, piece, ends, bounds, alive, true)
}

func turnsVF256(rec []float64, idx [][4]int32, list []int32, piece []uint8, ends *[9]float64, bounds *[130]float64, alive []uint8) {
	turnsGeneric(rec, idx, list, piece, ends, bounds, alive, true)
}

func turnsEE512(rec []float64, idx [][4]int32, list []int32, piece []uint8, ends *[9]float64, bounds *[130]float64, alive []uint8) {
	turnsGeneric(rec, idx, list, piece, ends, bounds, alive, false)
}

func turnsEE256(rec []float64, idx [][4]int32, list []int32, piece []uint8, ends *[9]float64, bounds *[130]float64, alive []uint8) {
	turnsGeneric(rec, idx, list, piece, ends, bounds, alive, false)
}

func turnsApartVF512(rec []float64, idx [][4]int32, list []int32, piece []uint8, ends *[9]float64, bounds *[130]float64, alive []uint8) {
	turnsGeneric(rec, idx, list, piece, ends, bounds, alive, true)
}

func turnsApartVF256(rec []float64, idx [][4]int32, list []int32, piece []uint8, ends *[9]float64, bounds *[130]float64, alive []uint8) {
	turnsGeneric(rec, idx, list, piece, ends, bounds, alive, true)
}

func turnsApartEE512(rec []float64, idx [][4]int32, list []int32, piece []uint8, ends *[9]float64, bounds *[130]float64, alive []uint8) {
	turnsGeneric(rec, idx, list, piece, ends, bounds, alive, false)
}

func turnsApartEE256(rec []float64, idx [][4]int32, list []int32, piece []uint8, ends *[9]float64, bounds *[130]float64, alive []uint8) {
	turnsGeneric(rec, idx, list, piece, ends, bounds, alive, false)
}
