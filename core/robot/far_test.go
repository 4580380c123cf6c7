package robot

import (
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/ccdtest/long"
	"ccd/core/geom"
)

// slider is a body of boxes on a link that slides along x, and bodies that rest.
func slider(moving []Shape, rest ...Shape) *Model {
	m := &Model{Links: 2, Variables: 1, Joints: []Joint{{Kind: Prismatic, Parent: 0, Child: 1, Variable: 0,
		Factor: 1, Rotation: geom.Rotation(quat.Number{Real: 1}), Axis: r3.Vec{X: 1}}}, Bodies: []Body{{1, moving}}}
	for i, s := range rest {
		m.Bodies, m.Pairs = append(m.Bodies, Body{0, []Shape{s}}), append(m.Pairs, [2]int{0, i + 1})
	}
	return m
}

// All pairs that meet are listed also where bodies are smaller than the tolerance, so that boxes
// are given up before leaves are met: a pair that is left out stops no other.
func TestTouchingGoesOnPastPairsThatAreGivenUp(t *testing.T) {
	one, r := geom.Rotation(quat.Number{Real: 1}), rand.New(rand.NewPCG(1, 1))
	ball := func(size float64, at r3.Vec) Shape { return blob(r, 12, size, at) }
	box := func(at r3.Vec) Shape { return boxShape(r3.Vec{X: 0.02, Y: 0.02, Z: 0.02}, one, at) }
	m := slider([]Shape{ball(0.02, r3.Vec{}), box(r3.Vec{Y: 1})}, ball(0.02, r3.Vec{X: 1}), box(r3.Vec{X: 3, Y: 1}))
	robot, err := New(m)
	if err != nil {
		t.Fatal(err)
	}
	for _, tolerance := range []float64{1e-6, 1e-3, 0.02, 0.05, 0.2} {
		o := DefaultOptions()
		o.Tolerance = tolerance
		list, err := NewWorker(robot).Touching(nil, []float64{0, 4}, 1, &o)
		if err != nil {
			t.Fatal(err)
		}
		listed, open := map[int]bool{}, false
		for _, one := range list {
			listed[max(one.A, one.B)], open = true, open || one.B < 0
		}
		if !open && (!listed[1] || !listed[2]) {
			t.Errorf("tolerance %v: %+v", tolerance, list)
		}
	}
}

// Where rounding is as wide as the bodies, nothing is proven and nothing fails.
func TestConfigurationsBeyondRounding(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	ball := func(size float64, at r3.Vec) Shape { return blob(r, 12, size, at) }
	for i, far := range []float64{1e9, 3e12, 1e13, 1e16} {
		if !long.On() && i%2 == 1 {
			continue
		}
		m := slider([]Shape{ball(0.5, r3.Vec{})}, ball(0.3, r3.Vec{X: far, Z: 0.4}),
			ball(0.3, r3.Vec{Z: 99}))
		robot, err := New(m)
		if err != nil {
			t.Fatal(err)
		}
		w, o := NewWorker(robot), DefaultOptions()
		found, err := w.CheckCurve([]float64{far}, 0, &o)
		if err != nil || found.Verdict == Free {
			t.Errorf("at %v: %+v, %v", far, found, err)
		}
		list, err := w.Touching(nil, []float64{far}, 0, &o)
		meets := false
		for _, one := range list {
			meets = meets || one.B < 0 || max(one.A, one.B) == 1
		}
		if err != nil || !meets {
			t.Errorf("at %v: %+v, %v", far, list, err)
		}
	}
}
