package linear

import (
	"fmt"
	"math/big"
	"math/rand"
	"slices"
	"testing"

	"ccd/simd/internal/checks"
)

var diagonalKernels = []struct {
	name  string
	fast  func(rec []float64, idx [][4]int32, gap float64, out []int32) int
	split int
}{{"VF", DiagonalVF, 1}, {"EE", DiagonalEE, 2}}

// diagonalApartExactly reports, over rationals, whether one of the six directions separates at both
// ends, on the same side.
func diagonalApartExactly(rec []float64, q [4]int32, split int, gap float64) bool {
	least := new(big.Rat).SetFloat64(gap)
	along := func(v int32, end, k int, sign int64) *big.Rat {
		at := func(k int) *big.Rat { return new(big.Rat).SetFloat64(rec[8*int(v)+4*end+k%3]) }
		x := at(k + 1)
		return x.Add(at(k), x.Mul(x, big.NewRat(sign, 1)))
	}
	for k := range 3 {
		for _, sign := range []int64{1, -1} {
			above, below := true, true
			for _, a := range q[:split] {
				for _, b := range q[split:] {
					for end := range 2 {
						d := along(a, end, k, sign)
						d.Sub(d, along(b, end, k, sign))
						above, below = above && d.Cmp(least) > 0, below && d.Neg(d).Cmp(least) > 0
					}
				}
			}
			if above || below {
				return true
			}
		}
	}
	return false
}

func TestDiagonalIsAProof(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for _, part := range []float64{0, 0.01} { // a separation, of the largest coordinate
		culled := 0
		for _, family := range checks.FamilyNames {
			rec, idx := checks.Motion(r, family, 12, 400)
			top := 0.0
			for _, x := range rec {
				top = max(top, x, -x)
			}
			separation, gap := part*top, 0.0
			if part > 0 { // room for the rounding of two sums
				gap = separation + float64(0x1p-50*top)
			}
			for _, c := range diagonalKernels {
				out := make([]int32, len(idx))
				kept := out[:diagonalGeneric(rec, idx, c.split, gap, out)]
				for i, q := range idx {
					if slices.Contains(kept, int32(i)) {
						continue
					}
					culled++
					if !diagonalApartExactly(rec, q, c.split, separation) {
						t.Fatalf("%s %s query %d: left out, but not apart by more than %v",
							c.name, family, i, separation)
					}
				}
			}
		}
		if culled < 300 {
			t.Errorf("only %d queries were left out: the test shows too little", culled)
		}
	}
}

func TestDiagonalLaw7SameBits(t *testing.T) {
	r := rand.New(rand.NewSource(2))
	for _, family := range checks.FamilyNames {
		for n := range 41 {
			rec, idx := checks.Motion(r, family, 20, n)
			if n%2 == 1 {
				rec, idx = checks.Skew(rec), checks.Skew(idx)
			}
			gap := float64(n%3) * 0.1
			for _, c := range diagonalKernels {
				want := make([]int32, n)
				want = want[:diagonalGeneric(rec, idx, c.split, gap, want)]
				checks.AtLevels(t, func(level string) {
					got := append(make([]int32, n), -7) // the last entry must stay untouched
					k := c.fast(rec, idx, gap, got)
					if !slices.Equal(got[:k], want) || got[n] != -7 {
						t.Fatalf("%s %s %s, %d queries: %v, want %v", c.name, family, level, n, got[:k], want)
					}
				})
			}
		}
	}
}

func BenchmarkDiagonal(b *testing.B) {
	r := rand.New(rand.NewSource(3))
	rec, idx := checks.Motion(r, "uniform", 1000, 4096)
	out := make([]int32, len(idx))
	for _, c := range diagonalKernels {
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
