package exact

import (
	"math"
	"slices"

	"ccd/core/geom"
)

// tightening is a time at which a slack, or N_k, is zero.
type tightening struct {
	floor float64
	exact bool
	slack int // slack is the number of the slack, or ofNormal.
}

// planar decides a query whose cubic is zero throughout: A, B and C are in one plane at all times.
// Until a component N_k is zero, u = U_k / N_k and v = V_k / N_k are unique and continuous, and
// there is contact while no slack is negative. So the first contact is at t = 0 or at a root of a
// slack (docs/proofs/exact.md, "Candidates", 2). If N_k has a root before the contact, planar
// leaves the query to Wide.
func (f *fixed) planar(tMax float64, out *found) Answer {
	if a := f.feasible(0, true, out); a != No {
		out.planar = true
		return a
	}
	k := f.steady()
	if k < 0 {
		return Unknown
	}
	f.slacks(k)
	f.times = f.times[:0]
	for i := len(f.slack) - 1; i >= 0; i-- { // N_k comes first, since the sort is stable.
		if i != unused(f.domain) && !f.tighten(i) {
			return Unknown
		}
	}
	slices.SortStableFunc(f.times, compareTightenings)
	for i, r := range f.times {
		switch {
		case r.floor > tMax || r.floor == tMax && !r.exact:
			return No
		case r.slack == ofNormal, i > 0 && f.times[i-1] == r, i+1 < len(f.times) && f.times[i+1] == r:
			return Unknown // In the last two cases, a slack has two roots between neighboring doubles.
		}
		if a := f.allowed(r, out); a != No {
			return a
		}
	}
	return No
}

// ofNormal is the index of N_k in fixed.slack.
const ofNormal = 4

func unused(domain geom.Domain) int {
	if domain == geom.Square {
		return -1
	}
	return 3
}

func compareTightenings(r, s tightening) int {
	switch {
	case r.floor < s.floor, r.floor == s.floor && r.exact && !s.exact:
		return -1
	case r.floor > s.floor, r.floor == s.floor && s.exact && !r.exact:
		return 1
	}
	return 0
}

// steady returns the component of N that is not zero at t = 0 and the largest there, or of those
// whose Bernstein coefficients have one sign, if there are any; else -1.
func (f *fixed) steady() int {
	k, most, sure := -1, 0.0, false
	for i := range f.n {
		n := &f.n[i]
		s := n[0].Sign()
		if s == 0 {
			continue
		}
		x, even := math.Abs(n.value(0)), s == n[1].Sign() && s == n[2].Sign()
		if k < 0 || even && !sure || even == sure && x > most {
			k, most, sure = i, x, even
		}
	}
	return k
}

// slacks fills in those of component k, and N_k itself, with the sign of N_k(0) made positive.
func (f *fixed) slacks(k int) {
	n, u, v := f.n[k], crossAt(&f.c, &f.a, k), crossAt(&f.a, &f.b, k)
	f.slack = [5]quadratic{u, v, n.minus(&u), n.minus(&v), n}
	if f.domain != geom.Square {
		f.slack[2] = f.slack[2].minus(&v)
	}
	if n[0].Sign() < 0 {
		var zero quadratic
		for i := range f.slack {
			f.slack[i] = zero.minus(&f.slack[i])
		}
	}
}

// tighten lists the roots of slack i in (0, 1], unless the slack is zero throughout. It returns
// false if it cannot find them.
func (f *fixed) tighten(i int) bool {
	p := &f.slack[i]
	s := [3]int{p[0].Sign(), p[1].Sign(), p[2].Sign()}
	if s[2] == 0 && s != [3]int{} {
		f.times = append(f.times, tightening{1, true, i})
	}
	switch { // Descartes' rule: there are as many roots as changes of sign, or two less.
	case s[0] != 0 && s[1] == -s[0] && s[2] == s[0]:
		a, b, c := p[0].Float(), p[1].Float(), p[2].Float()
		if z := (float64(2*a) - b) / (2 * (a - b + c)); z > 0 && z < 1 && p.signIs(z, s[1]) {
			return f.tightenIn(i, 0, z, s[0]) && f.tightenIn(i, z, 1, s[1])
		}
		return p.rootless()
	case s[0]*s[1] < 0 || s[0]*s[2] < 0:
		return f.tightenIn(i, 0, 1, s[0])
	case s[1]*s[2] < 0: // Here s[0] is zero.
		return f.tightenIn(i, 0, 1, s[1])
	}
	return true
}

// tightenIn lists the only root of slack i in (lo, hi), where the slack has the sign low right of
// lo.
func (f *fixed) tightenIn(i int, lo, hi float64, low int) bool {
	p := &f.slack[i]
	c := p.power()
	floor, exact, ok := bisect(p, &[4]float64{c[0].Float(), c[1].Float(), c[2].Float()}, lo, hi, low)
	f.times = append(f.times, tightening{floor, exact, i})
	return ok
}

func (p *quadratic) signIs(t float64, sign int) bool {
	s, ok := p.signAt(t)
	return ok && s == sign
}

// rootless reports whether p has no real root: p0 + p1 x + p2 x^2, x = t / (1-t), has a negative
// discriminant. Then p0 and p2 are of one sign and p1^2 < 4 p0 p2; magnitudes are below 2^126.
func (p *quadratic) rootless() bool {
	left, right := product(p[1], p[1]), product(p[0], p[2])
	right.Shl2()
	for i := len(left) - 1; i >= 0; i-- {
		if left[i] != right[i] {
			return left[i] < right[i]
		}
	}
	return false
}

// allowed reports whether no slack is negative at the root r of one of them.
func (f *fixed) allowed(r tightening, out *found) Answer {
	*out = found{floor: r.floor, exact: r.exact, planar: true, shape: 2}
	all := true
	for i := range f.corners() {
		p := &f.slack[i]
		s, ok := 0, i == r.slack || !r.exact && proportional(&f.slack[r.slack], p)
		if !ok {
			s, ok = p.sign(r.floor, r.exact)
		}
		if ok && s < 0 {
			return No
		}
		all = all && ok
		out.slack[i] = s
	}
	if !all && (r.exact || !f.met(r, out)) {
		return Unknown
	}
	return Yes
}

// met writes the slacks at the only root of slack r.slack between r.floor and the next double, if a
// corner of the domain is a solution there. Since the slack is zero at the corner, the corner is
// the solution at the root.
func (f *fixed) met(r tightening, out *found) bool {
	for i := range f.corners() {
		if p := f.corner(i); zero(&p, r.floor) {
			out.slack = f.slacksOf(i)
			return out.slack[r.slack] == 0
		}
	}
	return false
}
