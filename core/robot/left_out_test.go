package robot

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/ccdtest/long"
)

// TestPairsThatAreLeftOutStopNothing compares first contacts of a body with and without another
// that lies in its way and is tested against others alone: the verdict is the same, the place up to
// tolerances.
func TestPairsThatAreLeftOutStopNothing(t *testing.T) {
	r, contacts := rand.New(rand.NewPCG(3, 8)), 0
	for range long.Part(25, 3) {
		n := 4 + r.IntN(4)
		moving := blob(r, n, 0.3, r3.Vec{})
		wall := blob(r, 4+r.IntN(4), 0.3, r3.Vec{X: 0.2 + 0.8*r.Float64(), Y: 0.2 * r.NormFloat64()})
		on := blob(r, 4+r.IntN(4), 0.3, r3.Vec{X: r.Float64()})
		alone, both := slider([]Shape{moving}, wall), slider([]Shape{moving}, wall, on)
		both.Pairs = both.Pairs[:1]
		// Boxes have a bit for each mover, modulo 64: the last of these has that of the first.
		for i := range 64 {
			far := Body{1, []Shape{blob(r, 4, 0.3, r3.Vec{Z: 9 + float64(i)})}}
			both.Bodies, both.Pairs = append(both.Bodies, far), append(both.Pairs, [2]int{3 + i, 2})
		}
		var got [2]Result
		for i, m := range []*Model{alone, both} {
			robot, err := New(m)
			if err != nil {
				t.Fatal(err)
			}
			o := DefaultOptions()
			if got[i], err = NewWorker(robot).CheckCurve([]float64{0, 1}, 1, &o); err != nil {
				t.Fatal(err)
			}
		}
		if got[0].Verdict != got[1].Verdict || math.Abs(got[0].S-got[1].S) > 2e-6 ||
			got[1].SFree < got[0].SFree-2e-6 {
			t.Fatalf("%+v, with a body that is left out %+v", got[0], got[1])
		}
		if got[0].Verdict == Collides && got[0].S > 0 {
			contacts++
		}
	}
	if contacts < 3 {
		t.Errorf("%d contacts", contacts)
	}
}

// A plate meets a spike at a tenth of the way and another at four tenths, on its left and on its
// right. The list of pairs that touch says of the second what it says of it alone: the search finds
// it touching at the middle of the way, while the first waits to be looked at.
func TestPairsThatAreListedStopNoOther(t *testing.T) {
	for _, side := range []float64{-1, 1} {
		spike := func(x, y float64) Shape {
			corners := []r3.Vec{{X: x, Y: y}, {X: x + 1, Y: y - 0.1, Z: 0.1}, {X: x + 1, Y: y + 0.1, Z: 0.1}}
			return Shape{Vertices: corners, Faces: [][3]int32{{0, 1, 2}}}
		}
		plate := Shape{Vertices: []r3.Vec{{X: 0.1, Y: -2, Z: -1}, {X: 0.1, Y: 2, Z: -1}, {X: 0.1, Z: 1}},
			Faces: [][3]int32{{0, 1, 2}}}
		robot, err := New(slider([]Shape{plate}, spike(0.1025, 0.3*side), spike(0.11, -0.3*side)))
		if err != nil {
			t.Fatal(err)
		}
		o := DefaultOptions()
		list, err := NewWorker(robot).Touching(nil, []float64{0, 0.025}, 1, &o)
		if err != nil {
			t.Fatal(err)
		}
		if len(list) != 2 || list[0].B != 1 || list[1].B != 2 {
			t.Fatalf("side %v: %+v", side, list)
		}
		for i, s := range []float64{0.1, 0.4} {
			if got := &list[i]; got.SFree > s || got.SFree < s-1e-4 || math.Abs(got.S-s) > 1e-4 {
				t.Errorf("side %v, contact %d is at %v: %+v", side, i, s, *got)
			}
		}
	}
}
