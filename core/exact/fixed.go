package exact

import (
	"math"

	"ccd/core/exact/internal/algebra"
	"ccd/core/geom"
)

// fixed decides queries in integers of fixed width. It takes nearly all queries: the coordinates,
// each axis scaled by its own power of two, must be integers below 2^60, and the cubic must have
// simple roots, or be zero throughout. It leaves the others to Wide.
//
// Magnitudes: differences are below 2^61; components of cross products, in Bernstein form with the
// middle coefficient times two, below 2^124; the cubic's Bernstein coefficients, the middle ones
// times three, below 2^188; its power coefficients below 2^191; its values at m / 2^s, m < 2^53 and
// s <= 106, times 2^3s, below 2^510.
type fixed struct {
	domain  geom.Domain // a triangle or a square
	a, b, c [2][3]int64
	n       [3]quadratic
	bern    [4]algebra.Int192 // middle coefficients times three
	power   [4]algebra.Int192
	cubic   cubic

	slack [5]quadratic // where the cubic is zero throughout: those of a component of N, and that, positive at t = 0
	times []tightening
}

// quadratic is a polynomial in scaled Bernstein form: p0 (1-t)^2 + p1 t (1-t) + p2 t^2.
type quadratic [3]algebra.Int128

func (f *fixed) decide(domain geom.Domain, q *[24]float64, tMax float64, out *found) Answer {
	f.domain = domain
	if !f.load(q) {
		return Unknown
	}
	f.expand()
	signs := &f.cubic.signs
	changes := f.cubic.changes()
	if changes == 0 && signs[0] != 0 && signs[3] != 0 {
		return No
	}
	if *signs == [4]int{} {
		return f.planar(tMax, out)
	}
	if signs[0] == 0 {
		if a := f.feasible(0, true, out); a != No {
			return a
		}
	}
	if changes > 0 {
		f.powers()
		if a := f.cubic.inner(f, changes, tMax, out); a != No {
			return a
		}
	}
	if signs[3] == 0 && tMax >= 1 {
		return f.feasible(1, true, out)
	}
	return No
}

func (f *fixed) load(q *[24]float64) bool {
	for k := range 3 {
		var m [8]int64
		x := [8]float64{q[k], q[3+k], q[6+k], q[9+k], q[12+k], q[15+k], q[18+k], q[21+k]}
		if !algebra.Scaled64(&x, &m) {
			return false
		}
		for s := range 2 {
			p := m[4*s : 4*s+4]
			if f.domain == geom.Square {
				f.a[s][k], f.b[s][k], f.c[s][k] = p[0]-p[2], p[1]-p[0], p[2]-p[3]
			} else {
				f.a[s][k], f.b[s][k], f.c[s][k] = p[0]-p[1], p[1]-p[2], p[1]-p[3]
			}
		}
	}
	return true
}

// crossAt returns component k of x x y.
func crossAt(x, y *[2][3]int64, k int) (r quadratic) {
	i, j := (k+1)%3, (k+2)%3
	r[0] = algebra.Mul64(x[0][i], y[0][j]).Sub(algebra.Mul64(x[0][j], y[0][i]))
	r[1] = algebra.Mul64(x[0][i], y[1][j]).Sub(algebra.Mul64(x[0][j], y[1][i])).
		Add(algebra.Mul64(x[1][i], y[0][j]).Sub(algebra.Mul64(x[1][j], y[0][i])))
	r[2] = algebra.Mul64(x[1][i], y[1][j]).Sub(algebra.Mul64(x[1][j], y[1][i]))
	return r
}

// expand fills f = A.(B x C) in Bernstein form, and its signs.
func (f *fixed) expand() {
	f.bern = [4]algebra.Int192{}
	b := &f.bern
	for k := range 3 {
		f.n[k] = crossAt(&f.b, &f.c, k)
		n, a0, a1 := &f.n[k], f.a[0][k], f.a[1][k]
		b[0].AddMul(n[0], a0)
		b[1].AddMul(n[1], a0)
		b[1].AddMul(n[0], a1)
		b[2].AddMul(n[2], a0)
		b[2].AddMul(n[1], a1)
		b[3].AddMul(n[2], a1)
	}
	for i := range b {
		f.cubic.signs[i] = b[i].Sign()
	}
}

// signAt returns the sign of the cubic at x in (0, 1). ok is false if x has more than 106 bits
// after the point.
func (f *fixed) signAt(x float64) (int, bool) {
	m, e := algebra.Mantissa(x)
	s := uint(-e)
	if s > 106 {
		return 0, false
	}
	r := f.power[3].Extend()
	r.Mul(uint64(m))
	r.AddShl(&f.power[2], s)
	r.Mul(uint64(m))
	r.AddShl(&f.power[1], 2*s)
	r.Mul(uint64(m))
	r.AddShl(&f.power[0], 3*s)
	return r.Sign(), true
}

// powers fills the power coefficients and the floats for guesses.
func (f *fixed) powers() {
	b := &f.bern
	f.power[0] = b[0]
	f.power[1] = b[1].Sub(b[0]).Sub(b[0]).Sub(b[0])
	f.power[2] = b[2].Sub(b[1]).Sub(b[1]).Add(b[0]).Add(b[0]).Add(b[0])
	f.power[3] = b[3].Sub(b[2]).Add(b[1]).Sub(b[0])
	for i := range f.power {
		f.cubic.power[i] = f.power[i].Float()
		f.cubic.bern[i] = b[i].Float()
	}
	f.cubic.bern[1] /= 3
	f.cubic.bern[2] /= 3
	f.cubic.err = 0
}

// feasible reports whether the parameters lie in the domain at a root of the cubic. The root is the
// double t if exact, else it lies between t and the next double.
func (f *fixed) feasible(t float64, exact bool, out *found) Answer {
	k, most := 0, -1.0
	for i := range f.n {
		if x := math.Abs(f.n[i].value(t)); x > most {
			k, most = i, x
		}
	}
	n := &f.n[k]
	sign, ok := n.sign(t, exact)
	if !ok || sign == 0 {
		return Unknown
	}
	u, v := crossAt(&f.c, &f.a, k), crossAt(&f.a, &f.b, k)
	slack := [4]quadratic{u, v, n.minus(&u)}
	count := 3
	if f.domain == geom.Square {
		slack[3] = n.minus(&v)
		count = 4
	} else {
		slack[2] = slack[2].minus(&v)
	}
	all, known := true, [4]bool{}
	for i := range count {
		s, ok := slack[i].sign(t, exact)
		if ok && s*sign < 0 {
			return No
		}
		known[i] = ok
		all = all && ok
		out.slack[i] = s * sign
	}
	if !all && (exact || !f.border(t, out, &known)) {
		return Unknown
	}
	out.floor, out.exact, out.planar, out.shape = t, exact, false, 2
	return Yes
}

func (p *quadratic) minus(q *quadratic) quadratic {
	return quadratic{p[0].Sub(q[0]), p[1].Sub(q[1]), p[2].Sub(q[2])}
}

func (p *quadratic) value(t float64) float64 {
	w := 1 - t
	return float64(float64(p[0].Float()*w)*w) + float64(float64(p[1].Float()*t)*w) + float64(float64(p[2].Float()*t)*t)
}

// boundQuadratic bounds what a quadratic may differ, between t and the next double, from its
// computed value at t, over the sum of its coefficients' magnitudes: 8 u for the evaluation (2 for
// a coefficient, 2 for its weights, 2 for the products, 2 for the sums) and 2 u for the way to the
// next double; the rest is for terms of second order.
const boundQuadratic = 12 * 0x1p-53

// sign returns the sign of p at the root: at t when exact, else in the open interval from t to the
// next double.
func (p *quadratic) sign(t float64, exact bool) (int, bool) {
	v := p.value(t)
	e := boundQuadratic * (math.Abs(p[0].Float()) + math.Abs(p[1].Float()) + math.Abs(p[2].Float()))
	switch {
	case v > e:
		return 1, true
	case v < -e:
		return -1, true
	case exact:
		return p.signAt(t)
	}
	return p.signBeyond(t)
}

// power returns the coefficients of 1, t and t^2.
func (p *quadratic) power() (c [3]algebra.Int192) {
	a, b, d := p[0].Wide(), p[1].Wide(), p[2].Wide()
	return [3]algebra.Int192{a, b.Sub(a).Sub(a), d.Sub(b).Add(a)}
}

func (p *quadratic) signAt(t float64) (int, bool) {
	switch t {
	case 0:
		return p[0].Sign(), true
	case 1:
		return p[2].Sign(), true
	}
	m, e := algebra.Mantissa(t)
	s := uint(-e)
	if s > 106 {
		return 0, false
	}
	c := p.power()
	r := c[2].Extend()
	r.Mul(uint64(m))
	r.AddShl(&c[1], s)
	r.Mul(uint64(m))
	r.AddShl(&c[0], 2*s)
	return r.Sign(), true
}

// signBeyond returns the sign of p between t and the next double, when its three Bernstein
// coefficients there share it.
func (p *quadratic) signBeyond(t float64) (int, bool) {
	next := math.Nextafter(t, 2)
	a, ok := p.signAt(t)
	b, ok2 := p.signAt(next)
	if !ok || !ok2 {
		return 0, false
	}
	if *p == (quadratic{}) {
		return 0, true
	}
	if a == 0 || a != b {
		return 0, false
	}
	m, e := algebra.Mantissa(t)
	n, g := algebra.Mantissa(next)
	s := max(-e, -g)
	if s > 106 {
		return 0, false
	}
	// The middle one is c0 + c1 (t + next)/2 + c2 t next; below times 2^(2s+1). Both numerators are
	// below 2^54.
	x, y := uint64(m)<<(s+e), uint64(n)<<(s+g)
	c := p.power()
	r := c[2].Extend()
	r.Mul(x)
	r.Mul(2 * y)
	linear := c[1].Times(x + y)
	r.AddShl(&linear, uint(s))
	r.AddShl(&c[0], uint(2*s+1))
	return a, r.Sign() == a
}
