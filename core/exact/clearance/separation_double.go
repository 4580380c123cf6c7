package clearance

import "ccd/core/num"

// Double2 is an unevaluated sum of two doubles, about 106 bits. It is not exact.DD: the sums of
// that type are normalized with TwoSum, so that they are too long to be inlined, and a query with a
// separation takes 4 % more time. After a cancellation the low part may be large beside the high
// one, so errors are counted by scale: |hi| <= X, |lo| <= u X, u = 2^-53. In units of u^2, to first
// order:
//
//   - plus, minus: 5 (X + Y). TwoSum is exact, its error at most u (X + Y); the sum of the low
//     parts rounds by 1, adding it by 2; quick is exact when its first part is the larger, else off
//     by u times the second, at most 2.
//   - times: 11 X Y. TwoProd is exact; the mixed products round by 1 each, their sum by 2, lo lo is
//     dropped: 1; adding TwoProd's error rounds by 3, and quick by 3 at most. by, a product with a
//     double: 1 + 2 + 2 = 5.
type Double2 struct{ Hi, Lo float64 }

func (a Double2) Plus(b Double2) Double2 {
	s, e := num.TwoSum(a.Hi, b.Hi)
	return quick(s, e+(a.Lo+b.Lo))
}

func (a Double2) Minus(b Double2) Double2 { return a.Plus(Double2{-b.Hi, -b.Lo}) }

func (a Double2) times(b Double2) Double2 {
	p, e := num.TwoProd(a.Hi, b.Hi)
	return quick(p, e+(float64(a.Hi*b.Lo)+float64(a.Lo*b.Hi)))
}

func (a Double2) By(x float64) Double2 {
	p, e := num.TwoProd(a.Hi, x)
	return quick(p, e+float64(a.Lo*x))
}

func (a Double2) half() Double2 { return Double2{0.5 * a.Hi, 0.5 * a.Lo} }

func (a Double2) Abs() Double2 {
	if a.Hi < 0 {
		return Double2{-a.Hi, -a.Lo}
	}
	return a
}

// quick returns a + b for |a| >= |b|.
func quick(a, b float64) Double2 {
	s := a + b
	return Double2{s, b - (s - a)}
}

// third is one third, to 2^-107.
var third = Double2{1.0 / 3, 0x1.5555555555555p-56}

// doubleError bounds a coefficient's error as a multiple of the sums of magnitudes that bound the
// float forms, for all sorts of direction; in units of u^2 it is 256. The ends are exact; a
// component at t errs by 10 (difference) + 10 (times t) + 15 (the sum of 1 and 2), all times the
// largest component m: 35. A product of two: 81; a minor: 86; the sum of two: 91. Of the normal's
// cubic: a product of three 35 + 91 + 11, three of them added 10, two such sums 5, a third 12, less
// d |N|_1 5: 169. Crosses and axes have less.
const doubleError = 0x1p-98

// at returns the component at the time t.
func (x *LinearMotion) at(t float64) Double2 {
	a := Double2{x.At0, x.Low0}
	return a.Plus(Double2{x.At1, x.Low1}.Minus(a).By(t))
}

// VectorAt returns the vector at the time t.
func VectorAt(x *[3]LinearMotion, t float64) [3]Double2 {
	return [3]Double2{x[0].at(t), x[1].at(t), x[2].at(t)}
}

// formDouble is form in double-doubles, on the interval [a, b]. The coefficients are rounded to
// doubles at the end, which changes no sign and is within the margin of crossing.
func (r *SeparationResolver) formDouble(n int, a, b float64) (f form) {
	switch {
	case n < 3:
		r.axisFormDouble(n, a, b, &f)
	case n < 3+3*len(r.Shape.Edges):
		r.crossFormDouble((n-3)/3, (n-3)%3, a, b, &f)
	default:
		r.normalFormDouble(a, b, &f)
	}
	return f
}

// lower lowers coefficient l of both sides to q - d and to -q - d, if these are less or first is
// true.
func (f *form) lower(l int, first bool, q, d Double2) {
	x, y := q.Minus(d).Hi, q.Plus(d).Hi
	if first || x < f.c[0][l] {
		f.c[0][l] = x
	}
	if first || -y < f.c[1][l] {
		f.c[1][l] = -y
	}
}

func (r *SeparationResolver) axisFormDouble(k int, a, b float64, f *form) {
	f.degree = 1
	f.err = float64(doubleError*(r.Mp[k]+r.D)) + Tiny
	d := Double2{r.D, 0}
	for c := range r.Shape.Corners {
		f.lower(0, c == 0, r.P[c][k].at(a), d)
		f.lower(1, c == 0, r.P[c][k].at(b), d)
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
	f.err = float64(doubleError*(float64(mi*(r.Mp[l]+r.D))+float64(ml*(r.Mp[i]+r.D)))) + Tiny
	ei, el := &r.E[j][i], &r.E[j][l]
	ai, al, bi, bl := ei.at(a), el.at(a), ei.at(b), el.at(b)
	d0 := ai.Abs().Plus(al.Abs()).By(r.D)
	d1 := ai.Plus(bi).Abs().Plus(al.Plus(bl).Abs()).By(r.D).half()
	d2 := bi.Abs().Plus(bl.Abs()).By(r.D)
	for c, corner := range r.Shape.Across[j] {
		pi, pl := &r.P[corner][i], &r.P[corner][l]
		ui, ul, vi, vl := pi.at(a), pl.at(a), pi.at(b), pl.at(b)
		mixed := ai.times(vl).Minus(al.times(vi)).Plus(bi.times(ul).Minus(bl.times(ui)))
		f.lower(0, c == 0, ai.times(ul).Minus(al.times(ui)), d0)
		f.lower(1, c == 0, mixed.half(), d1)
		f.lower(2, c == 0, bi.times(vl).Minus(bl.times(vi)), d2)
	}
}

func (r *SeparationResolver) normalFormDouble(a, b float64, f *form) {
	size, minors, spans := r.normalSize()
	if !spans {
		f.none = true
		return
	}
	f.degree = 3
	f.err = float64(doubleError*(size+float64(r.D*minors))) + Tiny
	pa, pb := VectorAt(&r.P[0], a), VectorAt(&r.P[0], b)
	ba, bb := VectorAt(&r.E[0], a), VectorAt(&r.E[0], b)
	ca, cb := VectorAt(&r.E[1], a), VectorAt(&r.E[1], b)
	n0, n2 := CrossDouble(&ba, &ca), CrossDouble(&bb, &cb)
	x, y := CrossDouble(&ba, &cb), CrossDouble(&bb, &ca)
	var twice [3]Double2 // 2 N_1
	var d [4]Double2
	for k := range 3 {
		twice[k] = x[k].Plus(y[k])
		d[0] = d[0].Plus(n0[k].Abs())
		d[1] = d[1].Plus(n0[k].Plus(twice[k]).Abs())
		d[2] = d[2].Plus(twice[k].Plus(n2[k]).Abs())
		d[3] = d[3].Plus(n2[k].Abs())
	}
	f.lower(0, true, InnerDouble(&pa, &n0), d[0].By(r.D))
	f.lower(1, true, InnerDouble(&pa, &twice).Plus(InnerDouble(&pb, &n0)).times(third), d[1].By(r.D).times(third))
	f.lower(2, true, InnerDouble(&pa, &n2).Plus(InnerDouble(&pb, &twice)).times(third), d[2].By(r.D).times(third))
	f.lower(3, true, InnerDouble(&pb, &n2), d[3].By(r.D))
}

func CrossDouble(x, y *[3]Double2) (n [3]Double2) {
	for k := range 3 {
		i, l := (k+1)%3, (k+2)%3
		n[k] = x[i].times(y[l]).Minus(x[l].times(y[i]))
	}
	return n
}

func InnerDouble(x, y *[3]Double2) Double2 {
	return x[0].times(y[0]).Plus(x[1].times(y[1])).Plus(x[2].times(y[2]))
}
