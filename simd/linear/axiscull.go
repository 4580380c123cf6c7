package linear

import "ccd/simd/internal/query"

// axisCullVFGeneric writes to out, in rising order, the positions of the vertex-face queries that no coordinate axis separates
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
func axisCullVFGeneric(rec []float64, idx [][4]int32, sep float64, out []int32) int {
	n := 0
	for i := range idx {
		q := &idx[i]
		v, f0, f1, f2 := query.Line(rec, q[0]), query.Line(rec, q[1]), query.Line(rec, q[2]), query.Line(rec, q[3])
		keep := 1
		for k := range 3 {
			if query.Above(sep, v[k], f0[k], f1[k], f2[k]) && query.Above(sep, v[k+4], f0[k+4], f1[k+4], f2[k+4]) ||
				query.Below(sep, v[k], f0[k], f1[k], f2[k]) && query.Below(sep, v[k+4], f0[k+4], f1[k+4], f2[k+4]) {
				keep = 0
				break
			}
		}
		out[n] = int32(i)
		n += keep
	}
	return n
}

// axisCullEEGeneric is AxisCullVF for edge-edge queries: an axis separates when the smaller end of one edge lies more than sep
// above the larger end of the other.
func axisCullEEGeneric(rec []float64, idx [][4]int32, sep float64, out []int32) int {
	n := 0
	for i := range idx {
		q := &idx[i]
		a0, a1, b0, b1 := query.Line(rec, q[0]), query.Line(rec, q[1]), query.Line(rec, q[2]), query.Line(rec, q[3])
		keep := 1
		for k := range 3 {
			if query.Over(sep, a0[k], a1[k], b0[k], b1[k]) && query.Over(sep, a0[k+4], a1[k+4], b0[k+4], b1[k+4]) ||
				query.Over(sep, b0[k], b1[k], a0[k], a1[k]) && query.Over(sep, b0[k+4], b1[k+4], a0[k+4], a1[k+4]) {
				keep = 0
				break
			}
		}
		out[n] = int32(i)
		n += keep
	}
	return n
}

// Rounding is monotone, so comparing every difference gives what the contract says of extremes; and the first comparison
// mostly decides, which is faster than taking extremes.
