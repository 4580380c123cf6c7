package checks

import (
	"maps"
	"math"
	"math/rand"
	"slices"
	"testing"

	"ccd/simd/internal/level"
)

// Times at which motions are cut.
var Times = []float64{1, 0.5, 0.7, 0x1p-30, 1e-300, 0, 1 - 0x1p-53}

// Everything lists the positions of n queries.
func Everything(n int) []int32 {
	l := make([]int32, n)
	for i := range l {
		l[i] = int32(i)
	}
	return l
}

// AtLevels runs f once at each level of the machine.
func AtLevels(t testing.TB, f func(level string)) {
	for _, name := range level.Levels() {
		restore, err := level.Force(name)
		if err != nil {
			t.Fatal(err)
		}
		f(name)
		restore()
	}
}

// Families of vertex motions: each gives one coordinate at one end.
var Families = map[string]func(r *rand.Rand) float64{
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

// FamilyNames are in one order, so that every run of a test draws the same numbers.
var FamilyNames = slices.Sorted(maps.Keys(Families))

// Motion draws n vertex records of a family and m queries on them.
func Motion(r *rand.Rand, family string, n, m int) (rec []float64, idx [][4]int32) {
	draw := Families[family]
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

// Skew returns the same queries off any alignment.
func Skew[T any](s []T) []T {
	b := make([]T, len(s)+1)
	copy(b[1:], s)
	return b[1:]
}
