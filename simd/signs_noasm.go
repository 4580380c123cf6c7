//go:build !amd64

package simd

// Without assembly every level is the generic one.

func signsVF512(rec []float64, idx [][4]int32, list []int32, bounds *[130]float64, masks []uint8) {
	signsGeneric(rec, idx, list, bounds, masks, true)
}

func signsVF256(rec []float64, idx [][4]int32, list []int32, bounds *[130]float64, masks []uint8) {
	signsGeneric(rec, idx, list, bounds, masks, true)
}

func signsEE512(rec []float64, idx [][4]int32, list []int32, bounds *[130]float64, masks []uint8) {
	signsGeneric(rec, idx, list, bounds, masks, false)
}

func signsEE256(rec []float64, idx [][4]int32, list []int32, bounds *[130]float64, masks []uint8) {
	signsGeneric(rec, idx, list, bounds, masks, false)
}

func signsApartVF512(rec []float64, idx [][4]int32, list []int32, bounds *[130]float64, masks []uint8) {
	signsGeneric(rec, idx, list, bounds, masks, true)
}

func signsApartVF256(rec []float64, idx [][4]int32, list []int32, bounds *[130]float64, masks []uint8) {
	signsGeneric(rec, idx, list, bounds, masks, true)
}

func signsApartEE512(rec []float64, idx [][4]int32, list []int32, bounds *[130]float64, masks []uint8) {
	signsGeneric(rec, idx, list, bounds, masks, false)
}

func signsApartEE256(rec []float64, idx [][4]int32, list []int32, bounds *[130]float64, masks []uint8) {
	signsGeneric(rec, idx, list, bounds, masks, false)
}
