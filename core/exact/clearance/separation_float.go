package clearance

import (
	"math"

	"ccd/core/geom"
)

// polygon has the corners p and the edges e of F at one time, in floats.
type polygon struct {
	p [4][3]float64
	e [3][3]float64
}

// Set evaluates corners and edges at t.
//
// With m the largest magnitude of a component over both ends, u = 2^-53, the result errs by at most
// 7 u m: the two ends by u m (they are rounded differences, weighted 1-t and t), their difference,
// at most 2m, by 2 u m, its product with t by 2 u m more, the sum, at most m (1 + 6u), by u m; the
// squares of u are covered by the seventh.
func (f *polygon) Set(r *SeparationResolver, t float64) {
	for c := range r.Shape.Corners {
		for k := range 3 {
			x := &r.P[c][k]
			f.p[c][k] = x.At0 + float64(t*(x.At1-x.At0))
		}
	}
	for j := range r.Shape.Edges {
		for k := range 3 {
			x := &r.E[j][k]
			f.e[j][k] = x.At0 + float64(t*(x.At1-x.At0))
		}
	}
}

// The error bounds of the three sorts of direction, as multiples of 2^-53 and of the sum of
// magnitudes that form adds up; tiny covers all underflow, the largest length being in [1, 2):
// fewer than 2^10 operations lose at most 2^-1074 each, grown by later factors of at most 2^3 each.
// Below, (k) is an error of k u times the term's magnitude.
//
//   - An axis: P_k (7), minus d (1): 8, and 1 for squares.
//   - A cross product: E_i P_l (7 + 7 + 1); a coefficient is half the sum of two or four such terms
//     (2 levels: 2): 17. d |E_i| (7 + 1), added up (2): 10. Their difference (1): 18, and 2 for
//     squares and for the bound's own rounding.
//   - The normal: A_i B_j C_k (7 + 7 + 7 + 2), in a determinant (1 + 2), a third of the sum of
//     three (3): 29. d |N_k|: B_j C_l (7 + 7 + 1), a minor (1), halved sum of two (1), a third of
//     three (3), summed over k (2), times d (1): 23. Difference (1): 30, and 2 for squares and the
//     bound's own rounding.
const (
	axisError   = 9 * 0x1p-53
	crossError  = 20 * 0x1p-53
	normalError = 32 * 0x1p-53
	Tiny        = 0x1p-1000
)

// form evaluates direction n on the interval [Fa, fb]: 0 to 2 the axes, then e_k x E for each edge
// E, then the normal.
func (r *SeparationResolver) form(n int) (f form) {
	switch {
	case n < 3:
		r.axisForm(n, &f)
	case n < 3+3*len(r.Shape.Edges):
		r.crossForm((n-3)/3, (n-3)%3, &f)
	default:
		r.normalForm(&f)
	}
	return f
}

// axisForm evaluates the direction n = e_k, for which n.P = P_k is linear.
func (r *SeparationResolver) axisForm(k int, f *form) {
	f.degree = 1
	f.err = float64(axisError*(r.Mp[k]+r.D)) + Tiny
	lo0, hi0 := r.Fa.p[0][k], r.Fa.p[0][k]
	lo1, hi1 := r.fb.p[0][k], r.fb.p[0][k]
	for c := 1; c < len(r.Shape.Corners); c++ {
		x0, x1 := r.Fa.p[c][k], r.fb.p[c][k]
		lo0, hi0, lo1, hi1 = min(lo0, x0), max(hi0, x0), min(lo1, x1), max(hi1, x1)
	}
	f.c[0][0], f.c[0][1] = lo0-r.D, lo1-r.D
	f.c[1][0], f.c[1][1] = -hi0-r.D, -hi1-r.D
}

// crossForm evaluates the direction n = e_k x E. It has the components -E_l on axis i and E_i on
// axis l, so n.P = E_i P_l - E_l P_i is quadratic. d |n|_1 is d (|E_i| + |E_l|); each coefficient
// takes the least over the signs.
func (r *SeparationResolver) crossForm(j, k int, f *form) {
	i, l := (k+1)%3, (k+2)%3
	mi, ml := r.me[j][i], r.me[j][l]
	if mi == 0 && ml == 0 {
		f.none = true
		return
	}
	f.degree = 2
	f.err = float64(crossError*(float64(mi*(r.Mp[l]+r.D))+float64(ml*(r.Mp[i]+r.D)))) + Tiny
	ai, al := r.Fa.e[j][i], r.Fa.e[j][l]
	bi, bl := r.fb.e[j][i], r.fb.e[j][l]
	var q [2][3]float64
	for c, corner := range r.Shape.Across[j] {
		pa, pb := &r.Fa.p[corner], &r.fb.p[corner]
		q[c][0] = float64(ai*pa[l]) - float64(al*pa[i])
		q[c][1] = ((float64(ai*pb[l]) - float64(al*pb[i])) + (float64(bi*pa[l]) - float64(bl*pa[i]))) * 0.5
		q[c][2] = float64(bi*pb[l]) - float64(bl*pb[i])
	}
	d := [3]float64{
		r.D * (math.Abs(ai) + math.Abs(al)),
		r.D * (math.Abs(ai+bi) + math.Abs(al+bl)) * 0.5,
		r.D * (math.Abs(bi) + math.Abs(bl)),
	}
	for m := range 3 {
		x, y := q[0][m], q[1][m]
		if x > y {
			x, y = y, x
		}
		f.c[0][m], f.c[1][m] = x-d[m], -y-d[m]
	}
}

// normalForm evaluates the direction n = N = B x C, for which n.P = A.N is the same cubic for all
// corners. N is quadratic, and |N|_1 is raised to degree three.
func (r *SeparationResolver) normalForm(f *form) {
	size, minors, spans := r.normalSize()
	if !spans {
		f.none = true
		return
	}
	f.degree = 3
	f.err = float64(normalError*(size+float64(r.D*minors))) + Tiny
	ba, bb, ca, cb := &r.Fa.e[0], &r.fb.e[0], &r.Fa.e[1], &r.fb.e[1]
	aa, ab := &r.Fa.p[0], &r.fb.p[0]
	n0, n2 := geom.Cross3(ba, ca), geom.Cross3(bb, cb)
	x, y := geom.Cross3(ba, cb), geom.Cross3(bb, ca)
	var twice [3]float64 // 2 N_1
	var d [4]float64
	for k := range 3 {
		twice[k] = x[k] + y[k]
		d[0] += math.Abs(n0[k])
		d[1] += math.Abs(n0[k] + twice[k])
		d[2] += math.Abs(twice[k] + n2[k])
		d[3] += math.Abs(n2[k])
	}
	q := [4]float64{
		geom.Dot3(aa, &n0),
		(geom.Dot3(aa, &twice) + geom.Dot3(ab, &n0)) / 3,
		(geom.Dot3(aa, &n2) + geom.Dot3(ab, &twice)) / 3,
		geom.Dot3(ab, &n2),
	}
	d[0], d[1], d[2], d[3] = r.D*d[0], r.D*(d[1]/3), r.D*(d[2]/3), r.D*d[3]
	for m := range 4 {
		f.c[0][m], f.c[1][m] = q[m]-d[m], -q[m]-d[m]
	}
}

// normalSize returns the sums of magnitudes that bound A.N and |N|_1 at all times, and whether any
// product in N is not zero.
func (r *SeparationResolver) normalSize() (size, minors float64, spans bool) {
	mb, mc := &r.me[0], &r.me[1]
	for k := range 3 {
		i, l := (k+1)%3, (k+2)%3
		spans = spans || (mb[i] != 0 && mc[l] != 0) || (mb[l] != 0 && mc[i] != 0)
		m := float64(mb[i]*mc[l]) + float64(mb[l]*mc[i])
		size += float64(r.Mp[k] * m)
		minors += m
	}
	return size, minors, spans
}
