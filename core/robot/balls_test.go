package robot

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

// Balls, capsules, separations and points are exact: an arm passes a wall on either side.
func TestBallsAndSeparationsAreExact(t *testing.T) {
	const y = 1.25
	wall := Shape{Vertices: []r3.Vec{{X: -2, Y: y, Z: -2}, {X: 2, Y: y, Z: -2}, {X: 0, Y: y, Z: 3}},
		Faces: [][3]int32{{0, 1, 2}}}
	for _, c := range []struct {
		name       string
		arm        Shape
		reach      float64
		separation float64
	}{
		{"a ball", balls(0.25, r3.Vec{X: 1}), 1.25, 0},
		{"a capsule", Shape{Vertices: []r3.Vec{{}, {X: 1}}, Radii: []float64{0.1, 0.25},
			Edges: [][2]int32{{0, 1}}}, 1.25, 0},
		{"a point and a separation", Shape{Vertices: []r3.Vec{{X: 1}}}, 1, 0.25},
		{"a triangle and a separation", Shape{Vertices: []r3.Vec{{}, {X: 1}, {Z: 0.1}},
			Faces: [][3]int32{{0, 1, 2}}}, 1, 0.25},
		{"a thick triangle", Shape{Vertices: []r3.Vec{{}, {X: 1}, {Z: 0.1}}, Radii: []float64{0, 0.125, 0},
			Faces: [][3]int32{{0, 1, 2}}}, 1.125, 0.125},
	} {
		for _, gap := range []float64{1e-3, 1e-7} {
			for _, sign := range []float64{1, -1} {
				moved := wall
				moved.Vertices = nil
				for _, v := range wall.Vertices {
					v.Y = c.reach + c.separation + sign*gap
					moved.Vertices = append(moved.Vertices, v)
				}
				m := &Model{Links: 2, Variables: 1, Bodies: []Body{{1, []Shape{c.arm}}, {Scene, []Shape{moved}}},
					Joints: []Joint{{Kind: Revolute, Child: 1, Factor: 1, Axis: r3.Vec{Z: 1}, Rotation: identity}},
					Pairs:  [][2]int{{0, 1}}}
				robot, err := New(m)
				if err != nil {
					t.Fatal(err)
				}
				for _, any := range []bool{false, true} {
					o := Options{Separation: c.separation, Tolerance: gap / 10, MaxIntervals: 10000, Any: any}
					got, err := NewWorker(robot).Check([]float64{1}, []float64{2.2}, &o)
					want := map[float64]Verdict{1: Free, -1: Collides}[sign]
					if err != nil || got.Verdict != want {
						t.Errorf("%s, gap %g: %+v, %v", c.name, sign*gap, got, err)
						continue
					}
					if want == Collides && got.How != Near {
						t.Errorf("%s: %+v", c.name, got)
					}
					if want == Collides && !any {
						// The tip is at the angle 1 + 1.2 s; the first contact is where its height
						// is the wall's.
						tip := (c.reach + c.separation - gap - (c.reach + c.separation - 1))
						s := (math.Asin(tip) - 1) / 1.2
						if got.SFree > s || s-got.SFree > 1e-3 || got.S < s {
							t.Errorf("%s, gap %g: contact at %g, got %+v", c.name, gap, s, got)
						}
						if math.Abs(got.Normal.Y+1) > 1e-6 {
							t.Errorf("%s: normal %v", c.name, got.Normal)
						}
					}
				}
			}
		}
	}
}

// Slides are followed, and joints that follow another one with a factor.
func TestSlides(t *testing.T) {
	box := boxShape(r3.Vec{X: 0.1, Y: 0.1, Z: 0.1}, identity, r3.Vec{})
	m := &Model{Links: 3, Variables: 1, Bodies: []Body{{2, []Shape{box}}, {Scene, []Shape{boxShape(
		r3.Vec{X: 0.1, Y: 0.5, Z: 0.5}, rpy(0, 0, 0.1), r3.Vec{X: 2})}}}, Pairs: [][2]int{{1, 0}},
		Joints: []Joint{{Kind: Prismatic, Child: 1, Factor: 1, Axis: r3.Vec{X: 1}, Rotation: identity},
			{Kind: Prismatic, Parent: 1, Child: 2, Factor: 2, Offset: 0.5, Axis: r3.Vec{X: 1}, Rotation: identity}}}
	robot, err := New(m)
	if err != nil {
		t.Fatal(err)
	}
	o := DefaultOptions()
	// The box's face is at 0.6 + 3 q; the wall's nearest edge is at 2 - 0.1 cos 0.1 - 0.1 ... by
	// its turn.
	nearestX := 2 - 0.1*math.Cos(0.1) - 0.1*math.Tan(0.1) - 0.1*math.Sin(0.1)*math.Tan(0.1)
	got, err := NewWorker(robot).Check([]float64{0}, []float64{1}, &o)
	if want := (nearestX - 0.6) / 3; err != nil || got.Verdict != Collides || math.Abs(got.S-want) > 1e-3 {
		t.Errorf("%+v, want a contact near %g", got, want)
	}
	if got, _ := NewWorker(robot).Check([]float64{0}, []float64{0.42}, &o); got.Verdict != Free {
		t.Errorf("%+v", got)
	}
}
