package bound

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// The bulk of a sample ends where the sorted sample says.
func TestBulk(t *testing.T) {
	r := rand.New(rand.NewPCG(51, 52))
	for n := 1; n <= sampleSize; n += 1 + r.IntN(7) {
		for _, values := range []int{2, 10, 1 << 40} {
			x := make([]float64, n)
			for i := range x {
				x[i] = float64(r.IntN(values) - values/2)
			}
			lo, hi := bulk(x)
			slices.Sort(x)
			if lo != x[n/100] || hi != x[n-1-n/100] {
				t.Fatalf("%d numbers: from %v to %v, want %v to %v", n, lo, hi, x[n/100], x[n-1-n/100])
			}
		}
	}
}
