package broad

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"ccd/simd"
)

func TestCellsAreSorted(t *testing.T) {
	r := rand.New(rand.NewPCG(35, 36))
	var s cellSorter
	for _, n := range []int{0, 1, 2, 15, 16, 17, 31, 33, 100, fewEntries, fewEntries + 1, 1000, 70000} {
		for _, values := range []int{1, 3, math.MaxInt32} {
			entries := make([]keyed, n)
			for i := range entries {
				entries[i] = keyed{int32(r.IntN(values) - values/2), int32(r.IntN(1000))}
				if i%50 == 3 {
					entries[i].key = []int32{math.MaxInt32, math.MinInt32}[i%2]
				}
			}
			want := slices.Clone(entries)
			slices.SortStableFunc(want, func(a, b keyed) int {
				if a.key < b.key {
					return -1
				}
				return min(1, int(int64(a.key)-int64(b.key)))
			})
			for _, level := range simd.Levels() {
				restore, err := simd.Force(level)
				if err != nil {
					t.Fatal(err)
				}
				got := make([]int32, n)
				s.sort(entries, got)
				restore()
				for i, e := range want {
					if got[i] != e.id {
						t.Fatalf("%s, %d entries of %d values: %v is in place %d, want %v",
							level, n, values, got[i], i, e)
					}
				}
			}
		}
	}
}

// Keys of boxes, which are those of floats, are sorted in bins where they are spread, and otherwise
// byte by byte, with the same result.
func TestSpreadKeysAreSorted(t *testing.T) {
	r := rand.New(rand.NewPCG(37, 38))
	var s cellSorter
	inf := float32(math.Inf(1))
	for _, c := range []struct {
		name   string
		spread bool
		at     func(i int) float32
	}{
		{"even", true, func(int) float32 { return 2*r.Float32() - 1 }},
		{"far from 0", true, func(int) float32 { return 1e6 + 1e5*r.Float32() }},
		{"six of a kind", true, func(i int) float32 { return float32(i*7919%1000/6) - 80 }},
		{"small", true, func(int) float32 { return 1e-30 * r.Float32() }},
		{"signs of 0", false, func(i int) float32 { return float32(math.Copysign(0, float64(i%2)-0.5)) }},
		{"denormal", false, func(int) float32 { return math.SmallestNonzeroFloat32 * float32(r.IntN(9)) }},
		{"one far away", false, func(i int) float32 { return float32(i/999) * 1e9 * r.Float32() }},
		{"infinite", false, func(i int) float32 { return []float32{inf, -inf, 0, 1}[i%4] }},
		{"largest", false, func(i int) float32 { return math.MaxFloat32 * (2*r.Float32() - 1) }},
		{"equal", false, func(int) float32 { return 3 }},
	} {
		entries := make([]keyed, 1000)
		for i := range entries {
			entries[i] = keyed{keyOf(c.at(i)), int32(i)}
		}
		want := slices.Clone(entries)
		slices.SortStableFunc(want, func(a, b keyed) int { return cmp.Compare(a.key, b.key) })
		got := make([]int32, len(entries))
		if spread := s.spread(entries, got); spread != c.spread {
			t.Errorf("%s: in bins %v, want %v", c.name, spread, c.spread)
		}
		s.sort(entries, got)
		for i, e := range want {
			if got[i] != e.id {
				t.Fatalf("%s: %v is in place %d, want %v", c.name, got[i], i, e)
			}
		}
	}
}
