package gradient_test

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"ccd/core/ccdtest"
	"ccd/core/geom"
	"ccd/core/gradient"
	"ccd/core/narrow"
	"ccd/core/reference/oracle"
)

// solve computes the impact and its gradient.
func solve(c *ccdtest.Case, maxNorm bool) (im geom.Impact, g gradient.Gradient) {
	o := narrow.DefaultOptions()
	o.MinSeparation, o.TMax = c.D, c.TMax
	if maxNorm {
		o.Flags |= narrow.MaxNorm
	}
	narrow.NewSolver().Solve(c.Kind, c.Q, &o, &im)
	g.Of(&gradient.Query{Kind: c.Kind, Q: c.Q, Separation: c.D, MaxNorm: maxNorm, TMax: c.TMax}, &im)
	return im, g
}

// coarse rounds a case to few bits, so that what nearly ties does tie; ok is false where nothing would be left.
func coarse(c *ccdtest.Case) (ok bool) {
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

func largestLength(c *ccdtest.Case) (top float64) {
	top = c.D
	for _, x := range c.Q {
		top = max(top, math.Abs(x))
	}
	return top
}

// steps are those of the differences, over the largest length, as exponents of two. A difference says what the derivative is if its step is less than the
// way to the next corner, tie or double root, which may be as short as the numbers of a query are close; so a step that finds a kink, or no contact, gives
// way to a shorter one, and only the shortest is believed in that. A wrong derivative is wrong at all steps.
var steps = []int{-250, -1000, -6000}

// differences are (toi(q + h s) - toi(q)) / h to both sides along s, over the rationals, and what they cannot say: false where there is no contact. The
// times are right to 2^-60 of h m, m the largest derivative.
func differences(c *ccdtest.Case, maxNorm bool, s []int64, step int, m float64) (d [2]*big.Float, ok bool) {
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

func minus(a, b *big.Float) float64 {
	x, _ := new(big.Float).SetPrec(600).Sub(a, b).Float64()
	return x
}

// along is the product of a gradient and a direction.
func along(g *gradient.Gradient, s []int64) *big.Float {
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

func largest(g *gradient.Gradient) (m float64) {
	for i := range 4 {
		for k := range 3 {
			m = max(m, math.Abs(g.X0[i][k]), math.Abs(g.X1[i][k]))
		}
	}
	return m
}

// law1 is law G1 on a case: along a random direction the gradient is the difference quotient of exact times, to both sides. compared is false where
// there is no derivative, and where the oracle would take seconds.
func law1(r *rand.Rand, c *ccdtest.Case, maxNorm bool) (compared bool, err error) {
	if !(spread(c) <= 0x1p120) {
		return false, nil
	}
	im, g := solve(c, maxNorm)
	if err := law2(&im, &g); err != nil || g.State != gradient.Defined {
		return false, err
	}
	s, sum := make([]int64, len(c.Q)), 0.0
	for i := range s {
		s[i] = int64(r.IntN(7) - 3)
		sum += math.Abs(float64(s[i]))
	}
	m := largest(&g) * sum
	if m == 0 || math.IsInf(m, 0) {
		return false, nil
	}
	want := along(&g, s)
	for _, step := range steps {
		if err = compare(c, maxNorm, s, step, m, want); err == nil {
			return true, nil
		}
	}
	return true, fmt.Errorf("along %v: %w\n%+v", s, err, g)
}

// compare holds a derivative against the differences of one step.
func compare(c *ccdtest.Case, maxNorm bool, s []int64, step int, m float64, want *big.Float) error {
	d, ok := differences(c, maxNorm, s, step, m)
	if !ok {
		return fmt.Errorf("at a step of 2^%d there is no contact", step)
	}
	for side := range d {
		if e := minus(d[side], want); !(math.Abs(e) <= gradient.Tolerance*m) {
			w, _ := want.Float64()
			return fmt.Errorf("%v, off by %v of %v at a step of 2^%d", w, e, m, step)
		}
	}
	return nil
}

// spread is the ratio of the largest to the least length of a query.
func spread(c *ccdtest.Case) float64 {
	low := math.Inf(1)
	for _, x := range append([]float64{c.D}, c.Q...) {
		if x = math.Abs(x); x != 0 {
			low = min(low, x)
		}
	}
	return largestLength(c) / low
}

// law2: what is written in each state.
func law2(im *geom.Impact, g *gradient.Gradient) error {
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
		ok = contact && !initial && finite && !zeros && g.TOI == im.TOILo && g.Conditioning > 0 && g.Conditioning <= 1 && math.Abs(sum-1) < 1e-14
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

// setting is a norm and whether there is a separation.
type setting struct{ separation, maxNorm bool }

var settings = []setting{{}, {separation: true}, {separation: true, maxNorm: true}}

// Laws G1 and G2 on all families.
func TestGradientLaw1Differences(t *testing.T) {
	n := 20
	if testing.Short() {
		n = 8
	}
	for _, s := range settings {
		for _, k := range geom.StepKinds {
			count, compared := map[gradient.State]int{}, 0
			for i, fam := range ccdtest.Families {
				r := ccdtest.NewRand(5, uint64(i))
				for j := range n {
					c := fam.Make(r, k, s.separation)
					if j%2 == 0 && !coarse(&c) {
						continue
					}
					_, g := solve(&c, s.maxNorm)
					count[g.State]++
					yes, err := law1(r, &c, s.maxNorm)
					if err != nil {
						t.Errorf("%v, max norm %v: %v", &c, s.maxNorm, err)
					}
					if yes {
						compared++
					}
				}
			}
			t.Log(k, s, count, "compared:", compared)
			if (s.separation || len(k.Info().Corners) > 2) && compared < 2*n {
				t.Errorf("%v %v: only %d compared", k, s, compared)
			}
		}
	}
}

// Law G3: points drawn at random have derivatives, all of them.
func TestGradientLaw3Regular(t *testing.T) {
	n := 3000
	if testing.Short() {
		n = 300
	}
	for _, s := range settings {
		for _, k := range geom.StepKinds {
			r := ccdtest.NewRand(8, uint64(k))
			defined := 0
			for range n {
				c := ccdtest.Case{Kind: k, Q: make([]float64, k.Len()), TMax: 1}
				for i := range c.Q {
					c.Q[i] = 2*r.Float64() - 1
				}
				if s.separation {
					c.D = math.Ldexp(r.Float64(), -r.IntN(30))
					for i := range 3 * k.Points() { // to meet a small separation: through the origin
						c.Q[3*k.Points()+i] = -c.Q[i] + c.D*c.Q[3*k.Points()+i]
					}
				}
				im, g := solve(&c, s.maxNorm)
				switch {
				case g.State == gradient.Defined:
					defined++
				case im.Verdict == geom.Contact && im.TOILo > 0:
					t.Errorf("%v: %v", &c, g.State)
				}
			}
			if touches := s.separation || len(k.Info().Corners) > 2; touches && defined < n/50 || !touches && defined > 0 {
				t.Errorf("%v %v: %d of %d have derivatives", k, s, defined, n)
			}
		}
	}
}

// Law G4: lengths times 2^e, derivatives times 2^-e, bit for bit.
func TestGradientLaw4Scale(t *testing.T) {
	for i, fam := range ccdtest.Families {
		if fam.Exponents {
			continue
		}
		for _, s := range settings {
			for _, k := range geom.StepKinds {
				r := ccdtest.NewRand(9, uint64(i))
				for range 10 {
					c := fam.Make(r, k, s.separation)
					if err := law4(&c, s.maxNorm); err != nil {
						t.Errorf("%v, max norm %v: %v", &c, s.maxNorm, err)
					}
				}
			}
		}
	}
}

func law4(c *ccdtest.Case, maxNorm bool) error {
	_, g := solve(c, maxNorm)
	for _, e := range []int{-300, -7, 60} {
		d := *c
		d.D = math.Ldexp(c.D, e)
		d.Q = make([]float64, len(c.Q))
		for i, x := range c.Q {
			d.Q[i] = math.Ldexp(x, e)
		}
		_, got := solve(&d, maxNorm)
		want := g
		for i := range 4 {
			for k := range 3 {
				want.X0[i][k], want.X1[i][k] = math.Ldexp(g.X0[i][k], -e), math.Ldexp(g.X1[i][k], -e)
			}
		}
		if !same(&got, &want) {
			return fmt.Errorf("times 2^%d:\n%+v, not\n%+v", e, got, want)
		}
	}
	return nil
}

// same compares bits.
func same(a, b *gradient.Gradient) bool {
	return fmt.Sprintf("%x", *a) == fmt.Sprintf("%x", *b)
}

// FuzzGradientLaws: laws G1, G2 and G4 on any query.
func FuzzGradientLaws(f *testing.F) {
	for i, fam := range ccdtest.Families {
		c := fam.Make(ccdtest.NewRand(77, uint64(i)), geom.Kind(1+i%4), i/4%3 > 0)
		f.Add(byte(c.Kind), i%2 == 0, c.D, c.TMax, ccdtest.Pack(c.Q))
	}
	f.Fuzz(func(t *testing.T, kind byte, maxNorm bool, d, tMax float64, raw []byte) {
		c := ccdtest.Unpack(kind, d, 1, tMax, raw)
		im, g := solve(&c, maxNorm)
		if err := law2(&im, &g); err != nil {
			t.Error(err)
		}
		if moderate(&c) {
			if err := law4(&c, maxNorm); err != nil {
				t.Errorf("%v, max norm %v: %v", &c, maxNorm, err)
			}
		}
		for range 2 {
			if _, err := law1(ccdtest.NewRand(1, 2), &c, maxNorm); err != nil {
				t.Errorf("%v, max norm %v: %v", &c, maxNorm, err)
			}
			if !coarse(&c) {
				break
			}
		}
	})
}

// moderate reports whether law G4 speaks of a case: no number of it leaves the range of doubles when it is scaled.
func moderate(c *ccdtest.Case) bool {
	for _, x := range append([]float64{c.D}, c.Q...) {
		if x = math.Abs(x); x != 0 && !(x > 0x1p-100 && x < 0x1p100) {
			return false
		}
	}
	return true
}
