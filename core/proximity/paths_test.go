package proximity

import (
	"testing"

	"ccd/core/ccdtest"
	"ccd/core/mesh"
	"ccd/core/motion"
)

// The least distance is between a pair whose midline is farther apart than another pair's distance:
// two points are above two large triangles, one keeps its height, and one comes down on a parabola.
func TestLeastOnPathsTakesWhatMidlinesMayBeOff(t *testing.T) {
	r := ccdtest.NewRand(47, 5)
	const high = 0.5
	lower := 0
	for range 400 {
		m, err := mesh.New(8, nil, []int32{1, 2, 3, 5, 6, 7})
		if err != nil {
			t.Fatal(err)
		}
		// The other point is nearer at the start, in the middle and at the end, and nearer than
		// the parabola's midline throughout.
		low, when, steep := 0.46+0.08*r.Float64(), 0.4, 4.0
		if r.IntN(2) == 0 {
			when = 0.6
		}
		at := func(t float64) float64 { return low + steep*(t-when)*(t-when) }
		// The middle point of a parabola's control polygon.
		middle := 2*at(0.5) - 0.5*(at(0)+at(1))
		var control []float64
		for _, h := range []float64{at(0), middle, at(1)} {
			for far, z := range []float64{high, h} {
				x := 100 * float64(far)
				control = append(control, x+1, 1, z, x, 0, 0, x+4, 0, 0, x, 4, 0)
			}
		}
		mo, err := motion.New(8, 2, nil, control, nil)
		if err != nil {
			t.Fatal(err)
		}
		const bracket = 1e-6
		got, err := LeastOnPaths(&PathQuery{Mesh: m, Motion: mo, TMax: 1, Bracket: bracket}, &Options{})
		if err != nil {
			t.Fatal(err)
		}
		want := min(high, low)
		if want < high {
			lower++
		}
		if got.Hi < want-1e-12 || got.Hi > want+bracket || got.Lo > want+1e-12 {
			t.Fatalf("height %v + %v (t - %v)^2: %+v, but the least distance is %v", low, steep, when, got, want)
		}
	}
	if lower < 100 || lower > 300 {
		t.Errorf("the parabola is lower in %d cases of 400", lower)
	}
}
