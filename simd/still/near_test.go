package still

import (
	"fmt"
	"math"
	"math/rand"
	"slices"
	"testing"

	"ccd/simd/internal/checks"
)

var nearKernels = []struct {
	name string
	fast func(rec []float64, idx [][4]int32, d float64, out []int32) int
	face bool
}{{"VF", NearVF, true}, {"EE", NearEE, false}}

// That it is a proof core/proximity tests, where distances are known.
func TestNearLaw7SameBits(t *testing.T) {
	r := rand.New(rand.NewSource(2))
	for _, family := range checks.FamilyNames {
		kept, all := 0, 0
		for n := range 41 {
			rec, idx := checks.Motion(r, family, 20, n)
			if n%2 == 1 {
				rec, idx = checks.Skew(rec), checks.Skew(idx)
			}
			d := []float64{0, 0.1, 1e-308, 1e150, math.Inf(1), r.Float64() * rec[0] * rec[0]}[n%6]
			for _, c := range nearKernels {
				want := make([]int32, n)
				want = want[:nearGeneric(rec, idx, nearSquare(d), want, c.face)]
				kept, all = kept+len(want), all+n
				checks.AtLevels(t, func(level string) {
					got := append(make([]int32, n), -7) // the last entry must stay untouched
					k := c.fast(rec, idx, d, got)
					if !slices.Equal(got[:k], want) || got[n] != -7 {
						t.Fatalf("%s %s %s, %d queries: %v, want %v", c.name, family, level, n, got[:k], want)
					}
				})
			}
		}
		if (family == "uniform" || family == "offset") && (kept < all/10 || kept > all*9/10) {
			t.Errorf("%s: %d of %d queries were kept", family, kept, all)
		}
	}
}

func BenchmarkNear(b *testing.B) {
	r := rand.New(rand.NewSource(3))
	rec, idx := checks.Motion(r, "uniform", 1000, 4096)
	out := make([]int32, len(idx))
	for _, c := range nearKernels {
		checks.AtLevels(b, func(level string) {
			b.Run(fmt.Sprintf("%s/%s", c.name, level), func(b *testing.B) {
				for b.Loop() {
					c.fast(rec, idx, 0.1, out)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(idx)), "ns/query")
			})
		})
	}
}
