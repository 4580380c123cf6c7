package robot

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/ccdtest/long"
	"ccd/core/geom"
)

// addOddShapes gives some bodies shapes without area: points, edges, and triangles whose corners
// are on a line or the same.
func addOddShapes(r *rand.Rand, m *Model) {
	for i := range m.Bodies {
		if r.IntN(3) > 1 {
			continue
		}
		s, at := Shape{}, r3.Vec{}
		if m.Bodies[i].Link == Scene {
			at = randomVec(r, 0.7)
		}
		for range 3 + r.IntN(4) {
			s.Vertices = append(s.Vertices, r3.Add(at, randomVec(r, 0.3)))
		}
		switch r.IntN(4) {
		case 0:
			s.Edges = [][2]int32{{0, 1}, {1, 2}}
		case 1:
			s.Faces = [][3]int32{{0, 1, 2}, {0, 0, 1}}
			s.Vertices[2] = r3.Add(s.Vertices[0], geom.Scale(1.3*r.Float64(), r3.Sub(s.Vertices[1], s.Vertices[0])))
		case 2:
			for range s.Vertices {
				s.Radii = append(s.Radii, 0.2*r.Float64())
			}
			s.Edges = [][2]int32{{0, 1}, {1, 2}}
		}
		m.Bodies[i].Shapes = append(m.Bodies[i].Shapes, s)
	}
}

// An edge that is undecided for no other reason has an approach to within the tolerance at S.
func TestUndecidedEdgesComeWithinTheTolerance(t *testing.T) {
	undecided := 0
	for seed := range uint64(long.Part(1400, 3)) {
		r := rand.New(rand.NewPCG(seed, 97))
		m := randomModel(r, 3+r.IntN(6), 4, seed%2 == 0)
		addOddShapes(r, m)
		robot, err := New(m)
		if err != nil {
			t.Fatal(err)
		}
		q0, q1 := randomEdge(r, m, 3)
		o := Options{Tolerance: 1e-6, MaxIntervals: 100000, Any: seed%4 > 1}
		if seed%3 == 0 {
			o.Separation = 0.05 * r.Float64()
		}
		if seed%5 > 0 {
			o.Tolerance = []float64{1e-3, 5e-3, 1e-2}[r.IntN(3)]
		}
		got, err := NewWorker(robot).Check(q0, q1, &o)
		if err != nil {
			t.Fatal(err)
		}
		if got.Verdict != Undecided || got.Reason != ReasonTolerance {
			continue
		}
		undecided++
		alone := *m
		alone.Pairs = [][2]int{{got.A, got.B}}
		if d := sampledDistance(&alone, q0, q1, got.S); d > o.Separation+o.Tolerance {
			t.Errorf("seed %d: %g apart, tolerance %g: %+v", seed, d, o.Tolerance, got)
		}
	}
	if undecided == 0 {
		t.Error("no edge is undecided")
	}
}

// Triangles without area have the nearest points of their sides.
func TestNearestPointsOfTrianglesWithoutArea(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 1))
	for range 2000 {
		p := primitive{n: 3, x: [3]r3.Vec{randomVec(r, 1), randomVec(r, 1), {}}}
		p.x[2] = r3.Add(p.x[0], geom.Scale(2*r.Float64()-0.5, r3.Sub(p.x[1], p.x[0])))
		if r.IntN(2) == 0 {
			p.x[r.IntN(3)] = p.x[r.IntN(3)]
		}
		q := primitive{n: 1}
		x := randomVec(r, 1)
		q.x = [3]r3.Vec{x, x, x}
		first, second := nearest(&p, &p.x, &q), nearest(&q, &q.x, &p)
		for _, c := range [2]closest{first, second} {
			for range 40 {
				if other := geom.Norm(r3.Sub(randomPoint(r, &p), x)); other < math.Sqrt(c.square)-1e-7 {
					t.Fatalf("%v and %v: a point at %g, the nearest at %g", p.x, x, other, math.Sqrt(c.square))
				}
			}
		}
	}
}
