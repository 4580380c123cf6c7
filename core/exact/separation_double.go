package exact

import "ccd/core/num"

// double2 is an unevaluated sum of two doubles, about 106 bits. It is not dd, whose sums are normalized with TwoSum: too long to be inlined,
// they took 4 % of a query with a separation more. After a cancellation the low part may be large beside the high
// one, so errors are counted by scale: |hi| <= X, |lo| <= u X, u = 2^-53. In units of u^2, to first order:
//
//   - plus, minus: 5 (X + Y). TwoSum is exact, its error at most u (X + Y); the sum of the low parts rounds by 1, adding it
//     by 2; quick is exact when its first part is the larger, else off by u times the second, at most 2.
//   - times: 11 X Y. TwoProd is exact; the mixed products round by 1 each, their sum by 2, lo lo is dropped: 1; adding TwoProd's
//     error rounds by 3, and quick by 3 at most. by, a product with a double: 1 + 2 + 2 = 5.
type double2 struct{ hi, lo float64 }

func (a double2) plus(b double2) double2 {
	s, e := num.TwoSum(a.hi, b.hi)
	return quick(s, e+(a.lo+b.lo))
}

func (a double2) minus(b double2) double2 { return a.plus(double2{-b.hi, -b.lo}) }

func (a double2) times(b double2) double2 {
	p, e := num.TwoProd(a.hi, b.hi)
	return quick(p, e+(float64(a.hi*b.lo)+float64(a.lo*b.hi)))
}

func (a double2) by(x float64) double2 {
	p, e := num.TwoProd(a.hi, x)
	return quick(p, e+float64(a.lo*x))
}

func (a double2) half() double2 { return double2{0.5 * a.hi, 0.5 * a.lo} }

func (a double2) abs() double2 {
	if a.hi < 0 {
		return double2{-a.hi, -a.lo}
	}
	return a
}

// quick is a + b for |a| >= |b|.
func quick(a, b float64) double2 {
	s := a + b
	return double2{s, b - (s - a)}
}

// third is one third, to 2^-107.
var third = double2{1.0 / 3, 0x1.5555555555555p-56}

// doubleError bounds a coefficient's error as a multiple of the sums of magnitudes that bound the float forms, for all sorts of
// direction; in units of u^2 it is 256. The ends are exact; a component at t errs by 10 (difference) + 10 (times t) + 15 (the sum of
// 1 and 2), all times the largest component m: 35. A product of two: 81; a minor: 86; the sum of two: 91. Of the normal's cubic: a
// product of three 35 + 91 + 11, three of them added 10, two such sums 5, a third 12, less d |N|_1 5: 169. Crosses and axes have less.
const doubleError = 0x1p-98

// at is the component at the time t.
func (x *linearMotion) at(t float64) double2 {
	a := double2{x.at0, x.low0}
	return a.plus(double2{x.at1, x.low1}.minus(a).by(t))
}

// vectorAt is the vector at the time t.
func vectorAt(x *[3]linearMotion, t float64) [3]double2 {
	return [3]double2{x[0].at(t), x[1].at(t), x[2].at(t)}
}

// formDouble is form in double-doubles, on the interval [a, b]. The coefficients are rounded to doubles at the end: that changes
// no sign, and crossing makes up for it.
func (r *SeparationResolver) formDouble(n int, a, b float64) (f form) {
	switch {
	case n < 3:
		r.axisFormDouble(n, a, b, &f)
	case n < 3+3*len(r.shape.edges):
		r.crossFormDouble((n-3)/3, (n-3)%3, a, b, &f)
	default:
		r.normalFormDouble(a, b, &f)
	}
	return f
}

// lower takes the least of what is there and q - d, and of its mirror image -q - d.
func (f *form) lower(l int, first bool, q, d double2) {
	x, y := q.minus(d).hi, q.plus(d).hi
	if first || x < f.c[0][l] {
		f.c[0][l] = x
	}
	if first || -y < f.c[1][l] {
		f.c[1][l] = -y
	}
}

func (r *SeparationResolver) axisFormDouble(k int, a, b float64, f *form) {
	f.degree = 1
	f.err = float64(doubleError*(r.mp[k]+r.d)) + tiny
	d := double2{r.d, 0}
	for c := range r.shape.corners {
		f.lower(0, c == 0, r.p[c][k].at(a), d)
		f.lower(1, c == 0, r.p[c][k].at(b), d)
	}
}

func (r *SeparationResolver) crossFormDouble(j, k int, a, b float64, f *form) {
	i, l := (k+1)%3, (k+2)%3
	mi, ml := r.me[j][i], r.me[j][l]
	if mi == 0 && ml == 0 {
		f.none = true
		return
	}
	f.degree = 2
	f.err = float64(doubleError*(float64(mi*(r.mp[l]+r.d))+float64(ml*(r.mp[i]+r.d)))) + tiny
	ei, el := &r.e[j][i], &r.e[j][l]
	ai, al, bi, bl := ei.at(a), el.at(a), ei.at(b), el.at(b)
	d0 := ai.abs().plus(al.abs()).by(r.d)
	d1 := ai.plus(bi).abs().plus(al.plus(bl).abs()).by(r.d).half()
	d2 := bi.abs().plus(bl.abs()).by(r.d)
	for c, corner := range r.shape.across[j] {
		pi, pl := &r.p[corner][i], &r.p[corner][l]
		ui, ul, vi, vl := pi.at(a), pl.at(a), pi.at(b), pl.at(b)
		mixed := ai.times(vl).minus(al.times(vi)).plus(bi.times(ul).minus(bl.times(ui)))
		f.lower(0, c == 0, ai.times(ul).minus(al.times(ui)), d0)
		f.lower(1, c == 0, mixed.half(), d1)
		f.lower(2, c == 0, bi.times(vl).minus(bl.times(vi)), d2)
	}
}

func (r *SeparationResolver) normalFormDouble(a, b float64, f *form) {
	size, minors, spans := r.normalSize()
	if !spans {
		f.none = true
		return
	}
	f.degree = 3
	f.err = float64(doubleError*(size+float64(r.d*minors))) + tiny
	pa, pb := vectorAt(&r.p[0], a), vectorAt(&r.p[0], b)
	ba, bb := vectorAt(&r.e[0], a), vectorAt(&r.e[0], b)
	ca, cb := vectorAt(&r.e[1], a), vectorAt(&r.e[1], b)
	n0, n2 := crossDouble(&ba, &ca), crossDouble(&bb, &cb)
	x, y := crossDouble(&ba, &cb), crossDouble(&bb, &ca)
	var twice [3]double2 // 2 N_1
	var d [4]double2
	for k := range 3 {
		twice[k] = x[k].plus(y[k])
		d[0] = d[0].plus(n0[k].abs())
		d[1] = d[1].plus(n0[k].plus(twice[k]).abs())
		d[2] = d[2].plus(twice[k].plus(n2[k]).abs())
		d[3] = d[3].plus(n2[k].abs())
	}
	f.lower(0, true, innerDouble(&pa, &n0), d[0].by(r.d))
	f.lower(1, true, innerDouble(&pa, &twice).plus(innerDouble(&pb, &n0)).times(third), d[1].by(r.d).times(third))
	f.lower(2, true, innerDouble(&pa, &n2).plus(innerDouble(&pb, &twice)).times(third), d[2].by(r.d).times(third))
	f.lower(3, true, innerDouble(&pb, &n2), d[3].by(r.d))
}

func crossDouble(x, y *[3]double2) (n [3]double2) {
	for k := range 3 {
		i, l := (k+1)%3, (k+2)%3
		n[k] = x[i].times(y[l]).minus(x[l].times(y[i]))
	}
	return n
}

func innerDouble(x, y *[3]double2) double2 {
	return x[0].times(y[0]).plus(x[1].times(y[1])).plus(x[2].times(y[2]))
}
