package robot

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
	"ccd/core/status"
)

func goodModel() *Model {
	return &Model{Links: 2, Variables: 1, Bodies: []Body{
		{1, []Shape{boxShape(r3.Vec{X: 1, Y: 1, Z: 1}, identity, r3.Vec{})}},
		{Scene, []Shape{balls(0.5, r3.Vec{X: 4})}}},
		Joints: []Joint{{Kind: Revolute, Child: 1, Factor: 1, Axis: r3.Vec{Z: 1}, Rotation: identity}},
		Pairs:  [][2]int{{0, 1}}}
}

// known reports whether an error has one of the kinds that callers pass on.
func known(err error) bool {
	return errors.Is(err, status.ErrArgument) || errors.Is(err, status.ErrIndex) || errors.Is(err, status.ErrNonFinite)
}

func TestWrongModelsAreErrors(t *testing.T) {
	nan, minus := math.NaN(), []float64{-1}
	type change = func(m *Model, s *Shape)
	for want, change := range map[string]change{
		"robot: 0 links":                         func(m *Model, s *Shape) { m.Links = 0 },
		"joints[0].kind is 3":                    func(m *Model, s *Shape) { m.Joints[0].Kind = 3 },
		"joints[0] joins the links 0 and 7":      func(m *Model, s *Shape) { m.Joints[0].Child = 7 },
		"joints[0].variable is 1":                func(m *Model, s *Shape) { m.Joints[0].Variable = 1 },
		"joints[0]: the factor is NaN":           func(m *Model, s *Shape) { m.Joints[0].Factor = nan },
		"joints[0].position":                     func(m *Model, s *Shape) { m.Joints[0].Position.Y = nan },
		"joints[0].axis":                         func(m *Model, s *Shape) { m.Joints[0].Axis = r3.Vec{} },
		"rotation is no rotation: its":           func(m *Model, s *Shape) { m.Joints[0].Rotation.X.X = 1.1 },
		"no rotation: it mirrors":                func(m *Model, s *Shape) { m.Joints[0].Rotation.X.X = -1 },
		"joints[1].child is 1":                   func(m *Model, s *Shape) { m.Joints = slices.Repeat(m.Joints, 2) },
		"joints: there are 0":                    func(m *Model, s *Shape) { m.Joints = nil },
		"bodies[0].link is 2":                    func(m *Model, s *Shape) { m.Bodies[0].Link = 2 },
		"bodies[0].shapes[0].vertices[3]":        func(m *Model, s *Shape) { s.Vertices[3].Z = math.Inf(1) },
		"bodies[0].shapes[0].radii[0] is -1":     func(m *Model, s *Shape) { s.Radii = slices.Repeat(minus, 8) },
		"bodies[0].shapes[0].faces[0]":           func(m *Model, s *Shape) { s.Faces = [][3]int32{{0, 1, 8}} },
		"bodies[0].shapes[0].edges[0]":           func(m *Model, s *Shape) { s.Edges = [][2]int32{{-1, 1}} },
		"bodies[0].shapes[0]: there are 1 radii": func(m *Model, s *Shape) { s.Radii = []float64{1} },
		"pairs[0] is [1 1]":                      func(m *Model, s *Shape) { m.Pairs[0] = [2]int{1, 1} },
	} {
		m := goodModel()
		change(m, &m.Bodies[0].Shapes[0])
		if _, err := New(m); err == nil || !known(err) || !strings.Contains(err.Error(), want) {
			t.Errorf("want an error with %q, got %v", want, err)
		}
	}
	circle := goodModel()
	circle.Links = 4
	for i, p := range [][2]int{{2, 3}, {3, 2}} {
		j := circle.Joints[0]
		j.Parent, j.Child = p[0], p[1]
		_ = i
		circle.Joints = append(circle.Joints, j)
	}
	if _, err := New(circle); err == nil || !strings.Contains(err.Error(), "circle") {
		t.Errorf("a circle of joints: %v", err)
	}
}

func TestWrongEdgesAreErrors(t *testing.T) {
	robot, err := New(goodModel())
	if err != nil {
		t.Fatal(err)
	}
	w, good := NewWorker(robot), DefaultOptions()
	one := func(q0, q1 []float64, o Options) func() error {
		return func() error { _, err := w.Check(q0, q1, &o); return err }
	}
	many := func(q0, q1 []float64) func() error {
		return func() error { _, err := robot.CheckEdges(q0, q1, &good, 2); return err }
	}
	zero, infinite := []float64{0}, []float64{1, math.Inf(1)}
	for want, call := range map[string]func() error{
		"q0 and q1 have 2 and 1": one([]float64{0, 0}, zero, good),
		"q1[0] is NaN":           one(zero, []float64{math.NaN()}, good),
		"joints[0] gets to":      one(zero, []float64{1e13}, good),
		"tolerance is 0":         one(zero, zero, Options{MaxIntervals: 1}),
		"separation is -1":       one(zero, zero, Options{Separation: -1, Tolerance: 1, MaxIntervals: 1}),
		"max_intervals is 0":     one(zero, zero, Options{Tolerance: 1}),
		"edge 1: q1[0] is":       many([]float64{0, 0}, infinite),
		"0 edges have 0":         many(nil, zero),
	} {
		if err := call(); err == nil || !known(err) || !strings.Contains(err.Error(), want) {
			t.Errorf("want an error with %q, got %v", want, err)
		}
	}
}

// Robots without bodies, pairs or motion, bodies without vertices, and sizes from 1e-30 to 1e30.
func TestUnusualRobots(t *testing.T) {
	o := DefaultOptions()
	empty := &Model{Links: 1}
	robot, err := New(empty)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := NewWorker(robot).Check(nil, nil, &o); err != nil || got.Verdict != Free {
		t.Errorf("%+v, %v", got, err)
	}
	for _, size := range []float64{1e-30, 1e-3, 1, 1e30} {
		m := goodModel()
		for i := range m.Bodies {
			s := &m.Bodies[i].Shapes[0]
			for k := range s.Vertices {
				s.Vertices[k] = geom.Scale(size, s.Vertices[k])
			}
			for k := range s.Radii {
				s.Radii[k] *= size
			}
		}
		m.Bodies = append(m.Bodies, Body{Link: 1}, Body{Link: 1, Shapes: []Shape{{}}})
		m.Pairs = append(m.Pairs, [2]int{1, 2}, [2]int{3, 2})
		robot, err := New(m)
		if err != nil {
			t.Fatal(err)
		}
		o := Options{Tolerance: 1e-6 * size, MaxIntervals: 1000}
		if got, err := NewWorker(robot).Check([]float64{0}, []float64{6}, &o); err != nil || got.Verdict != Free {
			t.Errorf("size %g: %+v, %v", size, got, err)
		}
		m.Bodies[1].Shapes[0].Vertices[0] = r3.Vec{X: 1.6 * size, Y: 1e-3 * size}
		if robot, err = New(m); err != nil {
			t.Fatal(err)
		}
		if got, err := NewWorker(robot).Check([]float64{0}, []float64{6}, &o); err != nil || got.Verdict != Collides {
			t.Errorf("size %g: %+v, %v", size, got, err)
		}
	}
}

// A budget that is spent is no proof: what is said to be free is.
func TestSpentBudgets(t *testing.T) {
	m := sixAxes(sceneOf("wires"))
	robot, err := New(m)
	if err != nil {
		t.Fatal(err)
	}
	q0, q1 := benchEdges(t, robot, 12)
	w := NewWorker(robot)
	spent := 0
	for i := range q0 {
		o := DefaultOptions()
		full, _ := w.Check(q0[i], q1[i], &o)
		for _, budget := range []int64{1, 3, 10, 40} {
			for _, any := range []bool{false, true} {
				got, err := w.Check(q0[i], q1[i], &Options{Tolerance: 1e-6, MaxIntervals: budget, Any: any})
				switch {
				case err != nil:
					t.Fatal(err)
				case got.Verdict == Undecided && got.Reason == ReasonIterations:
					spent++
				case got.Verdict != full.Verdict:
					t.Errorf("budget %d: %+v, without one %+v", budget, got, full)
				}
				if got.SFree > full.SFree+1e-6 {
					t.Errorf("budget %d: free up to %g, in truth %g", budget, got.SFree, full.SFree)
				}
			}
		}
	}
	if spent < 20 {
		t.Errorf("only %d budgets were spent", spent)
	}
}
