package narrow

// loadPointEdge fills the form F = (p - e0) + u (e0 - e1) from q: p, e0, e1 at t = 0, then at
// t = 1. last gets A, B, C at t = 1.
func (f *form) loadPointEdge(q []float64, last *[3][3]float64) {
	q = q[:18]
	f.uEnd, f.vEnd = 1, 0
	for k := range 3 {
		f.a0[k], f.b0[k], f.c0[k] = q[k]-q[3+k], q[3+k]-q[6+k], 0
		last[0][k], last[1][k], last[2][k] = q[9+k]-q[12+k], q[12+k]-q[15+k], 0
	}
}

// apartPointEdge reports whether a coordinate axis separates the point from the edge by more than d
// throughout the step.
func apartPointEdge(q []float64, d float64) bool {
	q = q[:18]
	for k := range 3 {
		p0, p1 := q[k], q[9+k]
		lo0, hi0 := order(q[3+k], q[6+k])
		lo1, hi1 := order(q[12+k], q[15+k])
		if lo0-p0 > d && lo1-p1 > d || p0-hi0 > d && p1-hi1 > d {
			return true
		}
	}
	return false
}
