package patch_test

import (
	"math/rand/v2"
	"testing"

	"ccd/core/ccdtest"
	"ccd/core/ccdtest/long"
	"ccd/core/geom"
	"ccd/core/patch"
)

// Patches that come together over an area, along curves and along lines obey the laws, and nearly
// all are decided.
func TestLawsOfAreas(t *testing.T) {
	var s patch.Solver
	var verdicts [3]int
	open, queries := 0, uint64(long.Part(3000, 9))
	for seed := range queries {
		r := rand.New(rand.NewPCG(seed, 46))
		c := ccdtest.RandomPatchArea(r)
		v, err := c.Check(r, &s)
		if err != nil {
			t.Errorf("seed %d: %v", seed, err)
		}
		verdicts[v]++
		if c.Open {
			open++
		}
	}
	t.Logf("verdicts: %v, %d open", verdicts, open)
	if 5*verdicts[geom.Contact] < 2*int(queries) || 100*open > int(queries) {
		t.Errorf("verdicts: %v, %d open", verdicts, open)
	}
}

// FuzzAreas makes them for ever.
func FuzzAreas(f *testing.F) {
	for seed := range uint64(12) {
		f.Add(seed)
	}
	var s patch.Solver
	f.Fuzz(func(t *testing.T, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 46))
		if _, err := ccdtest.RandomPatchArea(r).Check(r, &s); err != nil {
			t.Error(err)
		}
	})
}
