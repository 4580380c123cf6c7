package simd

import (
	"maps"
	"math"
	"math/rand"
	"slices"
	"testing"
)

func TestForceAndLevel(t *testing.T) {
	for l, name := range Levels() {
		restore, err := Force(name)
		if err != nil {
			t.Fatal(err)
		}
		if Level() != name || level != l {
			t.Errorf("after Force(%q): level %q", name, Level())
		}
		restore()
	}
	if level != initial("") && level >= highest {
		t.Errorf("level %d was not restored", level)
	}
	if _, err := Force("sse9"); err == nil {
		t.Error("Force accepts an unknown level")
	}
}

func TestInitialLevel(t *testing.T) {
	for name, want := range map[string]int{"": highest, "no such": highest, "generic": generic, "avx512": highest} {
		if got := initial(name); got != want {
			t.Errorf("CCD_SIMD=%q starts at %d, want %d", name, got, want)
		}
	}
}

// atLevels runs f once at each level of the machine.
func atLevels(t testing.TB, f func(level string)) {
	for _, name := range Levels() {
		restore, err := Force(name)
		if err != nil {
			t.Fatal(err)
		}
		f(name)
		restore()
	}
}

// families of vertex motions: each gives one coordinate at one end.
var families = map[string]func(r *rand.Rand) float64{
	"uniform":   func(r *rand.Rand) float64 { return r.Float64() },
	"integers":  func(r *rand.Rand) float64 { return float64(r.Intn(5) - 2) },
	"tiny":      func(r *rand.Rand) float64 { return (r.Float64() - 0.5) * 1e-300 },
	"subnormal": func(r *rand.Rand) float64 { return float64(r.Intn(9)-4) * 0x1p-1074 },
	"huge":      func(r *rand.Rand) float64 { return (r.Float64() - 0.5) * 2e150 },
	"offset":    func(r *rand.Rand) float64 { return 1e9 + r.Float64() },
	"exponents": func(r *rand.Rand) float64 { return math.Ldexp(r.Float64()-0.5, r.Intn(996)-497) },
	"zeros": func(r *rand.Rand) float64 {
		return []float64{0, math.Copysign(0, -1), 1, -1, 1e150, -1e150, 1e-310, r.Float64()}[r.Intn(8)]
	},
	"nearly": func(r *rand.Rand) float64 {
		return float64(r.Intn(3)-1) + float64(r.Intn(5)-2)*0x1p-50
	},
}

// familyNames are in one order, so that every run of a test draws the same numbers.
var familyNames = slices.Sorted(maps.Keys(families))

// motion draws n vertex records of a family and m queries on them.
func motion(r *rand.Rand, family string, n, m int) (rec []float64, idx [][4]int32) {
	draw := families[family]
	rec = make([]float64, 8*n)
	for i := range n {
		for k := range 3 {
			rec[8*i+k], rec[8*i+4+k] = draw(r), draw(r)
		}
	}
	idx = make([][4]int32, m)
	for i := range idx {
		for k := range 4 {
			idx[i][k] = int32(r.Intn(n))
		}
	}
	return rec, idx
}

// skew returns the same queries off any alignment.
func skew[T any](s []T) []T {
	b := make([]T, len(s)+1)
	copy(b[1:], s)
	return b[1:]
}
