package simd

// AxisCullVF writes to out, in rising order, the positions of the vertex-face queries that no coordinate axis separates
// by more than sep at both ends of the motion with the vertex on the same side, and returns how many there are.
//
//	for i, q := range idx {
//		apart := false
//		for k := range 3 { // at both ends s: the vertex above the whole face, or below it
//			apart = apart || all s: v[s][k] - max(f0[s][k], f1[s][k], f2[s][k]) > sep
//			apart = apart || all s: v[s][k] - min(f0[s][k], f1[s][k], f2[s][k]) < -sep
//		}
//		if !apart { out[n] = i; n++ }
//	}
//
// A query left out is a proof: on that axis v - (a point of the face) is linear in t for fixed u and v, so it exceeds
// sep throughout when it does so at both ends. The test is exact in this direction with no error bound: rounding is
// monotone and sep is a double, so fl(a-b) > sep implies a-b > sep; for sep = 0 the two are equivalent.
// sep must not be negative. out must hold len(idx) entries.
func AxisCullVF(rec []float64, idx [][4]int32, sep float64, out []int32) int {
	out = out[:len(idx)]
	switch level {
	case avx512:
		return axisCullVF512(rec, idx, sep, out)
	case avx2:
		return axisCullVF256(rec, idx, sep, out)
	}
	return axisCullVFGeneric(rec, idx, sep, out)
}

// AxisCullEE is AxisCullVF for edge-edge queries: an axis separates when the smaller end of one edge lies more than sep
// above the larger end of the other.
func AxisCullEE(rec []float64, idx [][4]int32, sep float64, out []int32) int {
	out = out[:len(idx)]
	switch level {
	case avx512:
		return axisCullEE512(rec, idx, sep, out)
	case avx2:
		return axisCullEE256(rec, idx, sep, out)
	}
	return axisCullEEGeneric(rec, idx, sep, out)
}
