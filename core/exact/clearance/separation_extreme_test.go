package clearance

import (
	"math"
	"math/rand/v2"
	"testing"

	"ccd/core/ccdtest/extremes"
	"ccd/core/geom"
	"ccd/core/reference/oracle"
)

func TestExtremeSeparationsAgainstOracle(t *testing.T) {
	n := 60
	if testing.Short() {
		n = 12
	}
	var r SeparationResolver
	extremes.Each(n, 62, func(name string, rng *rand.Rand, kind geom.Kind, q []float64) {
		d := [...]float64{math.Abs(extremes.Number(rng)), math.Abs(q[rng.IntN(len(q))]), 1, 0}[rng.IntN(4)]
		tMax := [...]float64{1, 1, 0.5, 0}[rng.IntN(4)]
		var got geom.Impact
		r.Resolve(kind, q, d, tMax, &got)
		want := oracle.Separation(kind, q, d, tMax)
		if (got.Verdict == geom.Contact) != want.Contact || got.TOILo != want.Lo || got.TOIHi != want.Hi {
			t.Fatalf("%s: %v %v, separation %v, until %v\n got %+v\nwant %+v", name, kind, q, d, tMax, got, want)
		}
	})
	if r.Stats.Wide < int64(n) {
		t.Fatalf("few of the queries reach the last stage: %+v", r.Stats)
	}
}

// The work for extremes is bounded, by what can be counted: memory for integers, where each step of
// a search leaves some words, and allocations, of which the oracle makes tens of thousands a query.
func TestExtremeSeparationsTakeBoundedWork(t *testing.T) {
	var s SeparationResolver
	var out geom.Impact
	queries := 0
	run := func() {
		queries = 0
		extremes.Each(200, 63, func(_ string, rng *rand.Rand, kind geom.Kind, q []float64) {
			queries++
			s.Resolve(kind, q, math.Abs(q[rng.IntN(len(q))]), 1, &out)
		})
	}
	run()
	if n := testing.AllocsPerRun(1, run); n > 1.1*float64(queries) { // each query is one by itself
		t.Errorf("%v allocations for %d queries", n, queries)
	}
	if words := len(s.wide.w.Arena.Buf); words > 1<<21 {
		t.Errorf("%d words for the integers of a query", words)
	}
}
