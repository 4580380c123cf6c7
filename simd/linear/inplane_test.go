package linear

import (
	"fmt"
	"math/rand"
	"slices"
	"testing"

	"ccd/simd/internal/checks"
)

var inPlaneKernels = []struct {
	name string
	fast filterFunc
	face bool
}{{"VF", InPlaneVF, true}, {"EE", InPlaneEE, false}}

// flatten moves all vertices into the plane z = 0 at both ends.
func flatten(rec []float64) []float64 {
	rec = slices.Clone(rec)
	for i := 2; i < len(rec); i += 4 {
		rec[i] = 0
	}
	return rec
}

func TestInPlaneLaw7SameBits(t *testing.T) {
	r := rand.New(rand.NewSource(23))
	kept, total := 0, 0
	for _, family := range checks.FamilyNames {
		for n := range 41 {
			rec, idx := checks.Motion(r, family, 25, 50)
			list := checks.Everything(50)
			r.Shuffle(50, func(i, j int) { list[i], list[j] = list[j], list[i] })
			list = list[:n]
			if n%2 == 1 {
				rec, idx, list = checks.Skew(flatten(rec)), checks.Skew(idx), checks.Skew(list)
			}
			for _, c := range inPlaneKernels {
				tmax, sep := checks.Times[r.Intn(len(checks.Times))],
					[]float64{0, 1e-3, 0.25, 1e149, 0x1p-1074, 1e-310}[r.Intn(6)]
				bounds := FilterBounds(tmax, sep)
				want := make([]int32, n)
				want = want[:inPlaneGeneric(rec, idx, list, &bounds, want, c.face)]
				kept, total = kept+len(want), total+n
				checks.AtLevels(t, func(level string) {
					// The kernel works in place; the last entry must stay untouched.
					got := append(slices.Clone(list), -7)
					k := c.fast(rec, idx, got[:n], tmax, sep, got[:n])
					if !slices.Equal(got[:k], want) || got[n] != -7 {
						t.Fatalf("%s %s %s, %d queries, tmax %g, sep %g: %v, want %v",
							c.name, family, level, n, tmax, sep, got[:k], want)
					}
				})
			}
		}
	}
	if kept == 0 || kept*20 > total*19 {
		t.Errorf("%d of %d queries were kept: the test shows too little", kept, total)
	}
}

func BenchmarkInPlane(b *testing.B) {
	r := rand.New(rand.NewSource(3))
	rec, idx := checks.Motion(r, "uniform", 1000, 4096)
	rec = flatten(rec)
	list, out := checks.Everything(len(idx)), make([]int32, len(idx))
	for _, c := range inPlaneKernels {
		checks.AtLevels(b, func(level string) {
			b.Run(fmt.Sprintf("%s/%s", c.name, level), func(b *testing.B) {
				for b.Loop() {
					c.fast(rec, idx, list, 1, 0, out)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(idx)), "ns/query")
			})
		})
	}
}
