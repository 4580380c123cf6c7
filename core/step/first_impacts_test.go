package step

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/status"
)

// sameFirstImpacts compares the first impacts of a step with the sorted list of all: one, half of
// them, and more than there are.
func sameFirstImpacts(t *testing.T, label string, s *Step, o *Options, all []geom.Impact) {
	t.Helper()
	own := *o
	own.Stats = nil // the caller reads those of its own calls
	for _, count := range []int{1, len(all) / 2, len(all) + 3} {
		// Otherwise the limit may be too small for a list.
		if count < 1 || o.MemoryLimit > 0 && count*keptBytes > engine.LeastResults/2 {
			continue
		}
		got, err := s.FirstImpacts(count, &own)
		if err != nil {
			t.Fatalf("%s, first %d: %v", label, count, err)
		}
		sameImpacts(t, fmt.Sprintf("%s, first %d", label, count), got, all[:min(count, len(all))])
	}
}

// The first impacts of a pile, of which many have one time, are those of the list: for every count,
// on any number of threads.
func TestFirstImpactsAreThoseOfTheList(t *testing.T) {
	ties := 0
	for _, s := range append(scenes(t), pile(t, 24)) {
		for _, check := range []bool{false, true} {
			o := DefaultOptions()
			o.CheckStart = check
			all := must[[]geom.Impact](t)(Collisions(s.m, s.x0, s.x1, &o))
			for count := 1; count <= len(all)+1; count += 1 + len(all)/25 {
				if count < len(all) && all[count-1].TOILo == all[count].TOILo {
					ties++
				}
				for _, threads := range []int{1, 2, 3} {
					o.Threads = threads
					got := must[[]geom.Impact](t)(FirstImpacts(s.m, s.x0, s.x1, count, &o))
					label := fmt.Sprintf("%s, first %d on %d threads", s.name, count, threads)
					sameImpacts(t, label, got, all[:min(count, len(all))])
				}
			}
		}
	}
	if t.Logf("%d lists end among equal times", ties); ties < 100 {
		t.Errorf("%d lists end among equal times: more are needed to tell", ties)
	}
}

// A few impacts of a crowd need neither the memory of all nor the exact times of all.
func TestFirstImpactsLeaveOutTheRest(t *testing.T) {
	s := pile(t, 260)
	o := DefaultOptions()
	var stats engine.Stats
	o.Threads, o.Stats = 1, &stats
	all := must[[]geom.Impact](t)(Collisions(s.m, s.x0, s.x1, &o))
	o.MemoryLimit = 4 << 20 // too little for the list of all
	if _, err := Collisions(s.m, s.x0, s.x1, &o); !errors.Is(err, status.ErrMemory) {
		t.Errorf("a list of %d impacts in %d bytes: %v", len(all), o.MemoryLimit, err)
	}
	got := must[[]geom.Impact](t)(FirstImpacts(s.m, s.x0, s.x1, 100, &o))
	if !slices.Equal(got, all[:100]) || stats.PeakBytes > int64(o.MemoryLimit) || stats.Impacts != 100 {
		t.Errorf("%d impacts, %+v", len(got), stats)
	}
	_, err := FirstImpacts(s.m, s.x0, s.x1, len(all), &o)
	if !errors.Is(err, status.ErrMemory) {
		t.Errorf("a list of %d impacts in %d bytes: %v", len(all), o.MemoryLimit, err)
	}
	o.Progress = func(float64) bool { return true }
	if _, err := FirstImpacts(s.m, s.x0, s.x1, 1, &o); !errors.Is(err, status.ErrCancelled) {
		t.Errorf("a cancelled call: %v", err)
	}
}

// A few impacts of a crowd come early: plans end there, and find a part of the pairs of all. What
// is found before a shorter plan is found again, and edges that pass through faces at the start are
// not.
func TestFirstImpactsOfShorterPlans(t *testing.T) {
	r := rand.New(rand.NewPCG(81, 82))
	uniform := func() float64 { return 2*r.Float64() - 1 }
	s := soup(t, "crowd", 3000, uniform, 0)
	var center, goes [3]float64
	for i := range s.x0 { // nine coordinates are a triangle, or a rod and a point
		if i%9 < 3 {
			center[i%9], goes[i%9] = uniform(), 0.2*uniform()
		}
		s.x0[i] = center[i%3] + 0.06*s.x0[i]
		s.x1[i] = s.x0[i] + goes[i%3]
	}
	var stats engine.Stats
	for _, check := range []bool{false, true} {
		o := DefaultOptions()
		o.CheckStart, o.Stats = check, &stats
		all := must[[]geom.Impact](t)(Collisions(s.m, s.x0, s.x1, &o))
		pairs := stats.Candidates[geom.VertexFace-1] + stats.Candidates[geom.EdgeEdge-1]
		begin := 0 // the impacts at t = 0
		for all[begin].TOILo == 0 {
			begin++
		}
		if begin < 20 == check || len(all) < begin+500 {
			t.Fatalf("%d of %d impacts are at t = 0", begin, len(all))
		}
		for i, count := range []int{begin + 5, begin + 50} {
			o.Threads = 1 + i
			got := must[[]geom.Impact](t)(FirstImpacts(s.m, s.x0, s.x1, count, &o))
			sameImpacts(t, fmt.Sprintf("first %d on %d threads", count, o.Threads), got, all[:count])
			n := stats.Candidates[geom.VertexFace-1] + stats.Candidates[geom.EdgeEdge-1]
			if t.Logf("%d pairs of %d", n, pairs); 2*n > pairs {
				t.Errorf("%d pairs, of %d in the whole step", n, pairs)
			}
		}
	}
}
