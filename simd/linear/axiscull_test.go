package linear

import (
	"fmt"
	"math/big"
	"math/rand"
	"slices"
	"testing"

	"ccd/core/ccdtest/long"
	"ccd/simd/internal/checks"
)

type axisCullFunc func(rec []float64, idx [][4]int32, sep float64, out []int32) int

var axisCulls = []struct {
	name          string
	fast, generic axisCullFunc
	pairs         [][2]int // points whose difference is separated: VF v-f, EE a-b
}{
	{"VF", AxisCullVF, axisCullVFGeneric, [][2]int{{0, 1}, {0, 2}, {0, 3}}},
	{"EE", AxisCullEE, axisCullEEGeneric, [][2]int{{0, 2}, {0, 3}, {1, 2}, {1, 3}}},
}

// apartExactly reports over rationals whether one axis separates all pairs by more than sep at both
// ends, same side.
func apartExactly(rec []float64, q [4]int32, pairs [][2]int, sep float64) bool {
	s := new(big.Rat).SetFloat64(sep)
	for k := range 3 {
		above, below := true, true
		for _, p := range pairs {
			for end := range 2 {
				a := new(big.Rat).SetFloat64(rec[8*int(q[p[0]])+4*end+k])
				b := new(big.Rat).SetFloat64(rec[8*int(q[p[1]])+4*end+k])
				a.Sub(a, b)
				above = above && a.Cmp(s) > 0
				below = below && a.Cmp(b.Neg(s)) < 0
			}
		}
		if above || below {
			return true
		}
	}
	return false
}

func TestAxisCullIsAProof(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	culled := 0
	for _, family := range checks.FamilyNames {
		for _, c := range axisCulls {
			rec, idx := checks.Motion(r, family, 30, long.Part(300, 2))
			for _, sep := range []float64{0, 1e-3, 1, 0x1p-1074} {
				out := make([]int32, len(idx))
				kept := out[:c.generic(rec, idx, sep, out)]
				for i, q := range idx {
					apart := apartExactly(rec, q, c.pairs, sep)
					if cull := !slices.Contains(kept, int32(i)); cull && !apart {
						t.Fatalf("%s %s sep %g query %d: culled, but not apart", c.name, family, sep, i)
					} else if !cull && apart && sep == 0 {
						t.Fatalf("%s %s query %d: apart, but kept: the test is exact for sep = 0", c.name, family, i)
					} else if cull {
						culled++
					}
				}
			}
		}
	}
	if culled < 1000 {
		t.Errorf("only %d queries were culled: the test shows too little", culled)
	}
}

func TestAxisCullLaw7SameBits(t *testing.T) {
	r := rand.New(rand.NewSource(2))
	for _, family := range checks.FamilyNames {
		for n := range 41 {
			rec, idx := checks.Motion(r, family, 20, n)
			if n%2 == 1 {
				rec, idx = checks.Skew(rec), checks.Skew(idx)
			}
			for _, c := range axisCulls {
				sep := []float64{0, 1e-3, 0.25, 1e149}[n%4]
				want := make([]int32, n)
				want = want[:c.generic(rec, idx, sep, want)]
				checks.AtLevels(t, func(level string) {
					got := append(make([]int32, n), -7) // the last entry must stay untouched
					k := c.fast(rec, idx, sep, got)
					if !slices.Equal(got[:k], want) || got[n] != -7 {
						t.Fatalf("%s %s %s, %d queries: %v, want %v", c.name, family, level, n, got[:k], want)
					}
				})
			}
		}
	}
}

func BenchmarkAxisCull(b *testing.B) {
	r := rand.New(rand.NewSource(3))
	rec, idx := checks.Motion(r, "uniform", 1000, 4096)
	out := make([]int32, len(idx))
	for _, c := range axisCulls {
		checks.AtLevels(b, func(level string) {
			b.Run(fmt.Sprintf("%s/%s", c.name, level), func(b *testing.B) {
				for b.Loop() {
					c.fast(rec, idx, 0, out)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(idx)), "ns/query")
			})
		})
	}
}
