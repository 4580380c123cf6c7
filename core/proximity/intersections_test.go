package proximity

import (
	"ccd/core/reference/oracle"
	"math/rand/v2"
	"testing"
)

func TestCrossingIsExact(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	w := new(worker)
	for _, f := range families {
		crossing, floats := 0, 0
		n := 60
		if f.name == "generic" || f.name == "small integers" || f.name == "flat" || f.name == "on the plane" || f.name == "through a side" {
			n = 400 // the oracle is fast here
		}
		for range n {
			x := f.make(r, 5)
			want := oracle.Crossing(x)
			if got := w.crossing((*[15]float64)(x)); got != want {
				t.Fatalf("%s: %v, want %v: %v", f.name, got, want, x)
			}
			if want {
				crossing++
			}
			p := func(i int) *vec { return (*vec)(x[3*i:]) }
			if a := pierces(p(0), p(1), p(2), p(3), p(4)); a != unknown {
				if floats++; (a == yes) != want {
					t.Fatalf("%s: floats say %v, want %v: %v", f.name, a, want, x)
				}
			}
		}
		if f.name == "generic" && (crossing < n/50 || floats < n*99/100) {
			t.Errorf("%s: %d of %d cross, floats decide %d", f.name, crossing, n, floats)
		}
	}
}
