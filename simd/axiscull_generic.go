package simd

func axisCullVFGeneric(rec []float64, idx [][4]int32, sep float64, out []int32) int {
	n := 0
	for i := range idx {
		q := &idx[i]
		v, f0, f1, f2 := line(rec, q[0]), line(rec, q[1]), line(rec, q[2]), line(rec, q[3])
		keep := 1
		for k := range 3 {
			lo0, hi0 := v[k]-more(more(f0[k], f1[k]), f2[k]), v[k]-less(less(f0[k], f1[k]), f2[k])
			lo1, hi1 := v[k+4]-more(more(f0[k+4], f1[k+4]), f2[k+4]), v[k+4]-less(less(f0[k+4], f1[k+4]), f2[k+4])
			if lo0 > sep && lo1 > sep || hi0 < -sep && hi1 < -sep {
				keep = 0
				break
			}
		}
		out[n] = int32(i)
		n += keep
	}
	return n
}

func axisCullEEGeneric(rec []float64, idx [][4]int32, sep float64, out []int32) int {
	n := 0
	for i := range idx {
		q := &idx[i]
		a0, a1, b0, b1 := line(rec, q[0]), line(rec, q[1]), line(rec, q[2]), line(rec, q[3])
		keep := 1
		for k := range 3 {
			lo0, hi0 := less(a0[k], a1[k])-more(b0[k], b1[k]), more(a0[k], a1[k])-less(b0[k], b1[k])
			lo1, hi1 := less(a0[k+4], a1[k+4])-more(b0[k+4], b1[k+4]), more(a0[k+4], a1[k+4])-less(b0[k+4], b1[k+4])
			if lo0 > sep && lo1 > sep || hi0 < -sep && hi1 < -sep {
				keep = 0
				break
			}
		}
		out[n] = int32(i)
		n += keep
	}
	return n
}

// line is the record of vertex i.
func line(rec []float64, i int32) *[8]float64 { return (*[8]float64)(rec[8*int(i):]) }

// less and more are minimum and maximum by compare and select: finite arguments need none of the care for NaN and signed
// zeros that makes the builtins slow.
func less(a, b float64) float64 {
	if a < b {
		return a
	}
	return b
}

func more(a, b float64) float64 {
	if a > b {
		return a
	}
	return b
}
