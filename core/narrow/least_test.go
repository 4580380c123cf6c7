package narrow_test

import (
	"math"
	"math/big"
	"testing"

	"ccd/core/ccdtest"
	"ccd/core/geom"
	"ccd/core/narrow"
	"ccd/core/reference/oracle"
)

// distanceAt returns the squared distance of a case at a time, over rational numbers.
func distanceAt(c *ccdtest.Case, t float64) *big.Rat {
	n := 3 * c.Kind.Points()
	x := make([]*big.Rat, n)
	at := new(big.Rat).SetFloat64(t)
	for i := range x {
		from, to := new(big.Rat).SetFloat64(c.Q[i]), new(big.Rat).SetFloat64(c.Q[n+i])
		x[i] = from.Add(from, to.Sub(to, from).Mul(to, at))
	}
	return oracle.DistanceOf(c.Kind, x).Squared
}

func squareOf(x float64) *big.Rat {
	r := new(big.Rat).SetFloat64(x)
	return r.Mul(r, r)
}

// checkLeast holds a result against laws D1 to D4: rational distances at its time and at others, the oracle of contact, and, for the lower end,
// the oracle of a separation: the pair is nowhere within the lower end.
func checkLeast(t *testing.T, c *ccdtest.Case, d *geom.LeastDistance) {
	t.Helper()
	n := len(c.Q) / 2
	size := narrow.Extent(c.Q[:n], c.Q[n:])
	fail := func(law string) { t.Fatalf("%v:\n%+v: law %s", c, *d, law) }
	touches := oracle.Contact(c.Kind, c.Q).Until(c.TMax)
	if (d.Hi == 0) != (touches.Verdict == geom.Contact) || d.Hi == 0 && (d.Lo != 0 || d.T != touches.TOILo) {
		fail("D4")
	}
	if !(d.Lo >= 0 && d.Lo <= d.Hi && d.Hi-d.Lo <= 1e-9*size) || !(d.T >= 0 && d.T <= c.TMax) {
		fail("D2")
	}
	if d.Hi > 0 && distanceAt(c, d.T).Cmp(squareOf(d.Hi)) > 0 {
		fail("D3")
	}
	for i := range 9 {
		if distanceAt(c, c.TMax*float64(i)/8).Cmp(squareOf(d.Lo)) < 0 {
			fail("D1, at a time")
		}
	}
	if below := math.Nextafter(d.Lo, 0); below > 0 && oracle.EuclideanSeparation(c.Kind, c.Q, below, c.TMax).Contact {
		fail("D1")
	}
	if !(d.U >= 0 && d.V >= 0 && d.U <= 1 && d.V <= 1) || c.Kind == geom.VertexFace && d.U+d.V > 1 {
		fail("D3, parameters")
	}
}

func TestLeastDistanceLaws(t *testing.T) {
	n := 12
	if testing.Short() {
		n = 4
	}
	s := narrow.NewSolver()
	apart := 0
	for _, fam := range ccdtest.Families {
		if fam.Exponents {
			continue // the oracle of a separation takes seconds
		}
		for _, k := range geom.StepKinds {
			r := ccdtest.NewRand(71, uint64(k))
			for range n {
				c := fam.Make(r, k, false)
				var d geom.LeastDistance
				o := c.Options()
				if s.LeastDistance(k, c.Q, &o, &d); d.Lo > 0 {
					apart++
				}
				checkLeast(t, &c, &d)
			}
		}
	}
	if apart < 50 {
		t.Errorf("%d pairs are apart", apart)
	}
}

// A cutoff changes no bit of what it does not leave out, and leaves out nothing that is nearer.
func TestLeastDistanceCutoff(t *testing.T) {
	s := narrow.NewSolver()
	dropped, kept := 0, 0
	for _, k := range geom.StepKinds {
		r := ccdtest.NewRand(72, uint64(k))
		for range 200 {
			c := ccdtest.Families[0].Make(r, k, false)
			var all, some geom.LeastDistance
			o := c.Options()
			if s.LeastDistance(k, c.Q, &o, &all); all.Hi == 0 {
				continue
			}
			n := len(c.Q) / 2
			bracket := narrow.LeastShare * narrow.Extent(c.Q[:n], c.Q[n:])
			for _, factor := range []float64{0.5, 0.99, 1, 1.01, 2} {
				if s.LeastWithin(k, c.Q, [2]float64{}, bracket, factor*all.Hi, c.TMax, &some) {
					kept++
					if some != all {
						t.Fatalf("%v:\n%+v with a cutoff, %+v without", &c, some, all)
					}
				} else if dropped++; all.Lo <= factor*all.Hi && factor >= 1 {
					t.Fatalf("%v:\n%+v dropped by the cutoff %v", &c, all, factor*all.Hi)
				}
			}
		}
	}
	if dropped < 100 || kept < 100 {
		t.Errorf("%d dropped, %d kept", dropped, kept)
	}
}

func FuzzLeastDistance(f *testing.F) {
	for i, fam := range ccdtest.Families {
		c := fam.Make(ccdtest.NewRand(73, uint64(i)), geom.Kind(1+i%4), false)
		f.Add(byte(c.Kind), c.TMax, ccdtest.Pack(c.Q))
	}
	f.Fuzz(func(t *testing.T, kind byte, tMax float64, raw []byte) {
		c := ccdtest.Unpack(kind, 0, 1, tMax, raw)
		low, high := math.Inf(1), 0.0
		for _, x := range c.Q {
			if x = math.Abs(x); x != 0 {
				low, high = min(low, x), max(high, x)
			}
		}
		if high > 0x1p120*low {
			return // the oracle of a separation takes seconds
		}
		var d geom.LeastDistance
		o := c.Options()
		narrow.NewSolver().LeastDistance(c.Kind, c.Q, &o, &d)
		checkLeast(t, &c, &d)
	})
}

func BenchmarkLeastDistance(b *testing.B) {
	for _, k := range geom.StepKinds {
		b.Run(k.String(), func(b *testing.B) {
			var cases []ccdtest.Case
			r := ccdtest.NewRand(74, uint64(k))
			for range 100 {
				cases = append(cases, ccdtest.Families[0].Make(r, k, false))
			}
			s := narrow.NewSolver()
			var d geom.LeastDistance
			for i := 0; b.Loop(); i++ {
				c := &cases[i%len(cases)]
				o := c.Options()
				s.LeastDistance(k, c.Q, &o, &d)
			}
		})
	}
}
