package clearance

import (
	"math"

	"ccd/core/geom"
)

// This file finds all intervals of contact with a separation in the max norm. It finds entries as
// it finds the first contact, and exits by the failure of certificates: the pair is in contact
// while each direction has, on either side, a polynomial n.P - d s.n that is not positive, for some
// corner P and signs s. On [a, b] one such polynomial of each direction and side is tested by its
// Bernstein coefficients, so contact certainly lasts up to the least of their first roots.
//
// The end. If certainly no direction separates at a, and one does at the next double b, contact
// lasts a little beyond a, and the interval ends in (a, b): Exit is b.
//
// Where double-doubles cannot decide, integers compute the rest of the intervals.

// Intervals appends to list the intervals in which the primitives are within d at t in [0, tMax].
// The arguments are those of Resolve.
func (r *SeparationResolver) Intervals(kind geom.Kind, q []float64, d, tMax float64,
	list []geom.Interval) []geom.Interval {
	if r.apart(kind, q, d) {
		r.Stats.Axes++
		return list
	}
	if x := r.rest(kind, q, d); x != nil {
		if list, done := x.intervals(d, tMax, true, list); done {
			r.Stats.Resting++
			return list
		}
	}
	t := r.search(kind, q, d, tMax)
	if !t.Contact {
		return list
	}
	r.loadLow(q, 3*kind.Points())
	c := &cells{}
	c.Begin(kind, list)
	for t.Contact {
		if t.Lo < t.Hi {
			c.open(t.Lo, true)
		}
		end := r.leave(t.Hi, tMax)
		if end.Lo > t.Hi || !end.Undecided {
			c.point(t.Hi, true)
		}
		if end.Undecided {
			r.Stats.WideRests++
			if r.wide == nil {
				r.wide = new(separationWide)
			}
			r.wide.load(kind, q, d)
			c.restInCube(r.wide, max(t.Hi, end.Lo), tMax)
			return c.List
		}
		if end.Contact {
			c.point(tMax, true)
			break
		}
		r.Stats.Exits++
		c.point(end.Lo, true)
		c.open(end.Lo, true)
		c.point(end.Hi, false)
		lead, _ := r.separationDoubles(end.Hi, end.Hi)
		if t = r.advanceDoubles(end.Hi, tMax, lead); t.Undecided {
			t = r.decideIntegers(kind, q, d, t.Lo, tMax)
		}
	}
	c.end(tMax)
	return c.List
}

// leave moves a, where the pair is in contact, until the pair is apart at the next double b, or a
// is tMax (Contact). If the result is Undecided, the pair is in contact from the given a to Lo.
func (r *SeparationResolver) leave(a, tMax float64) Instant {
	b, double := tMax, false
	var until lasting
	for range 2 * doubleSteps {
		if a == tMax {
			s, _ := r.meeting(a, a, true, &until)
			return Instant{Contact: s == 1, Undecided: s < 1, Lo: a}
		}
		s, gap := r.meeting(a, b, double, &until)
		if s == 1 {
			if b == tMax {
				return Instant{Contact: true}
			}
			a, b = b, min(tMax, b+float64(8*(b-a)))
			continue
		}
		neighbor := math.Nextafter(a, 2)
		next := forward(a, b, s)
		switch {
		case next > a && s > 0x1p-10:
			a, b = next, trial(next, a, b, gap, tMax)
		case b-a > 0x1p-40*a && b > neighbor:
			b = max(neighbor, a+float64(0x1p-4*(b-a)))
		case !double:
			double = true
		case next > a:
			a, b = next, trial(next, a, b, gap, tMax)
		case b > neighbor:
			b = neighbor
		default:
			s, _ := r.meeting(a, a, true, &until)
			l, _ := r.separationDoubles(b, b)
			return Instant{Undecided: s < 1 || l.direction < 0, Lo: a, Hi: b}
		}
	}
	return Instant{Undecided: true, Lo: a}
}

// lasting has, for each direction and side, a time up to which it certainly does not separate,
// from the time that leave has come to; 0 where none is known. Up to there it is not looked at.
type lasting [13][2]float64

// meeting returns the largest fraction of [a, b] up to which certainly no direction separates, and
// the fraction at which the tangent of the one that separates first vanishes. If double is true,
// double-doubles decide where floats cannot.
func (r *SeparationResolver) meeting(a, b float64, double bool, until *lasting) (reach, gap float64) {
	r.Fa.Set(r, a)
	r.fb.Set(r, b)
	reach, gap = 1, 1
	for n := range r.directions {
		known := &until[n]
		if b > 0 && min(known[0], known[1]) >= b {
			continue
		}
		f := r.failing(n)
		for side := range 2 {
			if b > 0 && known[side] >= b {
				continue
			}
			s, g := f.lasts(side)
			if s < 1 && double {
				f := r.failingDouble(n, a, b)
				s, g = f.lasts(side)
			}
			if s == 1 {
				known[side] = b
			}
			if s < reach {
				reach, gap = s, g
			}
			if reach == 0 {
				return 0, gap
			}
		}
	}
	return reach, gap
}

// failing has polynomials of one direction's two certificates on an interval [a, b]: for each side
// and corner the Bernstein coefficients of -(n.P - d s.n), with signs s that are those of n in the
// middle. Where one is positive the certificate fails.
type failing struct {
	c       [2][4][4]float64
	corners int
	err     float64
	degree  int
	none    bool // the direction is zero at all times, and separates nothing
}

// lasts returns a fraction of the interval up to which one of a side's polynomials is positive, the
// largest, with its tangent's: see form.
func (f *failing) lasts(side int) (reach, gap float64) {
	if f.none {
		return 1, 1
	}
	gap = 1
	for c := range f.corners {
		x := form{err: f.err, degree: f.degree}
		x.c[0] = f.c[side][c]
		if s := x.crossing(0); s > reach {
			reach, gap = s, x.tangent(0)
		}
	}
	return reach, gap
}

// failing evaluates direction n on the interval [Fa, fb]. The numbers are those of form, added up
// with other signs, and so err no more.
func (r *SeparationResolver) failing(n int) (f failing) {
	switch {
	case n < 3:
		f.degree, f.corners = 1, len(r.Shape.Corners)
		f.err = float64(axisError*(r.Mp[n]+r.D)) + Tiny
		for c := range f.corners {
			for l, x := range [2]float64{r.Fa.p[c][n], r.fb.p[c][n]} {
				f.c[0][c][l], f.c[1][c][l] = r.D-x, r.D+x
			}
		}
	case n < 3+3*len(r.Shape.Edges):
		r.failingCross((n-3)/3, (n-3)%3, &f)
	default:
		r.failingNormal(&f)
	}
	return f
}

func (r *SeparationResolver) failingCross(j, k int, f *failing) {
	i, l := (k+1)%3, (k+2)%3
	mi, ml := r.me[j][i], r.me[j][l]
	if mi == 0 && ml == 0 {
		f.none = true
		return
	}
	f.degree, f.corners = 2, len(r.Shape.Across[j])
	f.err = float64(crossError*(float64(mi*(r.Mp[l]+r.D))+float64(ml*(r.Mp[i]+r.D)))) + Tiny
	ai, al := r.Fa.e[j][i], r.Fa.e[j][l]
	bi, bl := r.fb.e[j][i], r.fb.e[j][l]
	si, sl := math.Copysign(1, ai+bi), math.Copysign(1, al+bl)
	d := [3]float64{
		r.D * (float64(si*ai) + float64(sl*al)),
		r.D * (float64(si*(ai+bi)) + float64(sl*(al+bl))) * 0.5,
		r.D * (float64(si*bi) + float64(sl*bl)),
	}
	for c, corner := range r.Shape.Across[j] {
		pa, pb := &r.Fa.p[corner], &r.fb.p[corner]
		q := [3]float64{
			float64(ai*pa[l]) - float64(al*pa[i]),
			((float64(ai*pb[l]) - float64(al*pb[i])) + (float64(bi*pa[l]) - float64(bl*pa[i]))) * 0.5,
			float64(bi*pb[l]) - float64(bl*pb[i]),
		}
		for m := range q {
			f.c[0][c][m], f.c[1][c][m] = d[m]-q[m], d[m]+q[m]
		}
	}
}

func (r *SeparationResolver) failingNormal(f *failing) {
	size, minors, spans := r.normalSize()
	if !spans {
		f.none = true
		return
	}
	f.degree, f.corners = 3, 1
	f.err = float64(normalError*(size+float64(r.D*minors))) + Tiny
	ba, bb, ca, cb := &r.Fa.e[0], &r.fb.e[0], &r.Fa.e[1], &r.fb.e[1]
	aa, ab := &r.Fa.p[0], &r.fb.p[0]
	n0, n2 := geom.Cross3(ba, ca), geom.Cross3(bb, cb)
	x, y := geom.Cross3(ba, cb), geom.Cross3(bb, ca)
	var twice [3]float64 // 2 N_1
	var d [4]float64
	for k := range 3 {
		twice[k] = x[k] + y[k]
		s := math.Copysign(1, n0[k]+twice[k]+n2[k])
		d[0] += float64(s * n0[k])
		d[1] += float64(s * (n0[k] + twice[k]))
		d[2] += float64(s * (twice[k] + n2[k]))
		d[3] += float64(s * n2[k])
	}
	q := [4]float64{
		geom.Dot3(aa, &n0),
		(geom.Dot3(aa, &twice) + geom.Dot3(ab, &n0)) / 3,
		(geom.Dot3(aa, &n2) + geom.Dot3(ab, &twice)) / 3,
		geom.Dot3(ab, &n2),
	}
	d[0], d[1], d[2], d[3] = r.D*d[0], r.D*(d[1]/3), r.D*(d[2]/3), r.D*d[3]
	for m := range q {
		f.c[0][0][m], f.c[1][0][m] = d[m]-q[m], d[m]+q[m]
	}
}

// failingDouble is failing in double-doubles, on [a, b]: see formDouble.
func (r *SeparationResolver) failingDouble(n int, a, b float64) (f failing) {
	switch {
	case n < 3:
		f.degree, f.corners = 1, len(r.Shape.Corners)
		f.err = float64(doubleError*(r.Mp[n]+r.D)) + Tiny
		for c := range f.corners {
			for l, t := range [2]float64{a, b} {
				f.set(c, l, r.P[c][n].at(t), Double2{r.D, 0})
			}
		}
	case n < 3+3*len(r.Shape.Edges):
		r.failingCrossDouble((n-3)/3, (n-3)%3, a, b, &f)
	default:
		r.failingNormalDouble(a, b, &f)
	}
	return f
}

// set writes coefficient l of a corner, where n.P = q and d s.n = d.
func (f *failing) set(c, l int, q, d Double2) {
	f.c[0][c][l], f.c[1][c][l] = d.Minus(q).Hi, d.Plus(q).Hi
}

// signed returns x with the sign of s.
func (x Double2) signed(s float64) Double2 {
	if s < 0 {
		return Double2{-x.Hi, -x.Lo}
	}
	return x
}

func (r *SeparationResolver) failingCrossDouble(j, k int, a, b float64, f *failing) {
	i, l := (k+1)%3, (k+2)%3
	mi, ml := r.me[j][i], r.me[j][l]
	if mi == 0 && ml == 0 {
		f.none = true
		return
	}
	f.degree, f.corners = 2, len(r.Shape.Across[j])
	f.err = float64(doubleError*(float64(mi*(r.Mp[l]+r.D))+float64(ml*(r.Mp[i]+r.D)))) + Tiny
	ei, el := &r.E[j][i], &r.E[j][l]
	ai, al, bi, bl := ei.at(a), el.at(a), ei.at(b), el.at(b)
	midI, midL := ai.Plus(bi), al.Plus(bl)
	d0 := ai.signed(midI.Hi).Plus(al.signed(midL.Hi)).By(r.D)
	d1 := midI.Abs().Plus(midL.Abs()).By(r.D).half()
	d2 := bi.signed(midI.Hi).Plus(bl.signed(midL.Hi)).By(r.D)
	for c, corner := range r.Shape.Across[j] {
		pi, pl := &r.P[corner][i], &r.P[corner][l]
		ui, ul, vi, vl := pi.at(a), pl.at(a), pi.at(b), pl.at(b)
		mixed := ai.times(vl).Minus(al.times(vi)).Plus(bi.times(ul).Minus(bl.times(ui)))
		f.set(c, 0, ai.times(ul).Minus(al.times(ui)), d0)
		f.set(c, 1, mixed.half(), d1)
		f.set(c, 2, bi.times(vl).Minus(bl.times(vi)), d2)
	}
}

func (r *SeparationResolver) failingNormalDouble(a, b float64, f *failing) {
	size, minors, spans := r.normalSize()
	if !spans {
		f.none = true
		return
	}
	f.degree, f.corners = 3, 1
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
		s := n0[k].Hi + twice[k].Hi + n2[k].Hi
		d[0] = d[0].Plus(n0[k].signed(s))
		d[1] = d[1].Plus(n0[k].Plus(twice[k]).signed(s))
		d[2] = d[2].Plus(twice[k].Plus(n2[k]).signed(s))
		d[3] = d[3].Plus(n2[k].signed(s))
	}
	f.set(0, 0, InnerDouble(&pa, &n0), d[0].By(r.D))
	f.set(0, 1, InnerDouble(&pa, &twice).Plus(InnerDouble(&pb, &n0)).times(third), d[1].By(r.D).times(third))
	f.set(0, 2, InnerDouble(&pa, &n2).Plus(InnerDouble(&pb, &twice)).times(third), d[2].By(r.D).times(third))
	f.set(0, 3, InnerDouble(&pb, &n2), d[3].By(r.D))
}
