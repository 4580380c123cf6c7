package narrow

import (
	"math"
	"testing"

	"ccd/core/geom"
	"ccd/core/motion"
)

// A search whose guesses all miss the least distance still gives a bracket that holds it: a point
// over a triangle comes down twice, the second time farther and for a thousandth of the time.
func TestPathLeastHoldsADipBetweenItsGuesses(t *testing.T) {
	const low = 0.48
	times := []float64{0, 0.3, 0.6, 0.7, 0.7003, 0.7006, 1}
	heights := []float64{1, 0.5, 1, 1, low, 1, 1}
	var control []float64
	for piece := range len(times) - 1 {
		for _, h := range heights[piece : piece+2] {
			control = append(control, 0.25, 0.25, h, 0, 0, 0, 1, 0, 0, 0, 1, 0)
		}
	}
	m, err := motion.New(4, 1, times, control, nil)
	if err != nil {
		t.Fatal(err)
	}
	of := NewPathLeast(NewSolver())
	p := PathPair{Motion: m, Kind: geom.VertexFace, Vertices: []int32{0, 1, 2, 3}, TMax: 1}
	for _, bracket := range []float64{0.1, 0.01, 1e-6} {
		var got geom.LeastDistance
		if !of.Find(&p, bracket, math.Inf(1), &got) {
			t.Fatal("nothing was found")
		}
		if !(got.Lo <= low && low <= got.Hi && got.Hi-got.Lo <= 1.01*bracket) {
			t.Errorf("within %v: [%v, %v], but the least distance is %v", bracket, got.Lo, got.Hi, low)
		}
	}
}
