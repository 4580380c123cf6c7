package bound

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestNthIsThatOfTheSorted(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 42))
	for trial := range 2000 {
		x := make([]float64, 1+trial%40)
		for i := range x {
			x[i] = float64(r.IntN(1 + trial%7*5))
		}
		want := slices.Sorted(slices.Values(x))
		k := r.IntN(len(x))
		if got := nth(x, k); got != want[k] || x[k] != want[k] {
			t.Fatalf("number %d of %v is %v, not %v", k, want, want[k], got)
		}
		for i := range k {
			if x[i] > x[k] {
				t.Fatalf("%v stands before number %d, %v", x[i], k, x[k])
			}
		}
	}
}
