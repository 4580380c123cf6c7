package narrow

// loadVertexFace: q = v, f0, f1, f2 at t=0, then at t=1; F = (v - f0) + u (f0 - f1) + v (f0 - f2).
func (f *form) loadVertexFace(q []float64, last *[3][3]float64) {
	q = q[:24]
	f.uEnd, f.vEnd = 1, 1
	for k := range 3 {
		f.a0[k], f.b0[k], f.c0[k] = q[k]-q[3+k], q[3+k]-q[6+k], q[3+k]-q[9+k]
		last[0][k], last[1][k], last[2][k] = q[12+k]-q[15+k], q[15+k]-q[18+k], q[15+k]-q[21+k]
	}
}

// apartVertexFace reports whether an axis separates the vertex from the face by more than d
// throughout the step.
//
// No filter is needed: rounding is monotone, so fl(a-b) > d only if a - b > d.
func apartVertexFace(q []float64, d float64) bool {
	q = q[:24]
	for k := range 3 {
		p, r := q[k], q[12+k]
		if least(q[3+k], q[6+k], q[9+k])-p > d && least(q[15+k], q[18+k], q[21+k])-r > d ||
			p-greatest(q[3+k], q[6+k], q[9+k]) > d && r-greatest(q[15+k], q[18+k], q[21+k]) > d {
			return true
		}
	}
	return false
}

// least is min without the care for NaN and signed zeros that makes the builtin slow.
func least(a, b, c float64) float64 {
	if b < a {
		a = b
	}
	if c < a {
		a = c
	}
	return a
}

func greatest(a, b, c float64) float64 {
	if b > a {
		a = b
	}
	if c > a {
		a = c
	}
	return a
}
