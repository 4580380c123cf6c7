package exact_test

import (
	"fmt"
	"testing"

	"ccd/core/ccdtest"
	"ccd/core/exact/clearance"
	"ccd/core/geom"
	"ccd/core/reference/oracle"
)

// The staged resolver gives the oracle's times in every bit, on every family, and most queries
// never reach the oracle.
func TestSeparationResolverAgreesWithOracle(t *testing.T) {
	n := 24
	if testing.Short() {
		n = 8
	}
	for _, fam := range ccdtest.Families {
		var r clearance.SeparationResolver
		for _, k := range kinds {
			rng := ccdtest.NewRand(3, uint64(k))
			for i := range n {
				c := fam.Make(rng, k, i%8 != 0)
				compareWithOracle(t, &r, &c)
			}
		}
		t.Logf("%-12s %+v", fam.Name, r.Stats)
	}
}

func compareWithOracle(t *testing.T, r *clearance.SeparationResolver, c *ccdtest.Case) {
	t.Helper()
	var out geom.Impact
	before := r.Stats
	r.Resolve(c.Kind, c.Q, c.D, c.TMax, &out)
	if r.Stats.Wide != before.Wide && r.Stats.Wide%8 != 0 {
		return // the oracle has just been asked
	}
	truth := oracle.Separation(c.Kind, c.Q, c.D, c.TMax)
	if (out.Verdict == geom.Contact) != truth.Contact || out.TOILo != truth.Lo || out.TOIHi != truth.Hi {
		t.Fatalf("%v:\nresolver %+v\noracle %+v\nstats before %+v after %+v", c, out, truth, before, r.Stats)
	}
}

func BenchmarkSeparationResolver(b *testing.B) {
	for _, name := range []string{"meshlike", "generic", "offset", "parallel"} {
		fam, _ := ccdtest.FamilyNamed(name)
		for _, k := range kinds {
			b.Run(fmt.Sprint(name, "/", k), func(b *testing.B) {
				rng := ccdtest.NewRand(4, uint64(k))
				var cases []ccdtest.Case
				for range 1024 {
					cases = append(cases, fam.Make(rng, k, true))
				}
				var r clearance.SeparationResolver
				var out geom.Impact
				for i := 0; b.Loop(); i++ {
					c := &cases[i%len(cases)]
					r.Resolve(k, c.Q, c.D, c.TMax, &out)
				}
				total := float64(r.Stats.Axes + r.Stats.Floats + r.Stats.Doubles + r.Stats.Wide)
				b.ReportMetric(100*float64(r.Stats.Wide)/total, "%wide")
				b.ReportMetric(100*float64(r.Stats.Doubles)/total, "%doubles")
			})
		}
	}
}
