package still

import (
	"fmt"
	"math"
	"math/rand"
	"testing"

	"ccd/simd/internal/checks"
)

var encloseKernels = []struct {
	name string
	fast func(rec []float64, idx [][4]int32, list []int32, out *Enclosures)
	face bool
}{{"VF", EncloseVF, true}, {"EE", EncloseEE, false}}

// That the bounds hold core/proximity tests, where distances are known. Where lo is -1, the other
// rows mean nothing.
func TestEncloseLaw7SameBits(t *testing.T) {
	const untouched = -7
	r := rand.New(rand.NewSource(41))
	enclosed := map[string]int{}
	for _, family := range checks.FamilyNames {
		for n := range 41 {
			rec, idx := checks.Motion(r, family, 20, 50)
			list := checks.Everything(50)
			r.Shuffle(50, func(i, j int) { list[i], list[j] = list[j], list[i] })
			list = list[:n]
			if n%2 == 1 {
				rec, idx, list = checks.Skew(rec), checks.Skew(idx), checks.Skew(list)
			}
			for _, c := range encloseKernels {
				var want Enclosures
				encloseGeneric(rec, idx, list, &want, c.face)
				checks.AtLevels(t, func(level string) {
					var got Enclosures
					for row := range got {
						for j := range got[row] {
							got[row][j] = untouched
						}
					}
					c.fast(rec, idx, list, &got)
					for row := range got {
						for j := range n {
							same := math.Float64bits(got[row][j]) == math.Float64bits(want[row][j])
							if row == EncloseLo && want[row][j] >= 0 {
								enclosed[family]++
							}
							if !same && (row == EncloseLo || want[EncloseLo][j] >= 0) {
								t.Fatalf("%s %s %s: row %d of query %d of %d is %v, want %v",
									c.name, family, level, row, j, n, got[row][j], want[row][j])
							}
						}
						for j := (n + 7) &^ 7; j < EncloseLen; j++ {
							if got[row][j] != untouched {
								t.Fatalf("%s %s %s: wrote to column %d of a list of %d", c.name, family, level, j, n)
							}
						}
					}
				})
			}
		}
	}
	for _, family := range []string{"uniform", "integers", "offset"} {
		if enclosed[family] < 1000 {
			t.Errorf("%s: %d queries enclosed", family, enclosed[family])
		}
	}
}

func BenchmarkEnclose(b *testing.B) {
	r := rand.New(rand.NewSource(42))
	rec, idx := checks.Motion(r, "uniform", 1000, 4096)
	list := checks.Everything(EncloseLen)
	var out Enclosures
	for _, c := range encloseKernels {
		checks.AtLevels(b, func(level string) {
			b.Run(fmt.Sprintf("%s/%s", c.name, level), func(b *testing.B) {
				for b.Loop() {
					c.fast(rec, idx, list, &out)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(list)), "ns/query")
			})
		})
	}
}
