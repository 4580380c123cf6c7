package query

import (
	"math"

	"ccd/simd/internal/vec"
)

// Above reports whether a point v lies more than sep above all three corners of a face.
func Above(sep, v, f0, f1, f2 float64) bool { return v-f0 > sep && v-f1 > sep && v-f2 > sep }

// Below reports whether a point v lies more than sep below all three corners of a face.
func Below(sep, v, f0, f1, f2 float64) bool { return f0-v > sep && f1-v > sep && f2-v > sep }

// Over reports whether both ends of an edge a lie more than sep above both ends of an edge b.
func Over(sep, a0, a1, b0, b1 float64) bool {
	return a0-b0 > sep && a0-b1 > sep && a1-b0 > sep && a1-b1 > sep
}

// Line returns the record of vertex i.
func Line(rec []float64, i int32) *[8]float64 { return (*[8]float64)(rec[8*int(i):]) }

// Minors returns d, u d and v d of F = 0 by Cramer's rule, on the component of B x C that is largest, d not negative, and by how much each may be off: bound times its
// permanent of the largest magnitudes.
func Minors(a, b, c, ma, mb, mc vec.Vec3, bound float64) (d, u, v, ed, eu, ev float64) {
	n, nu, nv := vec.Cross(b, c), vec.Cross(c, a), vec.Cross(a, b)
	pn, pu, pv := vec.Permanent(mb, mc), vec.Permanent(mc, ma), vec.Permanent(ma, mb)
	d, u, v, ed, eu, ev = n.X, nu.X, nv.X, pn.X, pu.X, pv.X
	if math.Abs(n.Y) > math.Abs(d) {
		d, u, v, ed, eu, ev = n.Y, nu.Y, nv.Y, pn.Y, pu.Y, pv.Y
	}
	if math.Abs(n.Z) > math.Abs(d) {
		d, u, v, ed, eu, ev = n.Z, nu.Z, nv.Z, pn.Z, pu.Z, pv.Z
	}
	ed = float64(ed*bound) + LeastMinor
	eu = float64(eu*bound) + LeastMinor
	ev = float64(ev*bound) + LeastMinor
	if math.Signbit(d) {
		d, u, v = -d, -u, -v
	}
	return d, u, v, ed, eu, ev
}
