package bound

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// Inflate never cuts off anything of the true box, and gives nothing away: every bound is the
// nearest double outside.
func TestInflateRoundsOutwards(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	draw := func() float64 { return math.Ldexp(2*rng.Float64()-1, rng.IntN(80)-40) }
	rounded := 0
	for range 4000 {
		var a Box
		for k := range 3 {
			x, y := draw(), draw()
			a.Min[k], a.Max[k] = min(x, y), max(x, y)
		}
		r := math.Abs(draw())
		b := a
		b.Inflate(r)
		for k := range 3 {
			lo, hi := exactSum(a.Min[k], -r), exactSum(a.Max[k], r)
			if above(b.Min[k], lo) || !above(math.Nextafter(b.Min[k], math.Inf(1)), lo) {
				t.Fatalf("%v - %v gives %v", a.Min[k], r, b.Min[k])
			}
			if above(-b.Max[k], lo.Neg(hi)) || !above(-math.Nextafter(b.Max[k], math.Inf(-1)), lo) {
				t.Fatalf("%v + %v gives %v", a.Max[k], r, b.Max[k])
			}
			if b.Max[k] != a.Max[k]+r {
				rounded++
			}
		}
	}
	if rounded == 0 {
		t.Error("no sum was rounded up: the test sees nothing")
	}
}

func exactSum(a, b float64) *big.Rat {
	s := new(big.Rat).SetFloat64(a)
	return s.Add(s, new(big.Rat).SetFloat64(b))
}

// above reports whether x > y.
func above(x float64, y *big.Rat) bool { return new(big.Rat).SetFloat64(x).Cmp(y) > 0 }
