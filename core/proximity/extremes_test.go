package proximity

import (
	"math"
	"math/rand/v2"
	"testing"

	"ccd/core/exact"
	"ccd/core/geom"
	"ccd/core/reference/oracle"
)

// extreme makes points whose coordinates have exponents from all over the range of doubles: of
// their own, of three sizes, or with small integers for mantissas.
func extreme(r *rand.Rand, n int) []float64 {
	exponent := func() int { return r.IntN(494+1075) - 1074 }
	e := [3]int{exponent(), exponent(), exponent()}
	mode := r.IntN(4)
	return points(n, func() float64 {
		switch mode {
		case 0:
			return math.Copysign(math.Ldexp(1+r.Float64(), exponent()), r.Float64()-0.5)
		case 1:
			return math.Ldexp(2*r.Float64()-1, e[r.IntN(3)])
		case 2:
			return math.Ldexp(float64(r.IntN(5)-2), e[r.IntN(3)])
		}
		return float64(r.IntN(7)-3) * [...]float64{1, 1, 0x1p-1074, 0x1p490}[r.IntN(4)]
	})
}

// The last stage gives the oracle's bounds and parameters in every bit.
func TestNearestIsTheOracles(t *testing.T) {
	r := rand.New(rand.NewPCG(81, 82))
	hold := func(name string, k geom.Kind, x []float64) {
		t.Helper()
		want, got := oracle.Distance(k, x), exact.NearestOf(k, x)
		lo, hi := got.Enclose()
		wantLo, wantHi := want.Enclose()
		u, v := got.Parameters()
		wantU, _ := want.U.Float64()
		wantV, _ := want.V.Float64()
		if lo != wantLo || hi != wantHi || u != wantU || v != wantV {
			t.Fatalf("%s, %v, %v: [%v, %v] at (%v, %v), want [%v, %v] at (%v, %v)",
				name, k, x, lo, hi, u, v, wantLo, wantHi, wantU, wantV)
		}
	}
	n := 100
	if testing.Short() {
		n = 20
	}
	for _, k := range kinds {
		for _, f := range families {
			for range n / 4 {
				hold(f.name, k, f.make(r, k.Points()))
			}
		}
		for range n {
			hold("extreme", k, extreme(r, k.Points()))
		}
	}
}

// The answers for extreme coordinates obey the laws.
func TestEncloseLawsOfExtremes(t *testing.T) {
	r := rand.New(rand.NewPCG(83, 84))
	w := new(worker)
	for _, k := range kinds {
		for range 40 {
			x := extreme(r, k.Points())
			out := enclosed(w, k, x)
			if err := broken(k, x, &out); err != nil {
				t.Fatalf("%v, %v: %v", k, x, err)
			}
		}
	}
}

// Extremes take hundreds of allocations, where rational numbers and their common divisors take many
// thousands.
func TestExtremesTakeBoundedWork(t *testing.T) {
	r := rand.New(rand.NewPCG(85, 86))
	w := new(worker)
	worst := 0.0
	for _, k := range kinds {
		for range 50 {
			x := extreme(r, k.Points())
			worst = max(worst, testing.AllocsPerRun(1, func() { enclosed(w, k, x) }))
		}
	}
	if worst > 800 { // oracle.Distance in its place takes 2548 allocations.
		t.Errorf("%v allocations for a pair", worst)
	}
}
