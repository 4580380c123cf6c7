package gradient_test

import (
	"math"
	"testing"

	"ccd/core/ccdtest"
	"ccd/core/ccdtest/long"
	"ccd/core/geom"
	"ccd/core/gradient"
)

var solve = ccdtest.SolveGradient

// setting is a norm and whether there is a separation.
type setting struct{ separation, maxNorm bool }

var settings = []setting{{}, {separation: true}, {separation: true, maxNorm: true}}

// Laws G1 and G2 on all families.
func TestGradientLaw1Differences(t *testing.T) {
	n := 20
	if testing.Short() {
		n = long.Part(8, 2)
	}
	for _, s := range settings {
		for _, k := range geom.StepKinds {
			count, compared := map[gradient.State]int{}, 0
			for i, fam := range ccdtest.Families {
				r := ccdtest.NewRand(5, uint64(i))
				for j := range n {
					c := fam.Make(r, k, s.separation)
					if j%2 == 0 && !c.Coarse() {
						continue
					}
					_, g := solve(&c, s.maxNorm)
					count[g.State]++
					yes, err := ccdtest.GradientLaw1(r, &c, s.maxNorm)
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
					for i := range 3 * k.Points() { // Paths through the origin meet a small separation.
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
			if touches := s.separation || len(k.Info().Corners) > 2; touches && defined < n/50 ||
				!touches && defined > 0 {
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
					if err := ccdtest.GradientLaw4(&c, s.maxNorm); err != nil {
						t.Errorf("%v, max norm %v: %v", &c, s.maxNorm, err)
					}
				}
			}
		}
	}
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
		if err := ccdtest.GradientLaw2(&im, &g); err != nil {
			t.Error(err)
		}
		if err := ccdtest.GradientLaw4(&c, maxNorm); err != nil {
			t.Errorf("%v, max norm %v: %v", &c, maxNorm, err)
		}
		for range 2 {
			if _, err := ccdtest.GradientLaw1(ccdtest.NewRand(1, 2), &c, maxNorm); err != nil {
				t.Errorf("%v, max norm %v: %v", &c, maxNorm, err)
			}
			if !c.Coarse() {
				break
			}
		}
	})
}
