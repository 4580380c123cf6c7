package robot

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/ccdtest/long"
)

// Law R7: of a pair that never meets no sample crosses or comes within the separation, and one that
// meets does on some edge within the ranges, or at a sample.
func TestRangesAgreeWithSamples(t *testing.T) {
	r := rand.New(rand.NewPCG(81, 1))
	seen := map[Verdict]int{}
	for trial := range long.Part(40, 13) {
		m := randomModel(r, 4, 6, trial%2 == 0)
		robot, err := New(m)
		if err != nil {
			t.Fatal(err)
		}
		lower, upper := randomEdge(r, m, 0)
		for i := range upper {
			upper[i] += 2 * r.Float64()
		}
		o := DefaultOptions()
		o.MaxIntervals = 20000
		if trial%3 == 0 {
			o.Separation = 0.03
		}
		list, err := NewWorker(robot).Ranges(lower, upper, &o)
		if err != nil || len(list) != len(m.Pairs) {
			t.Fatal(err)
		}
		for i, one := range list {
			seen[one.Verdict]++
			alone := *m
			alone.Pairs = m.Pairs[i : i+1]
			if one.Verdict != Free {
				continue
			}
			single, err := New(&alone)
			if err != nil {
				t.Fatal(err)
			}
			w := NewWorker(single)
			for range 6 {
				a, b := make([]float64, len(lower)), make([]float64, len(lower))
				for k := range a {
					a[k] = lower[k] + (upper[k]-lower[k])*r.Float64()
					b[k] = lower[k] + (upper[k]-lower[k])*float64(r.IntN(2))
				}
				if got, err := w.Check(a, b, &o); err != nil || got.Verdict != Free {
					t.Fatalf("trial %d: %+v is %+v on an edge, %v", trial, one, got, err)
				}
				if d := sampledDistance(&alone, a, a, 0); d <= o.Separation {
					t.Fatalf("trial %d: %+v at the distance %g", trial, one, d)
				}
			}
		}
	}
	if seen[Free] == 0 || seen[Collides] == 0 || seen[Undecided] > seen[Free] {
		t.Errorf("%v", seen)
	}
}

// An arm that turns meets a ball if and only if its angle is in the ranges.
func TestRangesOfAnArm(t *testing.T) {
	arm := Shape{Vertices: []r3.Vec{{}, {X: 1}}, Edges: [][2]int32{{0, 1}}, Radii: []float64{0.1, 0.1}}
	ball := Shape{Vertices: []r3.Vec{{Y: 0.8}}, Radii: []float64{0.1}}
	m := &Model{Links: 2, Variables: 1, Bodies: []Body{{1, []Shape{arm}}, {Scene, []Shape{ball}}},
		Joints: []Joint{{Kind: Revolute, Child: 1, Factor: 1, Axis: r3.Vec{Z: 1}, Rotation: identity}},
		Pairs:  [][2]int{{0, 1}}}
	robot, err := New(m)
	if err != nil {
		t.Fatal(err)
	}
	w, o := NewWorker(robot), DefaultOptions()
	half := math.Asin(0.2 / 0.8)
	for _, c := range []struct {
		lower, upper float64
		want         Verdict
	}{
		{-1, math.Pi/2 - half - 1e-4, Free}, {-1, math.Pi/2 - half + 1e-4, Collides}, {1.5, 1.6, Collides},
		{math.Pi/2 + half + 1e-4, 5, Free},
	} {
		got, err := w.Ranges([]float64{c.lower}, []float64{c.upper}, &o)
		if err != nil || got[0].Verdict != c.want {
			t.Errorf("%+v: %+v, %v", c, got, err)
		}
	}
	if _, err := w.Ranges([]float64{1}, []float64{0}, &o); err == nil {
		t.Error("ranges the wrong way round have no error")
	}
	o.MaxIntervals = 1
	if got, err := w.Ranges([]float64{-1}, []float64{1.3}, &o); err != nil || got[0].Verdict != Undecided {
		t.Errorf("a budget of 1: %+v, %v", got, err)
	}
	// A ball inside of a closed shape never touches it.
	m.Bodies[1].Shapes[0] = blob(rand.New(rand.NewPCG(1, 1)), 6, 3, r3.Vec{})
	if robot, err = New(m); err != nil {
		t.Fatal(err)
	}
	o.MaxIntervals = 10000
	if got, err := NewWorker(robot).Ranges([]float64{-1}, []float64{1}, &o); err != nil || got[0].Verdict != Collides {
		t.Errorf("inside: %+v, %v", got, err)
	}
}
