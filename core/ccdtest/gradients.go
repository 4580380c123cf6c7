package ccdtest

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"

	"ccd/core/geom"
	"ccd/core/gradient"
	"ccd/core/narrow"
	"ccd/core/reference/oracle"
)

// SolveGradient computes the impact and its gradient.
func SolveGradient(c *Case, maxNorm bool) (im geom.Impact, g gradient.Gradient) {
	o := narrow.DefaultOptions()
	o.MinSeparation, o.TMax = c.D, c.TMax
	if maxNorm {
		o.Flags |= narrow.MaxNorm
	}
	narrow.NewSolver().Solve(c.Kind, c.Q, &o, &im)
	g.Of(&gradient.Query{Kind: c.Kind, Q: c.Q, Separation: c.D, MaxNorm: maxNorm, TMax: c.TMax}, &im)
	return im, g
}

// Coarse rounds a case to few bits, so that what nearly ties does tie; ok is false where nothing
// would be left.
func (c *Case) Coarse() (ok bool) {
	top := largestLength(c)
	if !(top > 0x1p-900) || c.D != 0 && c.D < 0x1p-30*top {
		return false
	}
	_, e := math.Frexp(top)
	unit := math.Ldexp(1, e-22)
	for i, x := range c.Q {
		c.Q[i] = unit * math.Round(x/unit)
	}
	f, e := math.Frexp(c.D)
	c.D = math.Ldexp(math.Round(f*0x1p20), e-20)
	return true
}

func largestLength(c *Case) (top float64) {
	top = c.D
	for _, x := range c.Q {
		top = max(top, math.Abs(x))
	}
	return top
}

// gradientSteps are those of the differences, over the largest length, as exponents of two. A
// difference says what the derivative is if its step is less than the way to the next corner, tie
// or double root, which may be as short as the numbers of a query are close; so a step that finds a
// kink, or no contact, gives way to a shorter one, and only the shortest is believed in that. A
// wrong derivative is wrong at all steps.
var gradientSteps = []int{-120, -400, -1500}

// quotients are (toi(q + h s) - toi(q)) / h to both sides along s, over the rationals, and what
// they cannot say: false where there is no contact. The times are right to 2^-60 of h m, m the
// largest derivative.
func quotients(c *Case, maxNorm bool, s []int64, step int, m float64) (d [2]*big.Float, ok bool) {
	_, e := math.Frexp(largestLength(c))
	q := oracle.Moved{Kind: c.Kind, Q: c.Q, D: c.D, MaxNorm: maxNorm}
	q.Shift = uint(max(0, q.Unit()-(e+step)))
	h := q.Unit()
	_, size := math.Frexp(m)
	bits := 60 + max(0, -h-size)
	base, ok := q.Time(bits)
	if !ok {
		return d, false
	}
	q.S = s
	for side, sign := range [2]int64{1, -1} {
		q.Back = sign < 0
		t, ok := q.Time(bits)
		if !ok {
			return d, false
		}
		x := new(big.Float).SetPrec(uint(bits + 128))
		x.Sub(t, base).Mul(x, big.NewFloat(float64(sign)))
		d[side] = x.SetMantExp(x, -h)
	}
	return d, true
}

func gap(a, b *big.Float) float64 {
	x, _ := new(big.Float).SetPrec(600).Sub(a, b).Float64()
	return x
}

// derivativeAlong is the product of a gradient and a direction.
func derivativeAlong(g *gradient.Gradient, s []int64) *big.Float {
	sum, n := new(big.Float).SetPrec(600), g.Kind.Points()
	for i := range n {
		for k := range 3 {
			for end, x := range [2]float64{g.X0[i][k], g.X1[i][k]} {
				sum.Add(sum, new(big.Float).SetPrec(600).Mul(big.NewFloat(x), big.NewFloat(float64(s[3*(end*n+i)+k]))))
			}
		}
	}
	return sum
}

func largestDerivative(g *gradient.Gradient) (m float64) {
	for i := range 4 {
		for k := range 3 {
			m = max(m, math.Abs(g.X0[i][k]), math.Abs(g.X1[i][k]))
		}
	}
	return m
}

// GradientLaw1 is law G1 on a case: along a random direction the gradient is the difference
// quotient of exact times, to both sides. compared is false where there is no derivative, and where
// the oracle would take seconds.
func GradientLaw1(r *rand.Rand, c *Case, maxNorm bool) (compared bool, err error) {
	if !c.Spans(0x1p120) {
		return false, nil
	}
	im, g := SolveGradient(c, maxNorm)
	if err := GradientLaw2(&im, &g); err != nil || g.State != gradient.Defined {
		return false, err
	}
	s, sum := make([]int64, len(c.Q)), 0.0
	for i := range s {
		s[i] = int64(r.IntN(7) - 3)
		sum += math.Abs(float64(s[i]))
	}
	m := largestDerivative(&g) * sum
	if m == 0 || math.IsInf(m, 0) {
		return false, nil
	}
	want := derivativeAlong(&g, s)
	for _, step := range gradientSteps {
		if err = compareGradient(c, maxNorm, s, step, m, want); err == nil {
			return true, nil
		}
	}
	return true, fmt.Errorf("along %v: %w\n%+v", s, err, g)
}

// compareGradient holds a derivative against the differences of one step.
func compareGradient(c *Case, maxNorm bool, s []int64, step int, m float64, want *big.Float) error {
	d, ok := quotients(c, maxNorm, s, step, m)
	if !ok {
		return fmt.Errorf("at a step of 2^%d there is no contact", step)
	}
	for side := range d {
		if e := gap(d[side], want); !(math.Abs(e) <= gradient.Tolerance*m) {
			w, _ := want.Float64()
			return fmt.Errorf("%v, off by %v of %v at a step of 2^%d", w, e, m, step)
		}
	}
	return nil
}

// GradientLaw2 is law G2: what is written in each state.
func GradientLaw2(im *geom.Impact, g *gradient.Gradient) error {
	var zero gradient.Gradient
	n, finite, zeros := g.Kind.Points(), true, true
	for i := range 4 {
		for k := range 3 {
			for _, x := range [2]float64{g.X0[i][k], g.X1[i][k]} {
				if i >= n && x != 0 {
					return fmt.Errorf("a derivative for vertex %d of a %v pair: %+v", i, g.Kind, g)
				}
				finite = finite && !math.IsNaN(x) && !math.IsInf(x, 0)
				zeros = zeros && x == 0
			}
		}
	}
	contact, initial := im.Verdict == geom.Contact, im.Flags&geom.InitialContact != 0
	var ok bool
	switch g.State {
	case gradient.NoImpact:
		ok = !contact && zeros && math.IsInf(g.TOI, 1)
	case gradient.Initial:
		ok = initial && zeros && g.TOI == 0
	case gradient.Defined:
		sum := g.Normal[0]*g.Normal[0] + g.Normal[1]*g.Normal[1] + g.Normal[2]*g.Normal[2]
		ok = contact && !initial && finite && !zeros && g.TOI == im.TOILo && g.Conditioning > 0 &&
			g.Conditioning <= 1 && math.Abs(sum-1) < 1e-14
	default:
		ok = contact && !initial && math.IsNaN(g.X0[0][0]) && math.IsNaN(g.X1[n-1][2]) && g.TOI == im.TOILo
	}
	if g.State != gradient.Defined {
		ok = ok && g.Conditioning == 0 && g.Weights == zero.Weights && g.Normal == zero.Normal
	}
	if !ok {
		return fmt.Errorf("of %+v:\n%+v", *im, *g)
	}
	return nil
}

// GradientLaw4 is law G4 on a case whose numbers stay within the range of doubles when they are
// scaled; others pass.
func GradientLaw4(c *Case, maxNorm bool) error {
	if !staysInRange(c) {
		return nil
	}
	_, g := SolveGradient(c, maxNorm)
	for _, e := range []int{-300, -7, 60} {
		d := *c
		d.D = math.Ldexp(c.D, e)
		d.Q = make([]float64, len(c.Q))
		for i, x := range c.Q {
			d.Q[i] = math.Ldexp(x, e)
		}
		_, got := SolveGradient(&d, maxNorm)
		want := g
		for i := range 4 {
			for k := range 3 {
				want.X0[i][k], want.X1[i][k] = math.Ldexp(g.X0[i][k], -e), math.Ldexp(g.X1[i][k], -e)
			}
		}
		if !sameGradient(&got, &want) {
			return fmt.Errorf("times 2^%d:\n%+v, not\n%+v", e, got, want)
		}
	}
	return nil
}

// sameGradient compares bits.
func sameGradient(a, b *gradient.Gradient) bool {
	return fmt.Sprintf("%x", *a) == fmt.Sprintf("%x", *b)
}

// staysInRange reports whether no number of a case leaves the range of doubles when law G4 scales
// it.
func staysInRange(c *Case) bool {
	for _, x := range append([]float64{c.D}, c.Q...) {
		if x = math.Abs(x); x != 0 && !(x > 0x1p-100 && x < 0x1p100) {
			return false
		}
	}
	return true
}
