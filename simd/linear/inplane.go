package linear

import (
	"ccd/simd/internal/query"
	"ccd/simd/internal/vec"
)

// InPlaneVF writes to out, in the order of list, those positions of list whose vertex-face query no direction within the plane of both
// primitives proves apart by more than sep throughout [0, tmax], and returns how many there are. A position left out is a proof that
// |F|max > sep. out may be list itself and must hold len(list) entries.
//
// It is for coplanar pairs, whose cubic of coplanarity is zero at all times: the filter has directions across the plane only. u, v and t
// are as in FilterVF. The directions are the face's edges within its plane: (u x v) x u, (u x v) x v, (u x v) x (u - v). For two
// edges they are (u x v) x u and (u x v) x v; where the edges are parallel and u x v is zero, (u x f) x u for f between their
// middles, and u itself, for edges on one line. Their bound is that of every direction, directionBound.
func InPlaneVF(rec []float64, idx [][4]int32, list []int32, tmax, sep float64, out []int32) int {
	bounds := FilterBounds(tmax, sep)
	return inPlaneVF(rec, idx, list, &bounds, out[:len(list)])
}

// InPlaneEE is InPlaneVF for edge-edge queries.
func InPlaneEE(rec []float64, idx [][4]int32, list []int32, tmax, sep float64, out []int32) int {
	bounds := FilterBounds(tmax, sep)
	return inPlaneEE(rec, idx, list, &bounds, out[:len(list)])
}

func inPlaneGeneric(rec []float64, idx [][4]int32, list []int32, bounds *[4]float64, out []int32, face bool) int {
	var q filterQuery
	n := 0
	for _, i := range list {
		q.load(rec, &idx[i], face)
		q.measure()
		q.cut(bounds[0], bounds[1])
		if !(vec.Sum(q.scale) <= query.LargestPiece && q.inPlaneApart(bounds[2])) {
			out[n] = i
			n++
		}
	}
	return n
}

// inPlaneApart tries the directions within the plane of both primitives.
func (q *filterQuery) inPlaneApart(sep float64) bool {
	u, v, _ := q.derivatives()
	m := vec.Cross(u, v)
	if q.directionApart(vec.Cross(m, u), sep) || q.directionApart(vec.Cross(m, v), sep) {
		return true
	}
	if q.face {
		return q.directionApart(vec.Cross(m, vec.Minus(u, v)), sep)
	}
	middle := vec.Vec3{
		X: float64(2*(q.a[0].X+q.a[1].X)) + u.X + v.X, Y: float64(2*(q.a[0].Y+q.a[1].Y)) + u.Y + v.Y, Z: float64(2*(q.a[0].Z+q.a[1].Z)) + u.Z + v.Z,
	}
	return q.directionApart(vec.Cross(vec.Cross(u, middle), u), sep) || q.directionApart(u, sep)
}
