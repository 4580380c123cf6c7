package ccd_test

import (
	"errors"
	"slices"
	"testing"

	"ccd"
)

// Each world has the impact of a call of its own.
func TestEarliestBatch(t *testing.T) {
	m := mustMesh()
	x0, x1 := slices.Concat(start, start, start), slices.Concat(start, end, start)
	var stats ccd.Stats
	worlds, err := ccd.EarliestBatch(m, x0, x1, &ccd.Options{Threads: 2, Stats: &stats})
	if err != nil || len(worlds) != 3 || stats.Boxes == 0 {
		t.Fatalf("%d worlds, %+v, %v", len(worlds), stats, err)
	}
	for i, to := range [][]float64{start, end, start} {
		if want, err := ccd.Earliest(m, start, to, nil); err != nil || worlds[i] != want {
			t.Errorf("world %d: %+v, alone %+v, %v", i, worlds[i], want, err)
		}
	}
	if _, err := ccd.EarliestBatch(m, x0[1:], x1, nil); !errors.Is(err, ccd.ErrArgument) {
		t.Errorf("part of a world: %v", err)
	}
	if none, err := ccd.EarliestBatch(m, nil, nil, nil); len(none) != 0 || err != nil {
		t.Errorf("no world: %v, %v", none, err)
	}
}
