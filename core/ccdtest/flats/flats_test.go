package flats_test

import (
	"testing"

	"ccd/core/ccdtest"
	"ccd/core/ccdtest/flats"
	"ccd/core/ccdtest/long"
)

// Laws of a step on flat grids at rest. They have 3 x 3 vertices, because the oracles of such
// scenes are slow. The long run has widths up to 7, the soak up to 16.
func TestFlatLaws(t *testing.T) {
	n := 48
	if testing.Short() {
		n = long.Part(9, 3)
	}
	var c flats.Counts
	for seed := range uint64(n) {
		r := ccdtest.NewRand(seed, 93)
		width := 3
		if seed%12 == 11 {
			width += r.IntN(5)
		}
		s, err := flats.Make(r, width)
		if err == nil {
			err = s.Check(r, &c)
		}
		if err != nil {
			t.Errorf("seed %d: %v", seed, err)
		}
	}
	t.Logf("%+v", c)
	if c.Impacts < 5*n || c.Compared < 10*n {
		t.Errorf("the scenes are too easy: %+v", c)
	}
}

// A list that lacks an impact, or has one too many, is seen: by another separation.
func TestChecksSeeAnotherSeparation(t *testing.T) {
	seen := 0
	for seed := range uint64(12) {
		r := ccdtest.NewRand(seed, 93)
		s, err := flats.Make(r, 3)
		if err != nil {
			t.Fatal(err)
		}
		if s.Paths != nil || s.D == 0 {
			continue
		}
		s.Wrong = 1 - 0x1p-40
		var c flats.Counts
		if s.Check(r, &c) != nil {
			seen++
		}
	}
	if seen == 0 {
		t.Error("no scene notices a separation that is 2^-40 smaller")
	}
}
