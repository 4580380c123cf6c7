package constraint_test

import (
	"math"
	"slices"
	"testing"

	"ccd/core/constraint"
	"ccd/core/geom"
)

// fallen is the constraint of vertex 3, at height z above a face in the plane z = 0 and over its
// point (u, v), that wants to be 1 above it.
func fallen(u, v float64) constraint.Constraint {
	return constraint.Constraint{
		Impact:     geom.Impact{Kind: geom.VertexFace, A: 3, U: u, V: v, Normal: [3]float64{0, 0, 1}},
		Vertices:   [4]int32{3, 0, 1, 2},
		Weights:    [4]float64{1, u + v - 1, -u, -v},
		Separation: 1,
	}
}

// faceBelow are the corners of the face, and a vertex over its point (u, v) at height z.
func faceBelow(u, v, z float64) []float64 { return []float64{0, 0, 0, 1, 0, 0, 0, 1, 0, u, v, z} }

// heightOver returns how far the vertex is above the point (u, v) of the face.
func heightOver(y []float64, u, v float64) float64 {
	return y[11] - (1-u-v)*y[2] - u*y[5] - v*y[8]
}

// A constraint holds after it was treated, by moves in proportion to weights and inverse masses,
// and one that holds already changes nothing.
func TestPushApart(t *testing.T) {
	for _, mass := range [][]float64{{1, 1, 1, 1}, {0, 0, 0, 1}, {0, 0, 0, 1e-9}, {1, 2, 0, 0}, {3, 1e6, 1, 1e-6}} {
		u, v := 0.25, 0.5
		x0, y := faceBelow(u, v, 2), faceBelow(u, v, -0.5)
		before := slices.Clone(y)
		if err := constraint.Push([]constraint.Constraint{fallen(u, v)}, x0, y, mass, 0); err != nil {
			t.Fatal(err)
		}
		if h := heightOver(y, u, v); math.Abs(h-1) > 1e-12 {
			t.Errorf("inverse masses %v: the vertex is %v above the face", mass, h)
		}
		w := fallen(u, v).Weights
		sum := 0.0
		for i, vertex := range []int{3, 0, 1, 2} {
			sum += w[i] * w[i] * mass[vertex]
		}
		for i, vertex := range []int{3, 0, 1, 2} {
			moved, want := y[3*vertex+2]-before[3*vertex+2], 1.5*w[i]*mass[vertex]/sum
			if math.Abs(moved-want) > 1e-14 {
				t.Errorf("inverse masses %v: vertex %d moves by %v, not %v", mass, vertex, moved, want)
			}
		}
	}
	y := faceBelow(0.2, 0.2, 1.5)
	before := slices.Clone(y)
	err := constraint.Push([]constraint.Constraint{fallen(0.2, 0.2)}, y, y, []float64{1, 1, 1, 1}, 1)
	if err != nil || !slices.Equal(y, before) {
		t.Errorf("a constraint that holds: %v, %v", y, err)
	}
}

// What friction takes back of the way along the face is the coefficient times what the normal
// moves, and never more than the way.
func TestPushFriction(t *testing.T) {
	for _, friction := range []float64{0, 0.1, 0.5, 10} {
		x0, y := faceBelow(0.25, 0.25, 2), faceBelow(0.25, 0.25, -0.5)
		y[9], y[10] = y[9]+0.3, y[10]-0.4
		set := []constraint.Constraint{fallen(0.25, 0.25)}
		if err := constraint.Push(set, x0, y, []float64{0, 0, 0, 1}, friction); err != nil {
			t.Fatal(err)
		}
		left := math.Hypot(y[9]-0.25, y[10]-0.25)
		if want := 0.5 - min(0.5, 1.5*friction); math.Abs(left-want) > 1e-12 || math.Abs(y[11]-1) > 1e-12 {
			t.Errorf("friction %v: the vertex slides %v, at height %v; want %v", friction, left, y[11], want)
		}
		if cross := (y[9]-0.25)*-0.4 - (y[10]-0.25)*0.3; math.Abs(cross) > 1e-12 {
			t.Errorf("friction %v turns the way", friction)
		}
	}
}

// Constraints that share a vertex are treated one after the other, in the order of their colors; a
// vertex that would leave the range of coordinates stays in it.
func TestPushRounds(t *testing.T) {
	y := faceBelow(0.25, 0.25, -0.5)
	set := []constraint.Constraint{fallen(0.25, 0.25), fallen(0.25, 0.25)}
	set[1].Separation = 3
	if err := constraint.Push(set, y, y, []float64{0, 0, 0, 1}, 0); err != nil || math.Abs(y[11]-3) > 1e-12 {
		t.Errorf("the vertex is at height %v, %v", y[11], err)
	}
	y[11] = -1e150
	set[0].Separation, set[1].Separation = 1e150, 1e150
	if err := constraint.Push(set, y, y, []float64{0, 0, 0, 1}, 0); err != nil || math.Abs(y[11]) > 1e150 {
		t.Errorf("the vertex is at height %v, %v", y[11], err)
	}
	set[1].Vertices[0] = 9
	if err := constraint.Push(set, y, y, []float64{0, 0, 0, 1}, 0); err == nil {
		t.Error("a vertex that is not there: no error")
	}
}
