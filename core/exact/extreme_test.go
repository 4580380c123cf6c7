package exact

import (
	"math"
	"math/rand/v2"
	"testing"

	"ccd/core/geom"
	"ccd/core/reference/oracle"
)

// Queries whose coordinates have exponents from all over the range of doubles, 2^-1074 to 2^494, where integers have thousands of bits,
// times may lie below the smallest double, and roots may lie 2^-1000 apart.

// extremes fill a query, or some points.
var extremes = []struct {
	name string
	fill func(r *rand.Rand, q []float64)
}{
	{"each its own", func(r *rand.Rand, q []float64) {
		for i := range q {
			q[i] = extreme(r)
		}
	}},
	{"three sizes", func(r *rand.Rand, q []float64) {
		e := [3]int{exponent(r), exponent(r), exponent(r)}
		for i := range q {
			q[i] = math.Ldexp(2*r.Float64()-1, e[r.IntN(3)])
		}
	}},
	{"small integers of three sizes", func(r *rand.Rand, q []float64) {
		e := [3]int{exponent(r), exponent(r), exponent(r)}
		for i := range q {
			q[i] = math.Ldexp(float64(r.IntN(5)-2), e[r.IntN(3)])
		}
	}},
	{"small integers but a few", func(r *rand.Rand, q []float64) {
		for i := range q {
			if q[i] = float64(r.IntN(5) - 2); r.IntN(6) == 0 {
				q[i] = extreme(r)
			}
		}
	}},
	{"integers, the least and the largest", func(r *rand.Rand, q []float64) {
		for i := range q {
			q[i] = float64(r.IntN(7)-3) * [...]float64{1, 1, 0x1p-1074, 0x1p490}[r.IntN(4)]
		}
	}},
	{"powers of two and zeros", func(r *rand.Rand, q []float64) {
		for i := range q {
			if q[i] = 0; r.IntN(3) > 0 {
				q[i] = math.Copysign(math.Ldexp(1, exponent(r)), r.Float64()-0.5)
			}
		}
	}},
	{"few numbers", func(r *rand.Rand, q []float64) {
		p := [4]float64{extreme(r), extreme(r), extreme(r), extreme(r)}
		for i := range q {
			q[i] = p[r.IntN(4)] * float64(r.IntN(3)-1)
		}
	}},
	{"small", func(r *rand.Rand, q []float64) {
		for i := range q {
			q[i] = math.Ldexp(2*r.Float64()-1, -r.IntN(1074))
		}
	}},
	{"near a contact", func(r *rand.Rand, q []float64) { // integers, and each coordinate off by something far smaller
		for i := range q {
			q[i] = float64(r.IntN(5)-2) + math.Ldexp(float64(r.IntN(3)-1), -r.IntN(50))
			if q[i] == 0 {
				q[i] = math.Ldexp(float64(r.IntN(3)-1), -r.IntN(1074))
			}
		}
	}},
}

func exponent(r *rand.Rand) int { return r.IntN(494+1075) - 1074 }

func extreme(r *rand.Rand) float64 {
	return math.Copysign(math.Ldexp(1+r.Float64(), exponent(r)), r.Float64()-0.5)
}

func eachExtreme(n int, seed uint64, visit func(name string, r *rand.Rand, kind geom.Kind, q []float64)) {
	for i, f := range extremes {
		r := rand.New(rand.NewPCG(seed, uint64(i)))
		for j := range n {
			kind := kinds[j%len(kinds)]
			q := make([]float64, kind.Len())
			f.fill(r, q)
			visit(f.name, r, kind, q)
		}
	}
}

func TestExtremesAgainstOracle(t *testing.T) {
	n := 80
	if testing.Short() {
		n = 16
	}
	var r Resolver
	eachExtreme(n, 61, func(name string, rng *rand.Rand, kind geom.Kind, q []float64) {
		tMax := [...]float64{1, 1, 0.5, 0}[rng.IntN(4)]
		var got geom.Impact
		r.Resolve(kind, q, tMax, &got)
		want := oracle.Contact(kind, q).Until(tMax)
		if got.Verdict != want.Verdict || got.TOILo != want.TOILo || got.TOIHi != want.TOIHi || got.Flags != want.Flags {
			t.Fatalf("%s: %v %v, until %v\n got %+v\nwant %+v", name, kind, q, tMax, got, want)
		}
	})
	if r.Stats.Contact[StageWide] < int64(n/4) || r.Stats.Separate[StageWide] < int64(n) {
		t.Fatalf("few of the queries reach the last stage: %+v", r.Stats)
	}
}

func TestExtremeSeparationsAgainstOracle(t *testing.T) {
	n := 60
	if testing.Short() {
		n = 12
	}
	var r SeparationResolver
	eachExtreme(n, 62, func(name string, rng *rand.Rand, kind geom.Kind, q []float64) {
		d := [...]float64{math.Abs(extreme(rng)), math.Abs(q[rng.IntN(len(q))]), 1, 0}[rng.IntN(4)]
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

// The work for extremes is bounded, by what can be counted: memory for integers, where each step of a search leaves some words, and
// allocations, of which the oracle makes tens of thousands a query.
func TestExtremesTakeBoundedWork(t *testing.T) {
	var r Resolver
	var s SeparationResolver
	var out geom.Impact
	queries := 0
	run := func() {
		queries = 0
		eachExtreme(200, 63, func(name string, rng *rand.Rand, kind geom.Kind, q []float64) {
			queries++
			r.Resolve(kind, q, 1, &out)
			s.Resolve(kind, q, math.Abs(q[rng.IntN(len(q))]), 1, &out)
		})
	}
	run()
	if n := testing.AllocsPerRun(1, run); n > 1.1*float64(queries) { // each query is one by itself
		t.Errorf("%v allocations for %d queries", n, queries)
	}
	if a, b := len(r.wide.Arena.Buf), len(s.wide.w.Arena.Buf); a > 1<<19 || b > 1<<21 {
		t.Errorf("%d and %d words for the integers of a query", a, b)
	}
}

// A time of few bits that is no double: 1/2 + 2^-60, where halving meets it, with another root of the cubic beside it.
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
	if want := oracle.Contact(geom.EdgeEdge, q).Impact; got.Verdict != want.Verdict || got.TOILo != want.TOILo || got.TOIHi != want.TOIHi {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got.TOILo != 0.5 || got.TOIHi != math.Nextafter(0.5, 1) {
		t.Errorf("contact in [%v, %v], want between 0.5 and the next double", got.TOILo, got.TOIHi)
	}
}
