package robot

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/ccdtest/long"
)

// A closed link that sweeps over a point without a radius collides: the point is inside of it after
// the approach, and S is where it enters.
func TestPointsThatLinksSweepOver(t *testing.T) {
	r := rand.New(rand.NewPCG(51, 1))
	hits, free := 0, 0
	for trial := range long.Part(200, 4) {
		bar := boxShape(r3.Vec{X: 0.5, Y: 0.05, Z: 0.05}, identity, r3.Vec{X: 0.5})
		angle, radius := 0.2+0.8*r.Float64(), 0.1+1.2*r.Float64()
		point := r3.Vec{X: radius * math.Cos(angle), Y: radius * math.Sin(angle), Z: 0.08 * (2*r.Float64() - 1)}
		many := Shape{Vertices: []r3.Vec{point, {X: 5}, {Y: -5, Z: 1}}}
		m := &Model{Links: 2, Variables: 1, Bodies: []Body{{1, []Shape{bar}}, {Scene, []Shape{many}}},
			Joints: []Joint{{Kind: Revolute, Child: 1, Factor: 1, Axis: r3.Vec{Z: 1}, Rotation: identity}},
			Pairs:  [][2]int{{0, 1}}}
		if trial%2 == 0 { // the point moves, and the box rests
			m.Bodies[0].Link, m.Bodies[1].Link = Scene, 1
		}
		robot, err := New(m)
		if err != nil {
			t.Fatal(err)
		}
		sign := 1.0
		if trial%2 == 0 {
			sign = -1
		}
		half := math.Asin(0.05 / radius)
		meets := math.Abs(point.Z) < 0.05 && radius*math.Cos(half) < 1 && radius > 0.0501
		for _, any := range []bool{false, true} {
			o := DefaultOptions()
			o.Any = any
			got, err := NewWorker(robot).Check([]float64{0}, []float64{1.5 * sign}, &o)
			if err != nil {
				t.Fatal(err)
			}
			if edge := math.Abs(math.Abs(point.Z)-0.05) < 1e-5 || math.Abs(radius-math.Hypot(1, 0.05)) < 1e-4; edge {
				continue
			}
			corner := radius*math.Cos(half) >= 1 && radius < math.Hypot(1, 0.05) && math.Abs(point.Z) < 0.05
			switch {
			case meets:
				hits++
				enters := max(0, (angle-half)/1.5) // It may begin inside.
				if got.Verdict != Collides || got.How != Inside || got.A+got.B != 1 ||
					!any && (got.S < enters-1e-9 || got.S > enters+1e-4) {
					t.Errorf("trial %d, any %v: %+v, enters at %g", trial, any, got, enters)
				}
			case corner:
			default:
				free++
				if got.Verdict != Free {
					t.Errorf("trial %d, any %v: %+v", trial, any, got)
				}
			}
		}
	}
	if hits == 0 || free == 0 {
		t.Errorf("%d hits, %d free", hits, free)
	}
}

// A point on the surface of a shape, within the margin, is not certainly inside.
func TestClearsWantsTheMargin(t *testing.T) {
	s := newSolid(boxShape(r3.Vec{X: 1, Y: 1, Z: 1}, identity, r3.Vec{}).Vertices, boxFaces)
	for _, depth := range []float64{1e-3, 1e-6, 1e-9} {
		x := r3.Vec{X: 1 - depth, Y: 0.3, Z: -0.2}
		if !s.holds(x) || !s.clears(x, depth*(1-1e-6)) || s.clears(x, depth*(1+1e-6)) {
			t.Errorf("depth %g", depth)
		}
	}
}

// An edge of more intervals than it may take: the result says how far it is free, and whether a
// body begins inside of another.
func TestEdgesWithoutIntervalsLeft(t *testing.T) {
	bar := boxShape(r3.Vec{X: 0.5, Y: 0.05, Z: 0.05}, identity, r3.Vec{X: 0.5})
	plate := Shape{Vertices: []r3.Vec{{X: -3, Y: -3, Z: 0.06}, {X: 3, Y: -3, Z: 0.06}, {Y: 4, Z: 0.06}},
		Faces: [][3]int32{{0, 1, 2}}}
	for _, around := range []bool{false, true} {
		m := &Model{Links: 2, Variables: 1, Bodies: []Body{{1, []Shape{bar}}, {Scene, []Shape{plate}}},
			Joints: []Joint{{Kind: Revolute, Child: 1, Factor: 1, Axis: r3.Vec{Z: 1}, Rotation: identity}},
			Pairs:  [][2]int{{0, 1}}}
		if around {
			m.Bodies = append(m.Bodies, Body{Scene, []Shape{boxShape(r3.Vec{X: 9, Y: 9, Z: 9}, identity, r3.Vec{})}})
			m.Pairs = append(m.Pairs, [2]int{0, 2})
		}
		robot, err := New(m)
		if err != nil {
			t.Fatal(err)
		}
		o := DefaultOptions()
		o.MaxIntervals = 300
		got, err := NewWorker(robot).Check([]float64{0}, []float64{1e4}, &o)
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case around && (got.Verdict != Collides || got.How != Inside || got.S != 0):
			t.Errorf("a bar in a box: %+v", got)
		case !around && (got.Verdict != Undecided || got.Reason != ReasonIterations ||
			!(got.SFree > 0 && got.SFree < 0.1)):
			t.Errorf("a bar below a plate: %+v", got)
		}
	}
}
