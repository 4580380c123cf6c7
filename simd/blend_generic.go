package simd

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
