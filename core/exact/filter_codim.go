package exact

import "ccd/core/geom"

// boundCodim: a component of A x B takes 2 u for its entries, a product and a difference, and its
// middle Bernstein coefficient one sum: 5 u of the permanent of M_A and M_B; each halving of time
// adds two averages, 2 u; depthCodim = 6 of them 12 u.
const (
	boundCodim = 20 * 0x1p-53
	depthCodim = 6
)

// apartPoints reports whether floats prove that two points do not touch. At a contact all
// components of A vanish. Time is halved until, on each part, one component keeps its sign.
func apartPoints(q *[24]float64) bool {
	var f ends
	f.load(widened[geom.PointPoint], q)
	var b [3][3]float64 // component, Bernstein coefficient
	var e [3]float64
	for k := range 3 {
		if !(f.ma[k] < largest) {
			return false
		}
		b[k] = [3]float64{f.a[0][k], 0.5 * (f.a[0][k] + f.a[1][k]), f.a[1][k]}
		e[k] = float64(boundCodim*f.ma[k]) + underflow
	}
	return apartInTime(&b, &e, depthCodim)
}

// apartPointEdge is apartPoints for a point and an edge. At a contact A = -uB, so all components of
// A x B vanish at once.
func apartPointEdge(q *[24]float64) bool {
	var f ends
	f.load(widened[geom.PointEdge], q)
	var b [3][3]float64 // component, Bernstein coefficient
	var e [3]float64
	for k := range 3 {
		if !(f.ma[k]+f.mb[k] < largest) {
			return false
		}
	}
	x, z := geom.Cross3(&f.a[0], &f.b[0]), geom.Cross3(&f.a[1], &f.b[1])
	y, w := geom.Cross3(&f.a[0], &f.b[1]), geom.Cross3(&f.a[1], &f.b[0])
	for k := range 3 {
		b[k] = [3]float64{x[k], 0.5 * (y[k] + w[k]), z[k]}
		e[k] = float64(boundCodim*Permanent(&f.ma, &f.mb, k)) + underflow
	}
	return apartInTime(&b, &e, depthCodim)
}

// apartInTime reports whether on every part of time some component certainly keeps its sign. It
// halves time up to depth times.
func apartInTime(b *[3][3]float64, e *[3]float64, depth int) bool {
	for k := range b {
		x, y, z := b[k][0], b[k][1], b[k][2]
		if x > e[k] && y > e[k] && z > e[k] || x < -e[k] && y < -e[k] && z < -e[k] {
			return true
		}
	}
	if depth == 0 {
		return false
	}
	var l, r [3][3]float64
	for k := range b {
		x, y := float64(0.5*(b[k][0]+b[k][1])), float64(0.5*(b[k][1]+b[k][2]))
		m := 0.5 * (x + y)
		l[k], r[k] = [3]float64{b[k][0], x, m}, [3]float64{m, y, b[k][2]}
	}
	return apartInTime(&l, e, depth-1) && apartInTime(&r, e, depth-1)
}
