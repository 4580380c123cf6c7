package proximity

import (
	"ccd/core/ccdtest/long"
	"ccd/core/exact"
	"ccd/core/reference/oracle"
	"math/rand/v2"
	"testing"
)

func TestCrossingIsExact(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	w := new(worker)
	for _, f := range families {
		crossing, floats := 0, 0
		n := long.Part(60, 3)
		if f.name == "generic" || f.name == "small integers" || f.name == "flat" || f.name == "on the plane" ||
			f.name == "through a side" {
			n = long.Part(400, 3) // the oracle is fast here
		}
		for range n {
			x := f.make(r, 5)
			want := oracle.Crossing(x)
			w.resolver.Stats = exact.Stats{}
			got, inside := w.resolver.Crosses((*[15]float64)(x))
			if got != want || inside && !want {
				t.Fatalf("%s: %v, inside %v, want %v: %v", f.name, got, inside, want, x)
			}
			if want {
				crossing++
			}
			if w.resolver.Stats == (exact.Stats{}) {
				floats++
			}
		}
		if f.name == "generic" && (crossing < n/50 || floats < n*99/100) {
			t.Errorf("%s: %d of %d cross, floats decide %d", f.name, crossing, n, floats)
		}
	}
}
