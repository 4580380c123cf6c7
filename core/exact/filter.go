package exact

import (
	"math"

	"ccd/core/geom"
)

// The bounds of this file are derived in docs/proofs/exact.md, "The float filters"; u = 2^-53. (The
// kernels of ccd/simd have bounds of their own, for entries at any time.)
const (
	// boundCubic: every monomial of a Bernstein coefficient of f passes at most 10 roundings, and
	// the permanent P of the per-entry maxima is computed too small by at most 8: 12 u P covers (10
	// u + O(u^2)) P (1+u)^10.
	boundCubic = 12 * 0x1p-53
	// boundDirection: a projection takes 1 u for the entries, 1 for the products, 2 for the dot
	// product, 2 for the range over (u, v), of the size sum |d_k| (|A_k| + |B_k| + |C_k|) <= Z.
	boundDirection = 8 * 0x1p-53
	// underflow exceeds the effect of underflowing products on a coefficient or a projection, if
	// all entries are at most largest.
	underflow = 0x1p-700
	// largest is the greatest entry for which nothing can overflow: at most four are multiplied.
	largest = 0x1p250
)

// ends holds A, B and C of F = A + uB + vC, rounded, at t = 0 and 1, and the larger magnitude of
// each entry.
type ends struct {
	a, b, c    [2][3]float64
	ma, mb, mc [3]float64
}

func (f *ends) load(domain geom.Domain, q *[24]float64) {
	for s := range 2 {
		p := q[12*s : 12*s+12 : 12*s+12]
		for k := range 3 {
			if domain == geom.Square {
				f.a[s][k], f.b[s][k], f.c[s][k] = p[k]-p[6+k], p[3+k]-p[k], p[6+k]-p[9+k]
			} else {
				f.a[s][k], f.b[s][k], f.c[s][k] = p[k]-p[3+k], p[3+k]-p[6+k], p[3+k]-p[9+k]
			}
		}
	}
	for k := range 3 {
		f.ma[k], f.mb[k], f.mc[k] = Larger(f.a[0][k], f.a[1][k]), Larger(f.b[0][k], f.b[1][k]),
			Larger(f.c[0][k], f.c[1][k])
	}
}

// apartByFilter reports whether floats prove that the primitives do not touch: either the
// coplanarity cubic has no root in [0, 1], or a direction separates them at both ends of the
// motion.
func apartByFilter(domain geom.Domain, q *[24]float64) bool {
	var f ends
	f.load(domain, q)
	size := [3]float64{f.ma[0] + f.mb[0] + f.mc[0], f.ma[1] + f.mb[1] + f.mc[1], f.ma[2] + f.mb[2] + f.mc[2]}
	if !(size[0] < largest && size[1] < largest && size[2] < largest) {
		return false
	}
	if f.cubicApart() {
		return true
	}
	// The derivatives of F by u, v, t at the middle; two of them span the plane that the third
	// crosses fastest.
	var u, v, t [3]float64
	middle := 1.0 / 3
	if domain == geom.Square {
		middle = 0.5
	}
	for k := range 3 {
		u[k], v[k] = f.b[0][k]+f.b[1][k], f.c[0][k]+f.c[1][k]
		t[k] = f.a[1][k] - f.a[0][k] + float64(middle*(f.b[1][k]-f.b[0][k]+f.c[1][k]-f.c[0][k]))
	}
	if f.directionApart(domain, &u, &v, &size) || f.directionApart(domain, &v, &t, &size) ||
		f.directionApart(domain, &t, &u, &size) {
		return true
	}
	// Directions in the plane of the primitives, for those that move within it.
	m := geom.Cross3(&u, &v)
	if domain != geom.Square {
		for k := range 3 {
			t[k] = u[k] - v[k]
		}
	}
	return f.directionApart(domain, &m, &u, &size) || f.directionApart(domain, &m, &v, &size) ||
		f.directionApart(domain, &m, &t, &size)
}

// cubicApart reports whether the Bernstein coefficients of f = A.(B x C) all have one sign, and the
// outer ones certainly.
func (f *ends) cubicApart() bool {
	e := float64(boundCubic*f.volume()) + underflow
	n0, n2 := geom.Cross3(&f.b[0], &f.c[0]), geom.Cross3(&f.b[1], &f.c[1])
	d0, d3 := geom.Dot3(&f.a[0], &n0), geom.Dot3(&f.a[1], &n2)
	if !(d0 > e && d3 > e) && !(d0 < -e && d3 < -e) {
		return false
	}
	d1, d2 := f.middle(&n0, &n2)
	if d0 > 0 {
		return d1 >= 3*e && d2 >= 3*e
	}
	return d1 <= -3*e && d2 <= -3*e
}

// volume returns P, the permanent of the largest entries.
func (f *ends) volume() float64 {
	return float64(f.ma[0]*Permanent(&f.mb, &f.mc, 0)) + float64(f.ma[1]*Permanent(&f.mb, &f.mc, 1)) +
		float64(f.ma[2]*Permanent(&f.mb, &f.mc, 2))
}

// middle returns the two middle Bernstein coefficients of f, times three; n0 and n2 are B x C at
// the ends.
func (f *ends) middle(n0, n2 *[3]float64) (d1, d2 float64) {
	n1, m1 := geom.Cross3(&f.b[0], &f.c[1]), geom.Cross3(&f.b[1], &f.c[0])
	for k := range n1 {
		n1[k] += m1[k]
	}
	return geom.Dot3(&f.a[1], n0) + geom.Dot3(&f.a[0], &n1), geom.Dot3(&f.a[1], &n1) + geom.Dot3(&f.a[0], n2)
}

// directionApart reports whether d.F certainly has one sign over the domain at both ends, where d
// is x cross y as rounded.
func (f *ends) directionApart(domain geom.Domain, x, y, size *[3]float64) bool {
	d := geom.Cross3(x, y)
	if geom.Dot3(&d, &f.a[0]) < 0 {
		d = [3]float64{-d[0], -d[1], -d[2]}
	}
	e := float64(boundDirection*(float64(math.Abs(d[0])*size[0])+float64(math.Abs(d[1])*size[1])+
		float64(math.Abs(d[2])*size[2]))) + underflow
	return f.least(domain, 0, &d) > e && f.least(domain, 1, &d) > e
}

// least returns the least value of d.F over the domain at one end.
func (f *ends) least(domain geom.Domain, end int, d *[3]float64) float64 {
	a, b, c := geom.Dot3(d, &f.a[end]), geom.Dot3(d, &f.b[end]), geom.Dot3(d, &f.c[end])
	if domain != geom.Square {
		return a + lesser(lesser(b, c), 0)
	}
	return a + lesser(b, 0) + lesser(c, 0)
}

func Larger(x, y float64) float64 {
	x, y = math.Abs(x), math.Abs(y)
	if x > y {
		return x
	}
	return y
}

// lesser returns the smaller of two numbers; the built-in min is slower, for the sake of NaN and
// signed zeros.
func lesser(x, y float64) float64 {
	if x < y {
		return x
	}
	return y
}
