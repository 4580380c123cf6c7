package simd

// turns writes to alive, for every j, 0 if the query list[j] is proven apart by more than the separation on its piece
// piece[j], by a coordinate axis or by a direction, else 1. TimePiecesVF lists the directions; the bounds are those of the
// filter.
func turns(rec []float64, idx [][4]int32, list []int32, piece []uint8, ends *[9]float64, bounds *[130]float64, alive []uint8, face bool) {
	switch {
	case level == generic:
		turnsGeneric(rec, idx, list, piece, ends, bounds, alive, face)
	case level == avx512 && face && bounds[0] == 0:
		turnsVF512(rec, idx, list, piece, ends, bounds, alive)
	case level == avx512 && face:
		turnsApartVF512(rec, idx, list, piece, ends, bounds, alive)
	case level == avx512 && bounds[0] == 0:
		turnsEE512(rec, idx, list, piece, ends, bounds, alive)
	case level == avx512:
		turnsApartEE512(rec, idx, list, piece, ends, bounds, alive)
	case face && bounds[0] == 0:
		turnsVF256(rec, idx, list, piece, ends, bounds, alive)
	case face:
		turnsApartVF256(rec, idx, list, piece, ends, bounds, alive)
	case bounds[0] == 0:
		turnsEE256(rec, idx, list, piece, ends, bounds, alive)
	default:
		turnsApartEE256(rec, idx, list, piece, ends, bounds, alive)
	}
}
