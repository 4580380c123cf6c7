package narrow

import (
	"math"

	"ccd/core/geom"
	"ccd/core/num"
	"ccd/simd/linear"
)

// certify tries to prove that there is a contact within an accepted cell or close by (law 5). With
// d > 0 it is enough to evaluate F. With d = 0, Poincare-Miranda: if each of three projections of F
// is strictly of one sign on one face of a box and of the other on the opposite face, for the three
// pairs of faces, then all three vanish at some point of the box; if the directions are
// independent, F does. The box is the cell grown a little, as far as the domain allows.
func (f *form) certify(c *cell, r *found) {
	if r.flags&geom.Certified != 0 {
		return
	}
	if f.d > 0 {
		if f.within(r.hi, r.u, r.v) {
			r.flags |= geom.Certified
		}
		return
	}
	x := *c
	// Half the cell's width, and a few hundred times the error of F over its speed: room for a root
	// whose place is uncertain by eps.
	err := max(f.eps[0], f.eps[1], f.eps[2])
	kt, ku, kv := f.rates()
	grow := func(lo, hi *float64, k, end float64) {
		w := float64(0.5*(*hi-*lo)) + min(256*err/k, 0.01)
		*lo, *hi = max(*lo-w, 0), min(*hi+w, end)
	}
	if kt == 0 || ku == 0 || kv == 0 {
		return // The Jacobian is singular, so nothing is certified.
	}
	grow(&x.t0, &x.t1, kt, f.tEnd)
	grow(&x.u0, &x.u1, ku, f.uEnd)
	grow(&x.v0, &x.v1, kv, f.vEnd)
	if f.domain == geom.Triangle && x.u1+x.v1 > 1 {
		return
	}
	y := f.at(x.t1, r.u, r.v)
	if !(max(math.Abs(y[0])-f.eps[0], math.Abs(y[1])-f.eps[1], math.Abs(y[2])-f.eps[2]) <= f.delta) {
		x.t1 = c.t1 // The points of the impact must be near each other at toi_hi (law 9).
	}
	if f.miranda(&x) {
		r.flags |= geom.Certified
		r.hi = max(r.hi, x.t1)
	}
}

// miranda carries out the test on a box inside the domain.
func (f *form) miranda(x *cell) bool {
	var h [3][8]float64
	coef := f.coefficients()
	linear.Corners(&coef, x.t0, x.t1, x.u0, x.u1, x.u1, x.v0, x.v1, &f.lim, &h)
	var j jacobian
	j.load(f, x)
	p, q, r := geom.Cross3(&j.u, &j.v), geom.Cross3(&j.v, &j.t), geom.Cross3(&j.t, &j.u)
	return independent(&p, &q, &r) &&
		f.opposite(&h, &p, 0x0f, 0xf0) && f.opposite(&h, &q, 0x33, 0xcc) && f.opposite(&h, &r, 0x55, 0xaa)
}

// opposite reports whether d.F is strictly of one sign at the corners of face a and of the other at
// those of face b.
func (f *form) opposite(h *[3][8]float64, d *[3]float64, a, b uint32) bool {
	e := float64(math.Abs(d[0])*f.eps[0]) + float64(math.Abs(d[1])*f.eps[1]) + float64(math.Abs(d[2])*f.eps[2])
	var g [8]float64
	above, below := linear.Project(h, d[0], d[1], d[2], float64(e*outward)+num.ProjectTiny, &g)
	return above&a == a && below&b == b || below&a == a && above&b == b
}

// independent reports whether certainly det(p, q, r) != 0. Its value errs by less than 8u times the
// permanent of magnitudes: each of the six terms rounds at most 6 times, counting the sums; 16u
// leaves room for the rounding of the bound. A product of q and r that underflows errs by 2^-1075,
// times a component of p: below 2^130, since no size of a form is above normalHigh.
func independent(p, q, r *[3]float64) bool {
	n := geom.Cross3(q, r)
	var m [3]float64
	for k := range 3 {
		i, l := (k+1)%3, (k+2)%3
		m[k] = math.Abs(q[i]*r[l]) + math.Abs(q[l]*r[i])
	}
	det := geom.Dot3(p, &n)
	bound := float64(math.Abs(p[0])*m[0]) + float64(math.Abs(p[1])*m[1]) + float64(math.Abs(p[2])*m[2])
	return math.Abs(det) > float64(16*0x1p-53*bound)+0x1p-900
}
