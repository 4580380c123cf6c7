package simd

import "unsafe"

// Blend writes weighted sums of rows: sum k takes the next counts[k] rows and as many weights.
//
//	even, odd := 0, 0
//	for i := 0; i < counts[k]; i += 2 {
//		even += weights[i] * rows[i]
//		odd += weights[i+1] * rows[i+1], if there is one
//	}
//	out[k] = even + odd
//
// for each of the eight numbers of a row. No sum is fused. There are as many rows and weights as counts say.
func Blend(rows [][8]float64, weights []float64, counts []int, out [][8]float64) {
	n := 0
	for _, c := range counts {
		n += c
	}
	if level == generic || n == 0 || n > len(rows) || n > len(weights) || len(counts) > len(out) {
		blendGeneric(rows, weights, counts, out)
		return
	}
	w, r := unsafe.SliceData(weights), &unsafe.SliceData(rows)[0]
	if level == avx512 {
		blend512(r, w, unsafe.SliceData(counts), len(counts), &out[0][0])
	} else {
		blend256(r, w, unsafe.SliceData(counts), len(counts), &out[0][0])
	}
}
