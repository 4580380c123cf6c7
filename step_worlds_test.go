package ccd_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"ccd"
)

// Each world has the step, the positions and the impact of calls of its own.
func TestAdvanceBatch(t *testing.T) {
	m := mustMesh()
	x0, x1 := slices.Concat(start, start, start), slices.Concat(start, end, start)
	var stats ccd.Stats
	o := &ccd.Options{Threads: 2, Stats: &stats, MinSeparation: 0.01}
	worlds, err := ccd.AdvanceBatch(m, x0, x1, 0.9, o)
	if err != nil || len(worlds.Alpha) != 3 || stats.Boxes == 0 {
		t.Fatalf("%+v, %+v, %v", worlds, stats, err)
	}
	n := len(start)
	for i, to := range [][]float64{start, end, start} {
		alpha, x, err := ccd.Advance(m, start, to, 0.9, &ccd.Options{MinSeparation: 0.01})
		if err != nil || worlds.Alpha[i] != alpha || !slices.Equal(worlds.X[n*i:n*(i+1)], x) {
			t.Errorf("world %d: %v, alone %v, %v", i, worlds.Alpha[i], alpha, err)
		}
		first, err := ccd.Earliest(m, start, to, &ccd.Options{MinSeparation: 0.01})
		if err != nil || worlds.Impacts[i] != first {
			t.Errorf("world %d: %+v, alone %+v, %v", i, worlds.Impacts[i], first, err)
		}
	}
	for _, share := range []float64{0, 2, math.NaN()} {
		if _, err := ccd.AdvanceBatch(m, x0, x1, share, nil); !errors.Is(err, ccd.ErrArgument) {
			t.Errorf("a share of %v: %v", share, err)
		}
	}
	if _, err := ccd.AdvanceBatch(m, x0[1:], x1, 1, nil); !errors.Is(err, ccd.ErrArgument) {
		t.Errorf("part of a world: %v", err)
	}
	if none, err := ccd.AdvanceBatch(m, nil, nil, 1, nil); len(none.Alpha) != 0 || err != nil {
		t.Errorf("no world: %v, %v", none, err)
	}
}

func TestRespond(t *testing.T) {
	m := mustMesh()
	o := &ccd.Options{MinSeparation: 0.02}
	ro := ccd.DefaultRespondOptions()
	ro.MaxRounds = 100
	r, err := ccd.Respond(m, start, end, &ro, o)
	if err != nil || r.Contacts == 0 || r.Rounds == 0 || r.Rounds > 100 {
		t.Fatalf("%+v, %v", r, err)
	}
	first, err := ccd.Earliest(m, start, r.X, &ccd.Options{MinSeparation: 0.005})
	if err != nil || first.Verdict != ccd.Separate {
		t.Errorf("%+v, %v", first, err)
	}
	again, err := ccd.Respond(m, start, start, nil, o)
	if err != nil || again.Alpha != 1 || !slices.Equal(again.X, start) {
		t.Errorf("nothing moves: %+v, %v", again, err)
	}
	if again.Why.Cause != ccd.CauseNone || again.Why.String() != "No pair limits the step: alpha is 1." {
		t.Errorf("nothing moves: %s", again.Why)
	}
	stuck, err := ccd.Respond(m, start, start, nil, &ccd.Options{MinSeparation: 8})
	why := stuck.Why
	if err != nil || stuck.Alpha != 0 || why.Cause != ccd.CauseSeparation || why.AtStart[why.Cause] != why.Initial ||
		len(why.Others) != 0 ||
		!strings.Contains(why.String(), "within their separation 2 (min_separation times keep)") {
		t.Errorf("%+v, %v", stuck, err)
	}
	for text, call := range map[string]func() (ccd.Response, error){
		"options.min_separation is 0": func() (ccd.Response, error) { return ccd.Respond(m, start, end, nil, nil) },
		"keep is 0.25": func() (ccd.Response, error) {
			return ccd.Respond(m, start, end, &ccd.RespondOptions{Keep: -0.25, MaxRounds: 1}, o)
		},
		"max_rounds is 0": func() (ccd.Response, error) { return ccd.Respond(m, start, end, &ccd.RespondOptions{}, o) },
		"options.norm is CCD_NORM_MAX": func() (ccd.Response, error) {
			return ccd.Respond(m, start, end, nil, &ccd.Options{MinSeparation: 1, Norm: ccd.MaxNorm})
		},
	} {
		if _, err := call(); err == nil || !strings.HasPrefix(strings.Replace(err.Error(), "-", "", 1), text) {
			t.Errorf("error %v, want %q", err, text)
		}
	}
}
