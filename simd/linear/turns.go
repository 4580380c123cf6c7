package linear

import (
	"ccd/simd/internal/query"
	"ccd/simd/internal/vec"
)

// turns writes to alive, for every j, 0 if the query list[j] is proven apart by more than the separation on its piece
// piece[j], by a coordinate axis or by a direction, else 1. TimePiecesVF lists the directions; the bounds are those of the
// filter.
func turns(rec []float64, idx [][4]int32, list []int32, piece []uint8, ends *[9]float64, bounds *[130]float64, alive []uint8, face bool) {
	if face {
		turnsVF(rec, idx, list, piece, ends, bounds, alive)
	} else {
		turnsEE(rec, idx, list, piece, ends, bounds, alive)
	}
}

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
		if vec.Sum(whole.scale) <= query.LargestPiece {
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
	q.a[0], q.a[1] = vec.Blend(whole.a, 1-s, s), vec.Blend(whole.a, 1-e, e)
	q.b[0], q.b[1] = vec.Blend(whole.b, 1-s, s), vec.Blend(whole.b, 1-e, e)
	q.c[0], q.c[1] = vec.Blend(whole.c, 1-s, s), vec.Blend(whole.c, 1-e, e)
}

// turnsApart tries the axes and the directions, from the cheapest to the dearest.
func (q *filterQuery) turnsApart(sep float64) bool {
	if q.axesApart(sep) {
		return true
	}
	u, v, t := q.derivatives()
	m := vec.Cross(u, v)
	if q.directionApart(m, sep) || q.directionApart(vec.Cross(v, t), sep) || q.directionApart(vec.Cross(t, u), sep) {
		return true
	}
	third := t
	if q.face {
		third = vec.Minus(u, v)
	}
	if q.directionApart(vec.Cross(m, u), sep) || q.directionApart(vec.Cross(m, v), sep) || q.directionApart(vec.Cross(m, third), sep) {
		return true
	}
	if sep == 0 {
		return false
	}
	return q.edgesApart(u, sep) || q.edgesApart(v, sep) || q.face && q.edgesApart(third, sep)
}

// edgesApart tries the coordinate axes crossed with x: the axes that separate a cube from an edge.
func (q *filterQuery) edgesApart(x vec.Vec3, sep float64) bool {
	return q.directionApart(vec.Vec3{X: 0, Y: -x.Z, Z: x.Y}, sep) ||
		q.directionApart(vec.Vec3{X: x.Z, Y: 0, Z: -x.X}, sep) || q.directionApart(vec.Vec3{X: -x.Y, Y: x.X, Z: 0}, sep)
}
