package box

import (
	"math"
	"math/rand/v2"
	"testing"

	"ccd/simd/internal/checks"
)

func TestRanksAgree(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	for trial := range 300 {
		n := []int{0, 1, 7, 8, 9, 16, 17, 31, 32, 33, 40, 63, 64, 100, 256, 300}[trial%16]
		values := []int{1, 2, 10, 1000, math.MaxInt32}[trial%5]
		keys, want := make([]int32, n+RankLanes-1), make([]int32, n)
		for i := range keys {
			keys[i] = int32(r.IntN(values) - values/2) // also behind the last
		}
		for i := range n {
			if r.IntN(20) == 0 {
				keys[i] = []int32{math.MinInt32, math.MaxInt32}[r.IntN(2)]
			}
		}
		for i := range n {
			for j := range n {
				if keys[j] < keys[i] || keys[j] == keys[i] && j < i {
					want[i]++
				}
			}
		}
		checks.AtLevels(t, func(level string) {
			got := make([]int32, n+RankLanes-1)
			Ranks(keys, got, n)
			for i := range want {
				if got[i] != want[i] {
					t.Fatalf("%s, n = %d: key %d has rank %d, want %d", level, n, i, got[i], want[i])
				}
			}
		})
	}
}
