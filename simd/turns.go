package simd

// turns writes to alive, for every j, 0 if the query list[j] is proven apart by more than the separation on its piece
// piece[j], by a coordinate axis or by a direction, else 1. TimePiecesVF lists the directions; the bounds are those of the
// filter.
func turns(rec []float64, idx [][4]int32, list []int32, piece []uint8, ends *[9]float64, bounds *[130]float64, alive []uint8, face bool) {
	switch touch := bounds[0] == 0; {
	case face && touch:
		turnsVF(rec, idx, list, piece, ends, bounds, alive)
	case face:
		turnsApartVF(rec, idx, list, piece, ends, bounds, alive)
	case touch:
		turnsEE(rec, idx, list, piece, ends, bounds, alive)
	default:
		turnsApartEE(rec, idx, list, piece, ends, bounds, alive)
	}
}
