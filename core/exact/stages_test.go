package exact

import (
	"math"
	"math/rand/v2"
	"testing"

	"ccd/core/geom"
	"ccd/core/reference/oracle"
)

// eachQuery makes about n queries of every family.
func eachQuery(n int, seed uint64, visit func(name string, kind geom.Kind, q []float64)) {
	rng := rand.New(rand.NewPCG(seed, 2))
	for _, f := range families {
		for range n / f.slow {
			kind := kinds[rng.IntN(len(kinds))]
			q := make([]float64, kind.Len())
			f.fill(rng, kind, q)
			visit(f.name, kind, q)
		}
	}
}

// Whichever stage answers, the bits are those that integers of any width lead to.
func TestStagesLeaveNoTrace(t *testing.T) {
	var r, last Resolver
	eachQuery(500, 21, func(name string, kind geom.Kind, q []float64) {
		var got, want geom.Impact
		r.Resolve(kind, q, 1, &got)
		geom.Widen(kind, q, &last.query)
		domain := widened[kind]
		last.double.load(domain, &last.query)
		want.SetSeparate(kind)
		if last.wide.decide(domain, &last.query, 1, &last.double, &last.found) {
			last.report(kind, &want)
		}
		if got != want {
			t.Fatalf("%s: %v %v\n staged %+v\nintegers %+v", name, kind, q, got, want)
		}
	})
	for s := StageAxis; s < Stages; s++ {
		if r.Stats.Separate[s]+r.Stats.Contact[s] == 0 {
			t.Errorf("no query was answered at the stage %v", s)
		}
	}
}

// Law 6: a power of two on all coordinates changes no bit of the times and parameters, and only the
// unit of lengths.
func TestResolveLaw6Scale(t *testing.T) {
	var r Resolver
	eachQuery(300, 22, func(name string, kind geom.Kind, q []float64) {
		var want geom.Impact
		r.Resolve(kind, q, 1, &want)
		for _, e := range []int{-300, 1, 300} {
			scaled := make([]float64, len(q))
			for i, x := range q {
				scaled[i] = math.Ldexp(x, e)
				if back := math.Ldexp(scaled[i], -e); back != x || math.Abs(scaled[i]) > geom.MaxCoordinate {
					return
				}
			}
			var got geom.Impact
			r.Resolve(kind, scaled, 1, &got)
			if got.Verdict != want.Verdict || got.TOILo != want.TOILo || got.TOIHi != want.TOIHi ||
				got.U != want.U || got.V != want.V || got.Normal != want.Normal || got.Flags != want.Flags {
				t.Fatalf("%s: %v %v times 2^%d\n got %+v\nwant %+v", name, kind, q, e, got, want)
			}
		}
	})
}

// The order of queries, and what a Resolver did before, leave no trace.
func TestResolveForgets(t *testing.T) {
	var used Resolver
	eachQuery(100, 23, func(name string, kind geom.Kind, q []float64) {
		var got, want geom.Impact
		var fresh Resolver
		used.Resolve(kind, q, 1, &got)
		fresh.Resolve(kind, q, 1, &want)
		if got != want {
			t.Fatalf("%s: %v %v\n used %+v\nfresh %+v", name, kind, q, got, want)
		}
	})
}

func TestResolveDoesNotAllocate(t *testing.T) {
	var r Resolver
	var im geom.Impact
	run := func() {
		eachQuery(20, 24, func(name string, kind geom.Kind, q []float64) { r.Resolve(kind, q, 1, &im) })
	}
	run()
	base := testing.AllocsPerRun(5, func() {
		eachQuery(20, 24, func(string, geom.Kind, []float64) {})
	})
	if n := testing.AllocsPerRun(5, run); n > base+1 {
		t.Errorf("%v allocations where making the queries takes %v", n, base)
	}
}

// The oracle of separations works in other ways; at no separation it must agree.
func TestOraclesAgree(t *testing.T) {
	contacts := 0
	eachQuery(25, 25, func(name string, kind geom.Kind, q []float64) {
		if name == "wild exponents" {
			return
		}
		a, b := oracle.Contact(kind, q), oracle.Separation(kind, q, 0, 1)
		if (a.Verdict == geom.Contact) != b.Contact || a.TOILo != b.Lo || a.TOIHi != b.Hi {
			t.Fatalf("%s: %v %v: [%v, %v] and [%v, %v]", name, kind, q, a.TOILo, a.TOIHi, b.Lo, b.Hi)
		}
		if b.Contact {
			contacts++
		}
	})
	t.Logf("%d contacts", contacts)
}
