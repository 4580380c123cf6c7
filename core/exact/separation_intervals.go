package exact

import (
	"math"

	"ccd/core/geom"
)

// All intervals of a separation in the max norm. Entries are found as the first contact is. The way out goes by what the certificates fail:
// the pair is in contact while each direction has, on either side, a polynomial n.P - d s.n that is not positive, for some corner P and signs s. On [a, b]
// the Bernstein coefficients of one polynomial each are looked at, so the first root of the one that ends first is a time up to which contact lasts for
// certain.
//
// The end. If for certain nothing separates at a, and some direction does at the next double b, contact goes on a little after a and the interval
// ends in (a, b): Exit is b.
//
// What double-doubles cannot decide, integers do for the rest of the time.

// Intervals appends to list the intervals in which the primitives are within d at t in [0, tMax]. The arguments are those of Resolve.
func (r *SeparationResolver) Intervals(kind geom.Kind, q []float64, d, tMax float64, list []geom.Interval) []geom.Interval {
	t := r.decide(kind, q, d, tMax)
	if !t.contact {
		return list
	}
	r.loadLow(q, 3*kind.Points())
	c := &cells{}
	c.begin(kind, list)
	for t.contact {
		if t.lo < t.hi {
			c.open(t.lo, true)
		}
		end := r.leave(t.hi, tMax)
		if end.lo > t.hi || !end.undecided {
			c.point(t.hi, true)
		}
		if end.undecided {
			r.Stats.WideRests++
			if r.wide == nil {
				r.wide = new(separationWide)
			}
			r.wide.load(kind, q, d)
			c.restInCube(r.wide, max(t.hi, end.lo), tMax)
			return c.list
		}
		if end.contact {
			c.point(tMax, true)
			break
		}
		r.Stats.Exits++
		c.point(end.lo, true)
		c.open(end.lo, true)
		c.point(end.hi, false)
		lead, _ := r.separationDoubles(end.hi, end.hi)
		if t = r.advanceDoubles(end.hi, tMax, lead); t.undecided {
			t = r.decideIntegers(kind, q, d, t.lo, tMax)
		}
	}
	c.end(tMax)
	return c.list
}

// leave moves a, where the pair is in contact, until it and the next double b are neighbors with the pair apart at b, or it is tMax
// (contact). Undecided, the pair is in contact from the a that it was given to lo.
func (r *SeparationResolver) leave(a, tMax float64) instant {
	b, double := tMax, false
	for range 2 * doubleSteps {
		if a == tMax {
			s, _ := r.meeting(a, a, true)
			return instant{contact: s == 1, undecided: s < 1, lo: a}
		}
		s, gap := r.meeting(a, b, double)
		if s == 1 {
			if b == tMax {
				return instant{contact: true}
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
			s, _ := r.meeting(a, a, true)
			l, _ := r.separationDoubles(b, b)
			return instant{undecided: s < 1 || l.direction < 0, lo: a, hi: b}
		}
	}
	return instant{undecided: true, lo: a}
}

// meeting is the largest fraction of [a, b] up to which no direction separates for certain, and the fraction at which the tangent of the one that
// separates first vanishes. double takes double-doubles where floats do not tell.
func (r *SeparationResolver) meeting(a, b float64, double bool) (reach, gap float64) {
	r.fa.set(r, a)
	r.fb.set(r, b)
	reach, gap = 1, 1
	for n := range r.directions {
		f := r.failing(n)
		for side := range 2 {
			s, g := f.lasts(side)
			if s < 1 && double {
				f := r.failingDouble(n, a, b)
				s, g = f.lasts(side)
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

// failing has polynomials of one direction's two certificates on an interval [a, b]: for each side and corner the Bernstein coefficients of
// -(n.P - d s.n), with signs s that are those of n in the middle. Where one is positive the certificate fails.
type failing struct {
	c       [2][4][4]float64
	corners int
	err     float64
	degree  int
	none    bool // the direction is zero at all times, and separates nothing
}

// lasts is a fraction of the interval up to which one of a side's polynomials is positive, the largest, with its tangent's: see form.
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

// failing evaluates direction n on the interval [fa, fb]. The numbers are those of form, added up with other signs, and so err no more.
func (r *SeparationResolver) failing(n int) (f failing) {
	switch {
	case n < 3:
		f.degree, f.corners = 1, len(r.shape.corners)
		f.err = float64(axisError*(r.mp[n]+r.d)) + tiny
		for c := range f.corners {
			for l, x := range [2]float64{r.fa.p[c][n], r.fb.p[c][n]} {
				f.c[0][c][l], f.c[1][c][l] = r.d-x, r.d+x
			}
		}
	case n < 3+3*len(r.shape.edges):
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
	f.degree, f.corners = 2, len(r.shape.across[j])
	f.err = float64(crossError*(float64(mi*(r.mp[l]+r.d))+float64(ml*(r.mp[i]+r.d)))) + tiny
	ai, al := r.fa.e[j][i], r.fa.e[j][l]
	bi, bl := r.fb.e[j][i], r.fb.e[j][l]
	si, sl := math.Copysign(1, ai+bi), math.Copysign(1, al+bl)
	d := [3]float64{
		r.d * (float64(si*ai) + float64(sl*al)),
		r.d * (float64(si*(ai+bi)) + float64(sl*(al+bl))) * 0.5,
		r.d * (float64(si*bi) + float64(sl*bl)),
	}
	for c, corner := range r.shape.across[j] {
		pa, pb := &r.fa.p[corner], &r.fb.p[corner]
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
	f.err = float64(normalError*(size+float64(r.d*minors))) + tiny
	ba, bb, ca, cb := &r.fa.e[0], &r.fb.e[0], &r.fa.e[1], &r.fb.e[1]
	aa, ab := &r.fa.p[0], &r.fb.p[0]
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
	d[0], d[1], d[2], d[3] = r.d*d[0], r.d*(d[1]/3), r.d*(d[2]/3), r.d*d[3]
	for m := range q {
		f.c[0][0][m], f.c[1][0][m] = d[m]-q[m], d[m]+q[m]
	}
}

// failingDouble is failing in double-doubles, on [a, b]: see formDouble.
func (r *SeparationResolver) failingDouble(n int, a, b float64) (f failing) {
	switch {
	case n < 3:
		f.degree, f.corners = 1, len(r.shape.corners)
		f.err = float64(doubleError*(r.mp[n]+r.d)) + tiny
		for c := range f.corners {
			for l, t := range [2]float64{a, b} {
				f.set(c, l, r.p[c][n].at(t), double2{r.d, 0})
			}
		}
	case n < 3+3*len(r.shape.edges):
		r.failingCrossDouble((n-3)/3, (n-3)%3, a, b, &f)
	default:
		r.failingNormalDouble(a, b, &f)
	}
	return f
}

// set is coefficient l of a corner, of n.P = q and d s.n = d.
func (f *failing) set(c, l int, q, d double2) {
	f.c[0][c][l], f.c[1][c][l] = d.minus(q).hi, d.plus(q).hi
}

// signed is x with the sign of s.
func (x double2) signed(s float64) double2 {
	if s < 0 {
		return double2{-x.hi, -x.lo}
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
	f.degree, f.corners = 2, len(r.shape.across[j])
	f.err = float64(doubleError*(float64(mi*(r.mp[l]+r.d))+float64(ml*(r.mp[i]+r.d)))) + tiny
	ei, el := &r.e[j][i], &r.e[j][l]
	ai, al, bi, bl := ei.at(a), el.at(a), ei.at(b), el.at(b)
	midI, midL := ai.plus(bi), al.plus(bl)
	d0 := ai.signed(midI.hi).plus(al.signed(midL.hi)).by(r.d)
	d1 := midI.abs().plus(midL.abs()).by(r.d).half()
	d2 := bi.signed(midI.hi).plus(bl.signed(midL.hi)).by(r.d)
	for c, corner := range r.shape.across[j] {
		pi, pl := &r.p[corner][i], &r.p[corner][l]
		ui, ul, vi, vl := pi.at(a), pl.at(a), pi.at(b), pl.at(b)
		mixed := ai.times(vl).minus(al.times(vi)).plus(bi.times(ul).minus(bl.times(ui)))
		f.set(c, 0, ai.times(ul).minus(al.times(ui)), d0)
		f.set(c, 1, mixed.half(), d1)
		f.set(c, 2, bi.times(vl).minus(bl.times(vi)), d2)
	}
}

func (r *SeparationResolver) failingNormalDouble(a, b float64, f *failing) {
	size, minors, spans := r.normalSize()
	if !spans {
		f.none = true
		return
	}
	f.degree, f.corners = 3, 1
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
		s := n0[k].hi + twice[k].hi + n2[k].hi
		d[0] = d[0].plus(n0[k].signed(s))
		d[1] = d[1].plus(n0[k].plus(twice[k]).signed(s))
		d[2] = d[2].plus(twice[k].plus(n2[k]).signed(s))
		d[3] = d[3].plus(n2[k].signed(s))
	}
	f.set(0, 0, innerDouble(&pa, &n0), d[0].by(r.d))
	f.set(0, 1, innerDouble(&pa, &twice).plus(innerDouble(&pb, &n0)).times(third), d[1].by(r.d).times(third))
	f.set(0, 2, innerDouble(&pa, &n2).plus(innerDouble(&pb, &twice)).times(third), d[2].by(r.d).times(third))
	f.set(0, 3, innerDouble(&pb, &n2), d[3].by(r.d))
}
