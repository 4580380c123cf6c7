package simd

func turnsGeneric(rec []float64, idx [][4]int32, list []int32, piece []uint8, ends *[9]float64, bounds *[130]float64, alive []uint8, face bool) {
	var whole filterQuery
	last := int32(-1)
	for j, i := range list {
		if i != last { // mostly the pieces of one query follow each other
			whole.load(rec, &idx[i], face)
			whole.measure()
			last = i
		}
		alive[j] = 1
		if sum(whole.scale) <= largestPiece {
			q := whole
			q.span(&whole, ends[piece[j]], ends[piece[j]+1])
			if q.turnsApart(bounds[0]) {
				alive[j] = 0
			}
		}
	}
}

// span takes the vectors of the whole motion to the ends of a piece.
func (q *filterQuery) span(whole *filterQuery, s, e float64) {
	q.a[0], q.a[1] = blend(whole.a, 1-s, s), blend(whole.a, 1-e, e)
	q.b[0], q.b[1] = blend(whole.b, 1-s, s), blend(whole.b, 1-e, e)
	q.c[0], q.c[1] = blend(whole.c, 1-s, s), blend(whole.c, 1-e, e)
}

// turnsApart tries the axes and the directions, from the cheapest to the dearest.
func (q *filterQuery) turnsApart(sep float64) bool {
	if q.axesApart(sep) {
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
