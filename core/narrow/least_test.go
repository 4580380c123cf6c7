package narrow_test

import (
	"testing"

	"ccd/core/ccdtest"
	"ccd/core/geom"
	"ccd/core/narrow"
)

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
				if err := ccdtest.CheckLeastDistance(&c, &d); err != nil {
					t.Fatal(err)
				}
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
					if narrow.PlaceLeast(c.Q, [2]float64{}, &some); some != all {
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
		if !c.Spans(0x1p120) {
			return // the oracle of a separation takes seconds
		}
		var d geom.LeastDistance
		o := c.Options()
		narrow.NewSolver().LeastDistance(c.Kind, c.Q, &o, &d)
		if err := ccdtest.CheckLeastDistance(&c, &d); err != nil {
			t.Fatal(err)
		}
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
