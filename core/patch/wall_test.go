package patch_test

import (
	"math/rand/v2"
	"testing"

	"ccd/core/ccdtest"
	"ccd/core/geom"
	"ccd/core/patch"
)

// TestWalls: contacts that are known exactly are not missed, not late and not early, whatever the
// patches look like.
func TestWalls(t *testing.T) {
	r := rand.New(rand.NewPCG(81, 1))
	var s patch.Solver
	verdicts := map[geom.Verdict]int{}
	for range 3000 {
		v, err := ccdtest.RandomPatchWall(r).Check(r, &s, nil)
		if err != nil {
			t.Fatal(err)
		}
		verdicts[v]++
	}
	if verdicts[geom.Contact] < 1000 || verdicts[geom.Separate] < 50 {
		t.Errorf("%v", verdicts)
	}
}

// FuzzWalls soaks them: `go test ./core/patch -fuzz FuzzWalls`.
func FuzzWalls(f *testing.F) {
	for i := range uint64(8) {
		f.Add(i)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 82))
		if _, err := ccdtest.RandomPatchWall(r).Check(r, new(patch.Solver), nil); err != nil {
			t.Error(err)
		}
	})
}
