package simd

// Kinetic writes to out, in order, the pairs (i, j) of record i of a and record j of b that no axis separates, and
// returns how many there are. A record is sixteen floats: lo at both ends of a motion, -hi at both ends, three axes
// each, four zeros. An axis separates when hi of the one is less than lo of the other at both ends: then so it is at
// all times between.
//
//	for _, p := range pairs {
//		apart := false
//		for k := range 3 {
//			apart = apart || all ends s: b.lo[s][k] > a.hi[s][k]
//			apart = apart || all ends s: a.lo[s][k] > b.hi[s][k]
//		}
//		if !apart { out[n] = p; n++ }
//	}
//
// out must hold len(pairs) and may be pairs itself.
func Kinetic(a, b []float32, pairs, out [][2]int32) int {
	out = out[:len(pairs)]
	switch level {
	case avx512:
		return kinetic512(a, b, pairs, out)
	case avx2:
		return kinetic256(a, b, pairs, out)
	}
	return kineticGeneric(a, b, pairs, out)
}
