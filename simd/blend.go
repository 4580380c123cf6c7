package simd

// blendFits reports whether the slices are as long as counts say, and there is a row.
func blendFits(rows [][8]float64, weights []float64, counts []int, out [][8]float64) bool {
	n := 0
	for _, c := range counts {
		n += c
	}
	return n > 0 && n <= len(rows) && n <= len(weights) && len(counts) <= len(out)
}
