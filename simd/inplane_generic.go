package simd

func inPlaneGeneric(rec []float64, idx [][4]int32, list []int32, bounds *[4]float64, out []int32, face bool) int {
	var q filterQuery
	n := 0
	for _, i := range list {
		q.load(rec, &idx[i], face)
		q.measure()
		q.cut(bounds[0], bounds[1])
		if !(sum(q.scale) <= largestPiece && q.inPlaneApart(bounds[2])) {
			out[n] = i
			n++
		}
	}
	return n
}

// inPlaneApart tries the directions within the plane of both primitives.
func (q *filterQuery) inPlaneApart(sep float64) bool {
	u, v, _ := q.derivatives()
	m := cross(u, v)
	if q.directionApart(cross(m, u), sep) || q.directionApart(cross(m, v), sep) {
		return true
	}
	if q.face {
		return q.directionApart(cross(m, minus(u, v)), sep)
	}
	middle := vec3{
		float64(2*(q.a[0].x+q.a[1].x)) + u.x + v.x, float64(2*(q.a[0].y+q.a[1].y)) + u.y + v.y, float64(2*(q.a[0].z+q.a[1].z)) + u.z + v.z,
	}
	return q.directionApart(cross(cross(u, middle), u), sep) || q.directionApart(u, sep)
}
