package ccdtest_test

import (
	"math"
	"testing"

	"ccd/core/ccdtest"
	"ccd/core/geom"
	"ccd/core/patch"
)

// Sheets of triangles that crumple meet themselves as patches no later than exactly, and what is
// reported is there.
func TestSelfContactOfPatchesIsExact(t *testing.T) {
	var s patch.Scene
	agree, left, met := 0, 0, 0
	for seed := range uint64(300) {
		o := patch.DefaultOptions()
		o.Tolerance = 1e-7
		o.MaxIterations = 20000
		v, err := ccdtest.RandomCrumple(seed).CheckSelf(&s, 1.0/64, &o)
		if err != nil {
			t.Fatalf("ccdtest.RandomCrumple(%d): %v", seed, err)
		}
		if v.Exact <= 1 {
			met++
		}
		if v.Left.TFrom <= v.Exact && v.Left.Pairs > 0 {
			left++
		}
		if v.Impact.Verdict == geom.Contact && math.Abs(v.Impact.TOIHi-v.Exact) < 1e-5 ||
			v.Impact.Verdict == geom.Separate && v.Exact > 1 {
			agree++
		}
	}
	t.Logf("%d of 300 meet, %d agree to a hundred thousandth, %d may have been left out", met, agree, left)
	if met < 100 || agree < 285 {
		t.Errorf("%d meet, %d agree", met, agree)
	}
}
