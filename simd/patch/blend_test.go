package patch

import (
	"math"
	"math/rand/v2"
	"testing"

	"ccd/simd/internal/checks"
)

// Every level gives the bits of the reference loop, for sums of any number of rows, none included, and writes nothing else.
func TestBlendAgrees(t *testing.T) {
	r := rand.New(rand.NewPCG(32, 1))
	for range 400 {
		counts := make([]int, 1+r.IntN(7))
		n := 0
		for k := range counts {
			counts[k] = r.IntN(20)
			n += counts[k]
		}
		rows, weights := make([][8]float64, n), make([]float64, n)
		for i := range rows {
			weights[i] = r.NormFloat64()
			for k := range rows[i] {
				rows[i][k] = r.NormFloat64() * math.Ldexp(1, r.IntN(60)-30)
				if r.IntN(9) == 0 {
					rows[i][k] = math.Copysign(0, rows[i][k])
				}
			}
		}
		want := make([][8]float64, len(counts)+1)
		blendGeneric(rows, weights, counts, want)
		checks.AtLevels(t, func(level string) {
			got := make([][8]float64, len(counts)+1)
			Blend(rows, weights, counts, got)
			for k := range got {
				for e, x := range got[k] {
					if math.Float64bits(x) != math.Float64bits(want[k][e]) {
						t.Fatalf("%s: sum %d of %v has %v, not %v", level, k, counts, x, want[k][e])
					}
				}
			}
		})
	}
}
