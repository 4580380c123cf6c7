package narrow_test

import (
	"testing"

	"ccd/core/ccdtest"
	"ccd/core/ccdtest/long"
	"ccd/core/geom"
	"ccd/core/narrow"
)

// Laws D1 to D3 of slivers, nearly parallel edges and primitives at rest on each other: many pairs,
// each at some times.
func TestLeastDistanceLawsOfThinPairs(t *testing.T) {
	s := narrow.NewSolver()
	failed := 0
	for _, fam := range ccdtest.Thin() {
		for _, k := range geom.StepKinds {
			r := ccdtest.NewRand(76, uint64(k))
			for range long.Part(80, 4) {
				c := fam.Make(r, k, false)
				if r.IntN(2) == 0 {
					c.TMax = 0
				}
				var d geom.LeastDistance
				o := c.Options()
				s.LeastDistance(k, c.Q, &o, &d)
				if err := ccdtest.CheckLeastAtTimes(&c, &d); err != nil {
					if failed++; failed <= 3 {
						t.Error(err)
					}
				}
			}
		}
	}
	if failed > 3 {
		t.Errorf("%d failures in all", failed)
	}
}
