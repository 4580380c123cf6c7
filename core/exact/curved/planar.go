package curved

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/exact"
	"ccd/core/exact/clearance"
	"ccd/core/exact/internal/algebra"
	"ccd/core/geom"
)

// motionPlanar decides a MotionQuery of four points without a separation by its polynomial f = A.(B
// x C), of degree 3k, in doubles and double-doubles. F = A + uB + vC = 0 needs f = 0. So where the
// Bernstein coefficients of f have one certain sign there is no contact; where they change it once
// there is one root, at which (u, v) is (C x A, A x B) / N on the axis where N = B x C is largest.
// If both are certainly inside, the time is between the two neighboring doubles at which
// double-doubles give f different certain signs; if one is certainly outside, there is no contact
// at this root. Whatever is not certain is left to the other stages, whose answer is the same: it
// is unique.
//
// docs/proofs/motions.md, "In one polynomial", derives the bounds.
//
// Size: the fields are a query in one unit and its polynomial.
type motionPlanar struct {
	q       *MotionQuery
	degree  int
	square  bool
	a, b, c [MaxMotionDegree + 1][3]float64

	ma, mb, mc [3]float64 // the largest magnitudes
	size       float64    // P: bounds every coefficient of f
	f          planarPoly
	most       float64 // bounds the coefficients of f: P, or less in double-doubles
	own        int     // the error of a coefficient, in units of 2^-53 most
	rounding   float64 // what double-doubles err beside it
	n          int     // the degree of f

	loaded     bool // dd are the entries in double-doubles
	da, db, dc [MaxMotionDegree + 1]exact.VecDD
	s0, s1     float64 // the scale
	width      float64 // T1 - T0, times a power of two; in [1, 2]
	unit       float64 // the power of two
	power      float64 // width^3k

	from, end float64
	found     clearance.Instant
	nodes     int
}

// planarPoly is the Bernstein coefficients of f on a part of the time.
type planarPoly [3*MaxMotionDegree + 1]float64

const (
	planarError     = 34      // planarError bounds the error of a coefficient, in units of 2^-53 P.
	planarDepth     = 12      // halvings of time
	planarNodes     = 60      // parts that one search looks at
	planarDoubles   = 0x1p-97 // planarDoubles bounds the error of f in double-doubles, in units of P.
	planarUnderflow = 0x1p-900
)

// decide returns the first contact in [from, end], yes with the time in p.found; or unknown. The
// pair is known to be apart before from, if that is not T0.
func (p *motionPlanar) decide(from, end float64) exact.Answer {
	p.from, p.end, p.nodes = from, end, 0
	return p.part(&p.f, 0, 0)
}

// load computes f, and reports whether the query is one for it.
func (p *motionPlanar) load(q *MotionQuery) bool {
	if q.Separation != 0 || q.points() != 4 {
		return false
	}
	p.q, p.degree, p.square, p.loaded = q, q.Degree, q.Kind == geom.EdgeEdge, false
	p.ma, p.mb, p.mc = [3]float64{}, [3]float64{}, [3]float64{}
	for l := range p.degree + 1 {
		x := (*[12]float64)(q.Control[12*l:])
		a, b, c := &p.a[l], &p.b[l], &p.c[l]
		if p.square {
			*a = [3]float64{x[0] - x[6], x[1] - x[7], x[2] - x[8]}
			*b = [3]float64{x[3] - x[0], x[4] - x[1], x[5] - x[2]}
			*c = [3]float64{x[6] - x[9], x[7] - x[10], x[8] - x[11]}
		} else {
			*a = [3]float64{x[0] - x[3], x[1] - x[4], x[2] - x[5]}
			*b = [3]float64{x[3] - x[6], x[4] - x[7], x[5] - x[8]}
			*c = [3]float64{x[3] - x[9], x[4] - x[10], x[5] - x[11]}
		}
		for k := range 3 {
			p.ma[k], p.mb[k], p.mc[k] = exact.Larger(p.ma[k], a[k]), exact.Larger(p.mb[k], b[k]),
				exact.Larger(p.mc[k], c[k])
		}
	}
	most := 0.0
	for k := range 3 {
		most = max(most, p.ma[k], p.mb[k], p.mc[k])
	}
	p.s0, p.s1 = 1, 1
	// Within these limits no product of three entries overflows, and none underflows by more than
	// the bound allows.
	if most > 0x1p100 || most < 0x1p-100 {
		scale := 0
		if most > 0 {
			scale = -math.Ilogb(most)
		}
		p.s0, p.s1 = math.Ldexp(1, scale/2), math.Ldexp(1, scale-scale/2)
		for k := range 3 {
			for l := range p.degree + 1 {
				for _, x := range [3]*float64{&p.a[l][k], &p.b[l][k], &p.c[l][k]} {
					*x = *x * p.s0 * p.s1
				}
			}
			for _, x := range [3]*float64{&p.ma[k], &p.mb[k], &p.mc[k]} {
				*x = *x * p.s0 * p.s1
			}
		}
	}
	p.expand()
	return true
}

// expand computes the coefficients of f: those of the products of scaled ones C(k,l) a_l are sums.
func (p *motionPlanar) expand() {
	k := p.degree
	p.size = float64(p.ma[0]*exact.Permanent(&p.mb, &p.mc, 0)) + float64(p.ma[1]*exact.Permanent(&p.mb, &p.mc, 1)) +
		float64(p.ma[2]*exact.Permanent(&p.mb, &p.mc, 2))
	var a, b, c [MaxMotionDegree + 1]r3.Vec // local arrays, which stay in registers
	for l := range k + 1 {
		w := choose[k][l]
		a[l], b[l], c[l] = scaled(w, &p.a[l]), scaled(w, &p.b[l]), scaled(w, &p.c[l])
	}
	p.n = 3 * k
	p.f, p.most, p.own, p.rounding = planarPoly{}, p.size, planarError, 0
	for m := range 2*k + 1 {
		var n r3.Vec // coefficient m of B x C
		for i := max(0, m-k); i <= min(k, m); i++ {
			x, y := b[i], c[m-i]
			n.X += float64(x.Y*y.Z) - float64(x.Z*y.Y)
			n.Y += float64(x.Z*y.X) - float64(x.X*y.Z)
			n.Z += float64(x.X*y.Y) - float64(x.Y*y.X)
		}
		for i := range k + 1 {
			p.f[i+m] += float64(a[i].X*n.X) + float64(a[i].Y*n.Y) + float64(a[i].Z*n.Z)
		}
	}
	for m := range p.n + 1 {
		p.f[m] *= inverse[p.n][m]
	}
}

func scaled(w float64, x *[3]float64) r3.Vec {
	return r3.Vec{X: float64(w * x[0]), Y: float64(w * x[1]), Z: float64(w * x[2])}
}

// choose and inverse are the binomial coefficients in doubles, the first exactly.
var choose, inverse = func() (c, d [3*MaxMotionDegree + 1][3*MaxMotionDegree + 1]float64) {
	for n := range c {
		for i := range n + 1 {
			c[n][i] = float64(algebra.Binomials[n][i])
			d[n][i] = 1 / c[n][i]
		}
	}
	return c, d
}()

// part decides [i, i+1] 2^-depth of the query's time: no, where there is no contact in it.
func (p *motionPlanar) part(f *planarPoly, i uint64, depth int) exact.Answer {
	if p.from > p.q.T0 && planarTime(p.q, i+1, depth, 1) <= p.from ||
		p.end < p.q.T1 && planarTime(p.q, i, depth, -1) > p.end {
		return exact.No
	}
	p.nodes++
	e := p.margin(depth)
	if !anyAbove(f[:p.n+1], e) {
		return exact.Unknown // f may vanish throughout
	}
	switch turns(f[:p.n+1], e) {
	case 0:
		return exact.No
	case 1:
		if x := p.root(f, e, i, depth); x != exact.Unknown {
			return x
		}
	}
	if depth == planarDepth || p.nodes > planarNodes {
		return exact.Unknown
	}
	var l, r planarPoly
	x := *f
	for m := range p.n + 1 {
		l[m], r[p.n-m] = x[0], x[p.n-m]
		for j := range p.n - m {
			x[j] = 0.5 * (x[j] + x[j+1])
		}
	}
	if x := p.part(&l, 2*i, depth+1); x != exact.No {
		return x
	}
	return p.part(&r, 2*i+1, depth+1)
}

// turns returns how often the coefficients change their sign, if that is 0 or 1 for certain;
// else 2. One coefficient within e of 0 may be between those of different signs: whatever it is,
// there is one change. All others, and those at the ends, must be certain.
func turns(f []float64, e float64) int {
	n := len(f) - 1
	if !(math.Abs(f[0]) > e && math.Abs(f[n]) > e) {
		return 2
	}
	i, j := 0, n
	for up := f[0] > 0; i <= n && math.Abs(f[i]) > e && f[i] > 0 == up; i++ {
	}
	if i > n {
		return 0
	}
	for up := f[n] > 0; math.Abs(f[j]) > e && f[j] > 0 == up; j-- {
	}
	// Coefficient i is the first whose sign is not that of f[0], and j the last whose sign is not
	// that of f[n].
	if j <= i && f[0] > 0 != (f[n] > 0) {
		return 1
	}
	return 2
}

func anyAbove(f []float64, e float64) bool {
	for _, x := range f {
		if math.Abs(x) > e {
			return true
		}
	}
	return false
}

// planarTime is motionFloats.time for a query.
func planarTime(q *MotionQuery, i uint64, depth, side int) float64 {
	f := motionFloats{t0: q.T0, t1: q.T1}
	return f.time(i, depth, side)
}

// root decides the only root of f in a part: yes, no or unknown.
func (p *motionPlanar) root(poly *planarPoly, e float64, i uint64, depth int) exact.Answer {
	if p.later(poly, e, i, depth) {
		return exact.No
	}
	x, part := zeroOf(poly[:p.n+1]), math.Ldexp(1, -depth) // without a bound: double-doubles find out
	if p.outside(poly, e, x, (float64(i)+x)*part, part) {
		return exact.No
	}
	s := (float64(i) + x) * part
	t := s
	whole := p.q.T0 == 0 && p.q.T1 == 1
	if !whole {
		t = p.q.T0 + float64(s*(p.q.T1-p.q.T0))
	}
	p.loadDoubles()
	scale := 1 / (p.q.T1 - p.q.T0)
	lo, hi := math.NaN(), math.NaN()
	first, last := planarTime(p.q, i, depth, 1), planarTime(p.q, i+1, depth, -1) // within the part
	sign0 := poly[0] > 0                                                         // before the root
	for range 6 {
		if !(t > p.q.T0 && t < p.q.T1) {
			return exact.Unknown
		}
		f, slope := p.value(t)
		y := f.H
		if !(math.Abs(y) > p.err()) {
			return exact.Unknown
		}
		if y > 0 == sign0 {
			lo = t
		} else {
			hi = t
		}
		next := t - y/(slope*scale)
		switch {
		case !math.IsNaN(lo) && math.Nextafter(lo, 2) == hi:
			if lo < first || hi > last {
				return exact.Unknown // this may be another root
			}
			return p.inside(lo, hi)
		case y > 0 == sign0 && !(next > t):
			next = math.Nextafter(t, 2)
		case y > 0 != sign0 && !(next < t):
			next = math.Nextafter(t, -1)
		}
		if next == lo { // known to be before the root
			next = math.Nextafter(next, 2)
		} else if next == hi {
			next = math.Nextafter(next, -1)
		}
		t = next
	}
	return exact.Unknown
}

// later reports whether the root of a part is certainly after the end of the search: f has its
// first sign there. The end in units of the query errs by less than 4u, in those of the part by 4u
// 2^depth, so the value by less than 8n u 2^depth P, beside the error of outside.
func (p *motionPlanar) later(f *planarPoly, e float64, i uint64, depth int) bool {
	if p.end >= p.q.T1 {
		return false
	}
	x := math.Ldexp((p.end-p.q.T0)/(p.q.T1-p.q.T0), depth) - float64(i)
	if !(x > 0 && x < 1) {
		return false
	}
	e += float64(float64((6+8<<depth)*p.n)*0x1p-53*p.most) + planarUnderflow
	y := bernsteinAt(f[:p.n+1], x)
	return math.Abs(y) > e && y > 0 == (f[0] > 0)
}

// outside reports whether (u, v) is certainly outside throughout the time in which the root of a
// part certainly lies: x in the part, s in the query, give or take reach. Values of the polynomial,
// by Horner's scheme with weights, err by less than 5n u P beside e.
func (p *motionPlanar) outside(f *planarPoly, e, x, s, part float64) bool {
	const reach = 0x1p-24
	lo, hi := x-reach, x+reach
	if !(lo > 0 && hi < 1) {
		return false
	}
	e += float64(float64(6*p.n)*0x1p-53*p.most) + planarUnderflow
	y0, y1 := bernsteinAt(f[:p.n+1], lo), bernsteinAt(f[:p.n+1], hi)
	if !(math.Abs(y0) > e && math.Abs(y1) > e) || y0 > 0 == (y1 > 0) {
		return false
	}
	return p.place(s, 1.5*reach*part, 1) == exact.No
}

// inside decides a root of f between neighboring doubles lo and hi. Entries are computed at lo;
// they err by (9k + 2) u M, and change by at most 2k M w on the way to hi, w = (hi - lo) / (T1 -
// T0). A component of a cross product takes two of them, a product each and a sum.
func (p *motionPlanar) inside(lo, hi float64) exact.Answer {
	s := lo
	if p.q.T0 != 0 || p.q.T1 != 1 {
		s = (lo - p.q.T0) / (p.q.T1 - p.q.T0)
	}
	x := p.place(s, (hi-lo)/(p.q.T1-p.q.T0)*(1+0x1p-50), 0x1p-20)
	if x == exact.Yes && lo >= p.end {
		return exact.No
	}
	if x == exact.Yes {
		p.found = clearance.Instant{Contact: true, Lo: lo, Hi: hi}
	}
	return x
}

// place reports whether (u, v) at a root of f that is within w of s is certainly inside, or
// certainly outside. The relative error of an entry must be below most.
func (p *motionPlanar) place(s, w, most float64) exact.Answer {
	a, b, c := p.at(s)
	k := float64(p.degree)
	rel := 2 * (float64((float64(10*k)+10)*0x1p-53) + float64(2*k*w))
	if !(rel < most) {
		return exact.Unknown
	}
	rel *= 1.001 + rel
	n, y, z := geom.Cross3(&b, &c), geom.Cross3(&c, &a), geom.Cross3(&a, &b)
	axis := 0
	for i := range 3 {
		if math.Abs(n[i]) > math.Abs(n[axis]) {
			axis = i
		}
	}
	en := float64(rel*exact.Permanent(&p.mb, &p.mc, axis)) + planarUnderflow
	eu := float64(rel*exact.Permanent(&p.mc, &p.ma, axis)) + planarUnderflow
	ev := float64(rel*exact.Permanent(&p.ma, &p.mb, axis)) + planarUnderflow
	x, u, v := n[axis], y[axis], z[axis]
	if x < 0 {
		x, u, v = -x, -u, -v
	}
	if !(x > en) {
		return exact.Unknown
	}
	slack := [4]float64{u, v, x - u, x - v}
	bound := [4]float64{eu, ev, en + eu, en + ev}
	if !p.square {
		slack[2], bound[2] = x-u-v, en+eu+ev
		slack[3], bound[3] = 1, 0
	}
	certain := true
	for i := range slack {
		e := bound[i] * (1 + 0x1p-40)
		if slack[i] < -e {
			return exact.No
		}
		certain = certain && slack[i] > e
	}
	if !certain {
		return exact.Unknown
	}
	return exact.Yes
}
