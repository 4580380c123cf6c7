package simd

// DiagonalVF writes to out, in rising order, the positions of the vertex-face queries that none of the directions x+y,
// y+z, z+x, x-y, y-z, z-x separates at both ends of the motion, and returns how many there are.
//
//	for i, q := range idx {
//		apart := false
//		for every direction { // sums and differences rounded
//			apart = apart || at both ends: v above f0, f1 and f2 by more than gap, or at both ends: below by more
//		}
//		if !apart { out[n] = i; n++ }
//	}
//
// With a gap of 0, a query left out is a proof that the primitives do not touch. Rounding is monotone: fl(x+y) > fl(x'+y') implies
// x+y > x'+y', so the comparison errs by nothing, whatever the coordinates. And d.p is linear in t and in the point of the
// primitive, so what lies above at both ends does so throughout. Otherwise, a > fl(b + gap) implies a > b + gap for the rounded
// sums a and b, which err by 2^-53 of their magnitudes; the caller's gap, not negative, has to allow for that. out must hold
// len(idx) entries.
func DiagonalVF(rec []float64, idx [][4]int32, gap float64, out []int32) int {
	return diagonalVF(rec, idx, gap, out[:len(idx)])
}

// DiagonalEE is DiagonalVF for edge-edge queries.
func DiagonalEE(rec []float64, idx [][4]int32, gap float64, out []int32) int {
	return diagonalEE(rec, idx, gap, out[:len(idx)])
}
