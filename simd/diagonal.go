package simd

// DiagonalVF writes to out, in rising order, the positions of the vertex-face queries that none of the directions x+y,
// y+z, z+x, x-y, y-z, z-x separates at both ends of the motion, and returns how many there are.
//
//	for i, q := range idx {
//		apart := false
//		for every direction { // sums and differences rounded
//			apart = apart || at both ends: v above f0, f1 and f2, or at both ends: v below f0, f1 and f2
//		}
//		if !apart { out[n] = i; n++ }
//	}
//
// A query left out is a proof that the primitives do not touch. Rounding is monotone: fl(x+y) > fl(x'+y') implies x+y >
// x'+y', so the comparison errs by nothing, whatever the coordinates. And d.p is linear in t and in the point of the
// primitive, so what lies above at both ends does so throughout. out must hold len(idx) entries.
func DiagonalVF(rec []float64, idx [][4]int32, out []int32) int {
	out = out[:len(idx)]
	switch level {
	case avx512:
		return diagonalVF512(rec, idx, out)
	case avx2:
		return diagonalVF256(rec, idx, out)
	}
	return diagonalGeneric(rec, idx, 1, out)
}

// DiagonalEE is DiagonalVF for edge-edge queries.
func DiagonalEE(rec []float64, idx [][4]int32, out []int32) int {
	out = out[:len(idx)]
	switch level {
	case avx512:
		return diagonalEE512(rec, idx, out)
	case avx2:
		return diagonalEE256(rec, idx, out)
	}
	return diagonalGeneric(rec, idx, 2, out)
}
