package broad

import (
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
						t.Fatalf("%s, %d entries of %d values: %v is in place %d, want %v", level, n, values, got[i], i, e)
					}
				}
			}
		}
	}
}
