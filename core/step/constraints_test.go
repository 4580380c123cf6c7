package step

import (
	"slices"
	"testing"

	"ccd/core/ccdtest"
	"ccd/core/ccdtest/constraints"
	"ccd/core/constraint"
)

// Constraints of scenes obey the laws of their rows, masses and colors.
func TestContactRowsLaws(t *testing.T) {
	rows, zero := 0, 0
	for seed, s := range contactScenes(t) {
		r := ccdtest.NewRand(uint64(seed), 30)
		for name, o := range contactOptions(s.size()) {
			set, err := ActiveSet(s.m, s.x0, s.x1, &o)
			if err != nil {
				t.Fatalf("%s, %s: %v", s.name, name, err)
			}
			constraints.CheckEntries(t, set, s.m.NV)
			constraints.CheckGap(t, set, s.x1)
			mass := constraints.RandomInverseMass(r, s.m.NV)
			zero += constraints.CheckMass(t, set[:min(len(set), 60)], mass)
			constraints.CheckColors(t, set, s.m.NV, mass)
			constraints.CheckColors(t, set, s.m.NV, nil)
			rows += len(set)
		}
	}
	if rows < 2000 || zero < 10 {
		t.Errorf("only %d rows, %d without a mass", rows, zero)
	}
}

// Law 6 on a scene whose lists are long.
func TestColorsOfACloth(t *testing.T) {
	s := dataScenes[0].loadOrMake(t)
	o := DefaultOptions()
	o.MinSeparation = 1e-3
	set, err := ActiveSet(s.m, s.x0, s.x1, &o)
	if err != nil || len(set) < 100 {
		t.Fatalf("%d constraints, error %v", len(set), err)
	}
	set = set[:min(len(set), 1500)]
	count := constraints.CheckColors(t, set, s.m.NV, nil)
	colors := make([]int32, len(set))
	again, err := constraint.Colors(slices.Clone(set), s.m.NV, nil, colors)
	if err != nil || again != count {
		t.Errorf("%d colors, then %d, error %v", count, again, err)
	}
	constraints.CheckEntries(t, set, s.m.NV)
	constraints.CheckGap(t, set, s.x1)
}
