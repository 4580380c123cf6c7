package simd

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
