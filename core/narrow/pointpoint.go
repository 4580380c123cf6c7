package narrow

// loadPointPoint: q = p, q at t=0, then at t=1; F = p - q.
func (f *form) loadPointPoint(q []float64, last *[3][3]float64) {
	q = q[:12]
	f.uEnd, f.vEnd = 0, 0
	for k := range 3 {
		f.a0[k], f.b0[k], f.c0[k] = q[k]-q[3+k], 0, 0
		last[0][k], last[1][k], last[2][k] = q[6+k]-q[9+k], 0, 0
	}
}

// apartPointPoint reports whether an axis separates the points by more than d throughout the step.
func apartPointPoint(q []float64, d float64) bool {
	q = q[:12]
	for k := range 3 {
		x, y := q[k]-q[3+k], q[6+k]-q[9+k]
		if x > d && y > d || -x > d && -y > d {
			return true
		}
	}
	return false
}
