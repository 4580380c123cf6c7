package simd

func piecesGeneric(rec []float64, idx [][4]int32, list []int32, bounds *[40]float64, out []int32, masks []uint8, face bool) int {
	var whole filterQuery
	n := 0
	for _, i := range list {
		whole.load(rec, &idx[i], face)
		whole.measure()
		mask := uint8(255)
		if sum(whole.scale) <= largestPiece {
			q := whole
			for k := range 8 {
				q.span(&whole, bounds, k)
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

// span takes the vectors of the whole motion to the ends of piece k.
func (q *filterQuery) span(whole *filterQuery, b *[40]float64, k int) {
	q.a[0], q.a[1] = blend(whole.a, b[k], b[8+k]), blend(whole.a, b[16+k], b[24+k])
	q.b[0], q.b[1] = blend(whole.b, b[k], b[8+k]), blend(whole.b, b[16+k], b[24+k])
	q.c[0], q.c[1] = blend(whole.c, b[k], b[8+k]), blend(whole.c, b[16+k], b[24+k])
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
		third = minus(u, v)
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
	return q.directionApart(vec3{0, -x.z, x.y}, sep) ||
		q.directionApart(vec3{x.z, 0, -x.x}, sep) || q.directionApart(vec3{-x.y, x.x, 0}, sep)
}
