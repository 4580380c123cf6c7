package bound

import "math"

// A Map is a linear map of space, in whose coordinates records may be made: coordinate k of a point
// p is the product of row k with p. Boxes in the coordinates of a map that suits long and thin
// primitives are thin, where boxes along the axes of the input are not.
//
// Law: a Map moves no two points farther apart along any of its coordinates than they are. |row|_2
// <= 1, for distances in the Euclidean norm, or |row|_1 <= 1, for those in the max norm. So
// primitives that are more than d apart along a row are more than d apart.
type Map struct{ row [3][3]float64 }

// NewMap returns the map with these rows, each scaled. euclidean says in which norm distances are
// measured. The largest entry of each row has a magnitude in [2^-100, 2^100].
//
// Derivation, with u = 2^-53. |row|_1 is computed with two roundings, |row|_2 with four, of which
// the root halves three: off by a factor of at most 1 + 3u. A quotient and its product with 1 - 8u
// err by 1 + 2.1u together. Squares that underflow are less than 2^-800 of the sum. So the norms of
// the rows are at most (1 + 3u)(1 + 2.1u)(1 - 8u) + 2^-790 < 1.
func NewMap(rows [3][3]float64, euclidean bool) *Map {
	m := new(Map)
	for k, r := range rows {
		n := math.Abs(r[0]) + math.Abs(r[1]) + math.Abs(r[2])
		if euclidean {
			n = math.Sqrt(float64(r[0]*r[0]) + float64(r[1]*r[1]) + float64(r[2]*r[2]))
		}
		for j := range r {
			m.row[k][j] = float64(r[j]/n) * (1 - 0x1p-50)
		}
	}
	return m
}

// along returns coordinate k of a point.
func (m *Map) along(k int, p []float64) float64 {
	r := &m.row[k]
	return float64(r[0]*p[0]) + float64(r[1]*p[1]) + float64(r[2]*p[2])
}

// Rows returns the rows.
func (m *Map) Rows() *[3][3]float64 { return &m.row }

// Apply writes the coordinates of vertices, as in geom.Trajectories, to out.
//
// With L the largest magnitude of a coordinate of the input, they are off by less than 5.3 u L +
// 2^-1073: three products, each off by u of itself and 2^-1075, and two sums, each off by u of
// itself, are off by no more than 3.01 u |row|_1 L + 3 2^-1075, and |row|_1 <= sqrt(3). No
// coordinate exceeds 2 L in magnitude.
func (m *Map) Apply(rec, out []float64) {
	for i := 0; i+8 <= len(rec); i += 8 {
		x, y := rec[i:i+8:i+8], out[i:i+8:i+8]
		for k := range 3 {
			y[k], y[4+k] = m.along(k, x), m.along(k, x[4:])
		}
		y[3], y[7] = 0, 0
	}
}

// Volume returns by what the map multiplies volumes.
func (m *Map) Volume() float64 {
	a, b, c := &m.row[0], &m.row[1], &m.row[2]
	return math.Abs(float64(a[0]*(float64(b[1]*c[2])-float64(b[2]*c[1]))) +
		float64(a[1]*(float64(b[2]*c[0])-float64(b[0]*c[2]))) +
		float64(a[2]*(float64(b[0]*c[1])-float64(b[1]*c[0]))))
}
