package exact

import (
	"math"
	"math/rand/v2"
	"testing"

	"ccd/core/ccdtest/extremes"
	"ccd/core/geom"
	"ccd/core/reference/oracle"
)

func TestExtremesAgainstOracle(t *testing.T) {
	n := 80
	if testing.Short() {
		n = 16
	}
	var r Resolver
	extremes.Each(n, 61, func(name string, rng *rand.Rand, kind geom.Kind, q []float64) {
		tMax := [...]float64{1, 1, 0.5, 0}[rng.IntN(4)]
		var got geom.Impact
		r.Resolve(kind, q, tMax, &got)
		want := oracle.Contact(kind, q).Until(tMax)
		if got.Verdict != want.Verdict || got.TOILo != want.TOILo || got.TOIHi != want.TOIHi ||
			got.Flags != want.Flags {
			t.Fatalf("%s: %v %v, until %v\n got %+v\nwant %+v", name, kind, q, tMax, got, want)
		}
	})
	if r.Stats.Contact[StageWide] < int64(n/4) || r.Stats.Separate[StageWide] < int64(n) {
		t.Fatalf("few of the queries reach the last stage: %+v", r.Stats)
	}
}

// The work for extremes is bounded, by what can be counted: memory for integers, where each step of
// a search leaves some words, and allocations, of which the oracle makes tens of thousands a query.
func TestExtremesTakeBoundedWork(t *testing.T) {
	var r Resolver
	var out geom.Impact
	queries := 0
	run := func() {
		queries = 0
		extremes.Each(200, 63, func(_ string, _ *rand.Rand, kind geom.Kind, q []float64) {
			queries++
			r.Resolve(kind, q, 1, &out)
		})
	}
	run()
	if n := testing.AllocsPerRun(1, run); n > 1.1*float64(queries) { // each query is one by itself
		t.Errorf("%v allocations for %d queries", n, queries)
	}
	if words := len(r.wide.Arena.Buf); words > 1<<19 {
		t.Errorf("%d words for the integers of a query", words)
	}
}

// A time of few bits that is no double: 1/2 + 2^-60, where halving meets it, with another root of
// the cubic beside it.
func TestDyadicTimesThatAreNoDoubles(t *testing.T) {
	const e, f = 0x1p-59, 0x1p-59 + 0x1p-61
	q := []float64{
		0, 0, 1, 1 + 0x1p-52, 0, 1, 0, 0, -e, 0, 1, -e, // a0 a1 b0 b1 at t = 0
		0, 0, -1, 0, 0, -1, 0, 0, -e, 0, 1, -e,
	}
	q[3], q[15] = 1, -1 // a1 - a0 along the first axis: 1 + f and -1 + f
	q[0], q[12], q[6], q[18] = -f, -f, -f, -f
	q[9], q[21] = -f, -f
	var got geom.Impact
	new(Resolver).Resolve(geom.EdgeEdge, q, 1, &got)
	if want := oracle.Contact(geom.EdgeEdge, q).Impact; got.Verdict != want.Verdict || got.TOILo != want.TOILo ||
		got.TOIHi != want.TOIHi {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got.TOILo != 0.5 || got.TOIHi != math.Nextafter(0.5, 1) {
		t.Errorf("contact in [%v, %v], want between 0.5 and the next double", got.TOILo, got.TOIHi)
	}
}
