package simd

func piecesGeneric(rec []float64, idx [][4]int32, list []int32, bounds *[40]float64, out []int32, masks []uint8, face bool) int {
	var whole filterQuery
	n := 0
	for _, i := range list {
		whole.load(rec, &idx[i], face)
		whole.measure()
		mask := uint8(255)
		if sum(whole.scale) <= largestPiece {
			for k := range 8 {
				q := whole
				q.a = span(&whole.a, bounds, k)
				q.b = span(&whole.b, bounds, k)
				q.c = span(&whole.c, bounds, k)
				if q.pieceApart(bounds[32], bounds[33]) {
					mask &^= 1 << k
				}
			}
		}
		if mask != 0 {
			out[n], masks[n] = i, mask
			n++
		}
	}
	return n
}

// span is a vector at the ends of piece k.
func span(m *[2]vec3, b *[40]float64, k int) (s [2]vec3) {
	for j := range 3 {
		s[0][j] = float64(m[0][j]*b[k]) + float64(m[1][j]*b[8+k])
		s[1][j] = float64(m[0][j]*b[16+k]) + float64(m[1][j]*b[24+k])
	}
	return s
}

// pieceApart asks the tests from the cheapest to the dearest.
func (q *filterQuery) pieceApart(sep, sep3 float64) bool {
	if q.axesApart(sep) || q.cubicApart(sep, sep3) {
		return true
	}
	u, v, t := q.derivatives()
	m := cross(u, v)
	if q.directionApart(m, sep) || q.directionApart(cross(v, t), sep) || q.directionApart(cross(t, u), sep) {
		return true
	}
	third := t
	if q.face {
		third = vec3{u[0] - v[0], u[1] - v[1], u[2] - v[2]}
	}
	if q.directionApart(cross(m, u), sep) || q.directionApart(cross(m, v), sep) || q.directionApart(cross(m, third), sep) {
		return true
	}
	if sep == 0 {
		return false
	}
	return q.edgesApart(u, sep) || q.edgesApart(v, sep) || q.face && q.edgesApart(third, sep)
}

// edgesApart tries the coordinate axes crossed with x: the axes that separate a cube from an edge.
func (q *filterQuery) edgesApart(x vec3, sep float64) bool {
	return q.directionApart(vec3{0, -x[2], x[1]}, sep) ||
		q.directionApart(vec3{x[2], 0, -x[0]}, sep) || q.directionApart(vec3{-x[1], x[0], 0}, sep)
}
