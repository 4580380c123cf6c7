package meshfile

import (
	"math"
	"math/rand/v2"
	"testing"
)

// slowWeld is Weld by comparing each vertex with the first of every place.
func slowWeld(x []float64, tolerance float64) (places []int32, n int) {
	var first [][]float64
	for i := 0; i < len(x); i += 3 {
		at := -1
		for k, p := range first {
			if d := max(math.Abs(p[0]-x[i]), math.Abs(p[1]-x[i+1]), math.Abs(p[2]-x[i+2])); d <= tolerance && at < 0 {
				at = k
			}
		}
		if at < 0 {
			at = len(first)
			first = append(first, x[i:i+3])
		}
		places = append(places, int32(at))
	}
	return places, len(first)
}

// Weld is the slow way, also where places are as near as may be and on the borders of cells.
func TestWeldIsTheSlowWay(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	welded := 0
	for round := range 300 {
		bits, unit := round%6, math.Ldexp(1, -52)
		x := make([]float64, 3*40)
		for i := range x {
			x[i] = 1 + unit*float64(r.IntN(40)) // the unit in the last place is that of [1, 2)
			if r.IntN(9) == 0 {
				x[i] = -unit / 2 * float64(r.IntN(20))
			}
		}
		x[0] = 1 + unit
		places, n, err := Weld(x, bits)
		if err != nil {
			t.Fatal(err)
		}
		want, m := slowWeld(x, (math.Ldexp(1, bits)-1)*unit)
		for i := range want {
			if places[i] != want[i] || n != m {
				t.Fatalf("bits %d: %v of %d, want %v of %d", bits, places, n, want, m)
			}
		}
		welded += len(places) - n
	}
	if welded < 500 {
		t.Errorf("%d vertices were copies", welded)
	}
}

// The unit is that of single precision where all coordinates are exact in it.
func TestWeldKnowsSinglePrecision(t *testing.T) {
	for _, c := range []struct {
		x    []float64
		bits int
		n    int
	}{
		{[]float64{1, 0, 0, float64(math.Nextafter32(1, 2)), 0, 0}, 1, 1},
		{[]float64{1, 0, 0, float64(math.Nextafter32(1, 2)), 0, 0}, 0, 2},
		{[]float64{1, 0, 0, float64(math.Nextafter32(1, 2)), 0.1, 0}, 1, 2},
		{[]float64{1, 0.1, 0, math.Nextafter(1, 2), 0.1, 0}, 1, 1},
		{[]float64{0, 0, 0, math.Copysign(0, -1), 0, 0}, 0, 1},
		{[]float64{0, 0, 0, 5e-324, 0, 0}, 0, 2},
		{[]float64{0, 0, 0, 5e-324, 0, 0}, 1, 1},
		{nil, 2, 0},
	} {
		if _, n, err := Weld(c.x, c.bits); err != nil || n != c.n {
			t.Errorf("%v, %d bits: %d places, %v; want %d", c.x, c.bits, n, err, c.n)
		}
	}
	for _, bits := range []int{-1, 49} {
		if _, _, err := Weld(nil, bits); err == nil {
			t.Errorf("%d bits: accepted", bits)
		}
	}
	if _, _, err := Weld([]float64{0, math.NaN(), 0}, 0); err == nil {
		t.Error("NaN: accepted")
	}
}
