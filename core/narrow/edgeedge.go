package narrow

// loadEdgeEdge: q = a0, a1, b0, b1 at t=0, then at t=1; F = (a0 - b0) + u (a1 - a0) + v (b0 - b1).
func (f *form) loadEdgeEdge(q []float64, last *[3][3]float64) {
	q = q[:24]
	f.uEnd, f.vEnd = 1, 1
	for k := range 3 {
		f.a0[k], f.b0[k], f.c0[k] = q[k]-q[6+k], q[3+k]-q[k], q[6+k]-q[9+k]
		last[0][k], last[1][k], last[2][k] = q[12+k]-q[18+k], q[15+k]-q[12+k], q[18+k]-q[21+k]
	}
}

// apartEdgeEdge reports whether an axis separates the edges by more than d throughout the step; see
// apartVertexFace.
func apartEdgeEdge(q []float64, d float64) bool {
	q = q[:24]
	for k := range 3 {
		al, ah := order(q[k], q[3+k])
		bl, bh := order(q[6+k], q[9+k])
		cl, ch := order(q[12+k], q[15+k])
		dl, dh := order(q[18+k], q[21+k])
		if bl-ah > d && dl-ch > d || al-bh > d && cl-dh > d {
			return true
		}
	}
	return false
}

func order(a, b float64) (lo, hi float64) {
	if b < a {
		return b, a
	}
	return a, b
}
