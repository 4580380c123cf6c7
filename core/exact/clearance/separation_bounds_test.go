package clearance

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"ccd/core/geom"
)

// tracked is a quantity of magnitude at most m whose computed value errs by at most e units, to
// first order: the derivations above the constants of separation_float.go and separation_double.go,
// done by the machine.
type tracked struct{ m, e float64 }

// arithmetic is what a sum adds to the error, of the sum of magnitudes, and a product, of the
// product of magnitudes. Floats: units of 2^-53, one each. Double-doubles: units of 2^-106.
type arithmetic struct{ sum, product float64 }

func (r arithmetic) plus(list ...tracked) tracked {
	s := list[0]
	for _, x := range list[1:] {
		s = tracked{s.m + x.m, s.e + x.e + r.sum*(s.m+x.m)}
	}
	return s
}

func (r arithmetic) times(a, b tracked) tracked {
	m := a.m * b.m
	return tracked{m, a.e*b.m + a.m*b.e + r.product*m}
}

func (a tracked) half() tracked { return tracked{a.m / 2, a.e / 2} }

// component returns the error of a component of a corner or edge at a time t, from ends that err by
// e: their difference is at most 2, its product with t as well, and their sum is at most 1 again;
// for the double-doubles' sum its operands count, 1 and 2.
func (r arithmetic) component(e, operands float64) tracked {
	return tracked{1, e + 2*r.sum + 2*r.product + operands*r.sum}
}

// forms returns the errors of the three sorts of form over their sums of magnitudes: the worst of
// no separation, one as large as the components, and a much larger one.
func (r arithmetic) forms(x tracked) (axis, cross, normal float64) {
	for _, d := range []float64{0, 1, 0x1p30} {
		a, c, n := r.formsWith(x, tracked{d, 0})
		axis, cross, normal = max(axis, a), max(cross, c), max(normal, n)
	}
	return axis, cross, normal
}

func (r arithmetic) formsWith(x, d tracked) (axis, cross, normal float64) {
	a := r.plus(x, d)
	minor := r.plus(r.times(x, x), r.times(x, x))
	q := r.plus(minor, minor).half()
	s := r.times(r.plus(r.plus(x, x), r.plus(x, x)), d).half()
	c := r.plus(q, s)
	twice := r.plus(minor, minor)
	third := tracked{1.0 / 3, 0.5 / 3}
	inner := func(n tracked) tracked { return r.plus(r.times(x, n), r.times(x, n), r.times(x, n)) }
	p := r.times(r.plus(inner(twice), inner(minor)), third)
	l := r.plus(minor, twice)
	t := r.times(r.times(r.plus(l, l, l), d), third)
	n := r.plus(p, t)
	return a.e / a.m, c.e / c.m, n.e / n.m
}

// The constants cover their derivations with something left for the squares, and not much more.
func TestSeparationBoundsCoverTheirDerivations(t *testing.T) {
	check := func(name string, have, least float64) {
		t.Logf("%s: %.4g, derived %.4g", name, have, least)
		if have < least*1.02 || have > 2*least {
			t.Errorf("%s is %.4g units, its derivation asks for %.4g", name, have, least)
		}
	}
	floats := arithmetic{sum: 1, product: 1}
	axis, cross, normal := floats.forms(floats.component(1, 1))
	check("axisError", axisError*0x1p53, axis)
	check("crossError", crossError*0x1p53, cross)
	check("normalError", normalError*0x1p53, normal)
	doubles := arithmetic{sum: 5, product: 11}
	axis, cross, normal = doubles.forms(doubles.component(0, 3))
	check("doubleError", doubleError*0x1p106, max(axis, cross, normal))
}

// The forms at one time against rational arithmetic, for lengths and offsets of many sizes.
func TestSeparationFormsAgainstRationals(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	var worst [2]float64
	n := 1500
	if testing.Short() {
		n = 150
	}
	for i := range n {
		kind := geom.Kind(1 + i%4)
		q := make([]float64, kind.Len())
		size, far := math.Ldexp(1, r.IntN(600)-300), 0.0
		if i%3 == 0 {
			far = size * 1e6 * r.Float64()
		}
		for j := range q {
			q[j] = far + size*(2*r.Float64()-1)
		}
		d := size * math.Ldexp(r.Float64(), -r.IntN(20))
		s := &SeparationResolver{Shape: &Shapes[kind]}
		if s.load(q, len(q)/2, d) {
			continue // an axis has decided
		}
		s.loadLow(q, len(q)/2)
		x := r.Float64()
		compareForms(t, s, kind, q, d, x, &worst)
	}
	t.Logf("largest errors over their bounds: floats %.3g, double-doubles %.3g", worst[0], worst[1])
}

func compareForms(t *testing.T, s *SeparationResolver, kind geom.Kind, q []float64, d, x float64, worst *[2]float64) {
	t.Helper()
	s.Fa.Set(s, x)
	s.fb = s.Fa
	directions := 3 + 3*len(s.Shape.Edges)
	if len(s.Shape.Edges) > 1 {
		directions++
	}
	for n := range directions {
		above, below := rationalForm(s, kind, q, d, x, n)
		for which, f := range []form{s.form(n), s.formDouble(n, x, x)} {
			for l := 0; l <= f.degree; l++ {
				for side, want := range []*big.Rat{above, below} {
					e := new(big.Rat).SetFloat64(f.c[side][l])
					// The double-doubles are rounded to doubles at the end: that much may be off
					// besides.
					slack := f.err
					if which == 1 {
						slack += 0x1p-53 * math.Abs(f.c[side][l])
					}
					off, _ := e.Sub(e, want).Abs(e).Float64()
					worst[which] = max(worst[which], off/slack)
					if off > slack {
						t.Fatalf("direction %d, coefficient %d: off by %g, bound %g", n, l, off, slack)
					}
				}
			}
		}
	}
}

// rationalForm returns the least of n.P - d |n|_1 and of -n.P - d |n|_1 over the corners at the
// time x, in the resolver's unit.
func rationalForm(s *SeparationResolver, kind geom.Kind, q []float64, d, x float64, n int) (above, below *big.Rat) {
	points := 3 * kind.Points()
	rat := func(f float64) *big.Rat { return new(big.Rat).SetFloat64(f) }
	unit := new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), uint(max(s.exponent, -s.exponent))))
	if s.exponent > 0 {
		unit.Inv(unit)
	}
	at := func(pair [2]int8) (v [3]*big.Rat) {
		for k := range 3 {
			y := [2]*big.Rat{}
			for e := range y {
				i, j := e*points+3*int(pair[0])+k, e*points+3*int(pair[1])+k
				y[e] = new(big.Rat).Sub(rat(q[i]), rat(q[j]))
			}
			m := new(big.Rat).Sub(y[1], y[0])
			v[k] = y[0].Add(y[0], m.Mul(m, rat(x)))
			v[k].Mul(v[k], unit)
		}
		return v
	}
	minor := func(a, b, c, d *big.Rat) *big.Rat {
		p, m := new(big.Rat).Mul(a, b), new(big.Rat).Mul(c, d)
		return p.Sub(p, m)
	}
	var dir [3]*big.Rat
	switch k := (n - 3) % 3; {
	case n < 3:
		dir = [3]*big.Rat{rat(0), rat(0), rat(0)}
		dir[n] = rat(1)
	case n < 3+3*len(s.Shape.Edges):
		e := at(s.Shape.Edges[(n-3)/3])
		dir[k], dir[(k+1)%3], dir[(k+2)%3] = rat(0), new(big.Rat).Neg(e[(k+2)%3]), e[(k+1)%3]
	default:
		b, c := at(s.Shape.Edges[0]), at(s.Shape.Edges[1])
		for k := range 3 {
			i, j := (k+1)%3, (k+2)%3
			dir[k] = minor(b[i], c[j], b[j], c[i])
		}
	}
	radius := rat(0)
	for k := range 3 {
		radius.Add(radius, new(big.Rat).Abs(dir[k]))
	}
	radius.Mul(radius, rat(d)).Mul(radius, unit)
	for _, corner := range s.Shape.Corners {
		h, p := rat(0), at(corner)
		for k := range 3 {
			h.Add(h, new(big.Rat).Mul(dir[k], p[k]))
		}
		x, y := new(big.Rat).Sub(h, radius), new(big.Rat).Neg(h)
		y.Sub(y, radius)
		if above == nil || x.Cmp(above) < 0 {
			above = x
		}
		if below == nil || y.Cmp(below) < 0 {
			below = y
		}
	}
	return above, below
}
