package patch

// blendFits reports whether the slices are as long as counts say, and there is a row.
func blendFits(rows [][8]float64, weights []float64, counts []int, out [][8]float64) bool {
	n := 0
	for _, c := range counts {
		n += c
	}
	return n > 0 && n <= len(rows) && n <= len(weights) && len(counts) <= len(out)
}

// blendGeneric writes weighted sums of rows: sum k takes the next counts[k] rows and as many weights.
//
//	even, odd := 0, 0
//	for i := 0; i < counts[k]; i += 2 {
//		even += weights[i] * rows[i]
//		odd += weights[i+1] * rows[i+1], if there is one
//	}
//	out[k] = even + odd
//
// for each of the eight numbers of a row. No sum is fused. There are as many rows and weights as counts say.
func blendGeneric(rows [][8]float64, weights []float64, counts []int, out [][8]float64) {
	at := 0
	for k, n := range counts {
		var sums [2][8]float64
		for i := range n {
			row, w, sum := &rows[at+i], weights[at+i], &sums[i%2]
			sum[0] += float64(w * row[0])
			sum[1] += float64(w * row[1])
			sum[2] += float64(w * row[2])
			sum[3] += float64(w * row[3])
			sum[4] += float64(w * row[4])
			sum[5] += float64(w * row[5])
			sum[6] += float64(w * row[6])
			sum[7] += float64(w * row[7])
		}
		at += n
		for e := range out[k] {
			out[k][e] = sums[0][e] + sums[1][e]
		}
	}
}
