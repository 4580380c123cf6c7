package simd

// InPlaneVF writes to out, in the order of list, those positions of list whose vertex-face query no direction within the plane of both
// primitives proves apart by more than sep throughout [0, tmax], and returns how many there are. A position left out is a proof that
// |F|max > sep. out may be list itself and must hold len(list) entries.
//
// It is for coplanar pairs, whose cubic of coplanarity is zero at all times: the filter has directions across the plane only. u, v and t
// are as in FilterVF. The directions are the face's edges within its plane: (u x v) x u, (u x v) x v, (u x v) x (u - v). For two
// edges they are (u x v) x u and (u x v) x v; where the edges are parallel and u x v is zero, (u x f) x u for f between their
// middles, and u itself, for edges on one line. Their bound is that of every direction, directionBound.
func InPlaneVF(rec []float64, idx [][4]int32, list []int32, tmax, sep float64, out []int32) int {
	bounds := filterBounds(tmax, sep)
	return inPlaneVF(rec, idx, list, &bounds, out[:len(list)])
}

// InPlaneEE is InPlaneVF for edge-edge queries.
func InPlaneEE(rec []float64, idx [][4]int32, list []int32, tmax, sep float64, out []int32) int {
	bounds := filterBounds(tmax, sep)
	return inPlaneEE(rec, idx, list, &bounds, out[:len(list)])
}
