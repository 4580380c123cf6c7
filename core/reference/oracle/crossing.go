package oracle

import (
	"math/big"

	"ccd/core/geom"
)

// Crossing reports whether an edge and a face, x = e0, e1, f0, f1, f2, share a point. It works over
// rational numbers: either an end of the edge is at no distance from the face, or the edge from a
// side of the face, or the ends are strictly on either side of its plane and the edge passes all
// its sides on the same side.
func Crossing(x []float64) bool {
	at := func(k geom.Kind, points ...int) bool {
		var q []float64
		for _, p := range points {
			q = append(q, x[3*p:3*p+3]...)
		}
		return Distance(k, q).Squared.Sign() == 0
	}
	if at(geom.VertexFace, 0, 2, 3, 4) || at(geom.VertexFace, 1, 2, 3, 4) ||
		at(geom.EdgeEdge, 0, 1, 2, 3) || at(geom.EdgeEdge, 0, 1, 3, 4) || at(geom.EdgeEdge, 0, 1, 4, 2) {
		return true
	}
	orient := func(a, b, c, d int) int {
		var m [3]ratVec
		for i, p := range [3]int{b, c, d} {
			for k := range 3 {
				y, z := new(big.Rat).SetFloat64(x[3*p+k]), new(big.Rat).SetFloat64(x[3*a+k])
				m[i][k] = y.Sub(y, z)
			}
		}
		det := new(big.Rat)
		for k := range 3 {
			i, j := (k+1)%3, (k+2)%3
			det.Add(det, new(big.Rat).Mul(m[0][k], minor(m[1][i], m[1][j], m[2][i], m[2][j])))
		}
		return det.Sign()
	}
	if orient(2, 3, 4, 0)*orient(2, 3, 4, 1) >= 0 {
		return false
	}
	s := orient(0, 1, 2, 3)
	return s != 0 && s == orient(0, 1, 3, 4) && s == orient(0, 1, 4, 2)
}
