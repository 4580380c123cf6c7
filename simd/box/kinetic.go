package box

// kineticGeneric writes to out, in order, the pairs (i, j) of record i of a and record j of b that no axis separates, and
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
func kineticGeneric(a, b []float32, pairs, out [][2]int32) int {
	n := 0
	for _, p := range pairs {
		x, y := (*[16]float32)(a[16*int(p[0]):]), (*[16]float32)(b[16*int(p[1]):])
		out[n] = p
		if !apart(x, y) && !apart(y, x) {
			n++
		}
	}
	return n
}

// apart reports whether on some axis y lies above x at both ends.
func apart(x, y *[16]float32) bool {
	return y[0] > -x[6] && y[3] > -x[9] ||
		y[1] > -x[7] && y[4] > -x[10] ||
		y[2] > -x[8] && y[5] > -x[11]
}
