package proximity_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/proximity"
	"ccd/core/reference/oracle"
)

// Distances whose squares are denormal or vanish are held as well: the soak found bounds from boxes
// an ulp too far.
func TestDistanceHoldsWhereSquaresUnderflow(t *testing.T) {
	m, err := mesh.New(2, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(41, 1))
	for n := range 3000 {
		x := make([]float64, 6)
		for i := range x {
			x[i] = math.Ldexp(r.NormFloat64(), -500-r.IntN(80))
		}
		if n == 0 {
			x = []float64{-3.4730605460704336e-164, 8.508998337872563e-163, 1.6497037593834562e-162,
				2.9521014641598685e-163, 1.6497037593834557e-162, -2.0143751167208515e-162}
		}
		got, err := proximity.Distance(m, x, nil)
		if err != nil {
			t.Fatal(err)
		}
		if lo, hi := oracle.Distance(geom.PointPoint, x).Enclose(); got.Lo > lo || got.Hi < hi {
			t.Fatalf("%v: [%v, %v] does not hold [%v, %v]", x, got.Lo, got.Hi, lo, hi)
		}
	}
}
