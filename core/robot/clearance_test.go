package robot

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/ccdtest/long"
)

// Law R5: no sample is nearer than Lo, at S the distance is at most Hi, and the bracket is as
// narrow as the tolerance; where bodies touch all is 0.
func TestClearanceHoldsAtSamples(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 1))
	clear, touching := 0, 0
	for trial := range long.Part(60, 9) {
		m := randomModel(r, 3+r.IntN(3), 2, trial%2 == 0)
		robot, err := New(m)
		if err != nil {
			t.Fatal(err)
		}
		w := NewWorker(robot)
		for range 4 {
			q0, q1 := randomEdge(r, m, 1)
			from, to := 0.0, 1.0
			if r.IntN(2) == 0 {
				from = 0.3 * r.Float64()
				to = from + 0.6*r.Float64()
			}
			o := DefaultOptions()
			o.Tolerance = math.Pow(10, -1-4*r.Float64())
			g, err := w.Clearance(append(q0, q1...), 1, from, to, &o)
			if err != nil {
				t.Fatal(err)
			}
			if g.Unfinished || !(g.Lo >= 0 && g.Hi >= g.Lo && g.Hi-g.Lo <= o.Tolerance) ||
				!(g.S >= from && g.S <= to) {
				t.Fatalf("trial %d: %+v", trial, g)
			}
			for i := range 8 {
				s := from + (to-from)*(float64(i)+r.Float64())/8
				if d := sampledDistance(m, q0, q1, s); max(d, 0) < g.Lo-1e-12 {
					t.Fatalf("trial %d: distance %g at %g: %+v", trial, d, s, g)
				}
			}
			if d := sampledDistance(m, q0, q1, g.S); !g.Touches && math.Max(d, 0) > g.Hi {
				t.Errorf("trial %d: distance %g at the least of %+v", trial, d, g)
			}
			if g.Touches {
				touching++
				continue
			}
			clear++
			if d := r3.Norm(r3.Sub(g.PointA, g.PointB)); math.Abs(d-g.Hi) > 2*g.Epsilon {
				t.Errorf("trial %d: points %g apart: %+v", trial, d, g)
			}
			// A check with a separation on either side of the bracket agrees.
			if from == 0 && to == 1 && g.Lo > 0 {
				o := Options{Separation: g.Lo * (1 - 1e-9), Tolerance: 1e-9, MaxIntervals: 1e6}
				if got, err := w.Check(q0, q1, &o); err != nil || got.Verdict == Collides {
					t.Errorf("trial %d: %+v, %v with the separation of %+v", trial, got, err, g)
				}
				o.Separation = g.Hi * (1 + 1e-9)
				if got, err := w.Check(q0, q1, &o); err != nil || got.Verdict == Free {
					t.Errorf("trial %d: %+v, %v with the separation above %+v", trial, got, err, g)
				}
			}
		}
	}
	if clear == 0 || touching == 0 {
		t.Errorf("%d clear, %d touching", clear, touching)
	}
}

// An arm passes a wall: the least distance and its place are known.
func TestClearanceOfAnArm(t *testing.T) {
	arm := Shape{Vertices: []r3.Vec{{}, {X: 1}}, Edges: [][2]int32{{0, 1}}, Radii: []float64{0.1, 0.1}}
	wall := Shape{Vertices: []r3.Vec{{X: -9, Y: 1.5, Z: -9}, {X: 9, Y: 1.5, Z: -9}, {Y: 1.5, Z: 9}},
		Faces: [][3]int32{{0, 1, 2}}}
	m := &Model{Links: 2, Variables: 1, Bodies: []Body{{1, []Shape{arm}}, {Scene, []Shape{wall}}},
		Joints: []Joint{{Kind: Revolute, Child: 1, Factor: 1, Axis: r3.Vec{Z: 1}, Rotation: identity}},
		Pairs:  [][2]int{{0, 1}}}
	robot, err := New(m)
	if err != nil {
		t.Fatal(err)
	}
	w := NewWorker(robot)
	for _, tolerance := range []float64{1e-2, 1e-4, 1e-9} {
		o := DefaultOptions()
		o.Tolerance = tolerance
		g, err := w.Clearance([]float64{1, 2}, 1, 0, 1, &o)
		if err != nil || math.Abs(g.Hi-0.4) > tolerance || math.Abs(g.Lo-0.4) > tolerance || g.A != 0 || g.B != 1 {
			t.Errorf("%+v, %v", g, err)
		}
		if math.Abs(g.Normal.Y+1) > 1e-3 || math.Abs(g.PointB.Y-1.5) > 1e-9 {
			t.Errorf("points of %+v", g)
		}
	}
	o := DefaultOptions()
	before, err := w.Clearance([]float64{0.2, 1.2}, 1, 0, 0.5, &o)
	if want := 1.4 - math.Sin(0.7); err != nil || math.Abs(before.Lo-want) > 1e-6 || before.S != 0.5 {
		t.Errorf("%+v, %v: must be at the end, at %g", before, err, want)
	}
	m.Bodies[1].Shapes[0].Radii = []float64{0.05, 0.05, 0.05}
	if robot, err = New(m); err != nil {
		t.Fatal(err)
	}
	thick, err := NewWorker(robot).Clearance([]float64{1, 2}, 1, 0, 1, &o)
	if err != nil || math.Abs(thick.Lo-0.35) > 1e-6 || math.Abs(thick.Hi-0.35) > 1e-6 {
		t.Errorf("%+v, %v: must be 0.35", thick, err)
	}
	inside := blob(rand.New(rand.NewPCG(1, 1)), 6, 3, r3.Vec{})
	m.Bodies[1].Shapes[0] = inside
	if robot, err = New(m); err != nil {
		t.Fatal(err)
	}
	in, err := NewWorker(robot).Clearance([]float64{0, 1}, 1, 0.5, 1, &o)
	if err != nil || !in.Touches || in.Hi != 0 || in.A != 0 || in.S != 0.5 {
		t.Errorf("inside: %+v, %v", in, err)
	}
	o.MaxIntervals = 3
	short, err := w.Clearance([]float64{0, 3}, 1, 0, 1, &o)
	if err != nil || !short.Unfinished || short.Lo != 0 {
		t.Errorf("a budget of 3: %+v, %v", short, err)
	}
	for _, part := range [][2]float64{{-1, 1}, {0.5, 0.4}, {0, math.NaN()}} {
		if _, err := w.Clearance([]float64{0, 3}, 1, part[0], part[1], &o); err == nil {
			t.Errorf("the part %v has no error", part)
		}
	}
}
