package rigid_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
	"ccd/core/gradient"
	"ccd/core/rigid"
)

// still is the rotation by nothing.
var still = quat.Number{Real: 1}

// slopesAt returns the derivatives of the distance of a body at the origin and one elsewhere.
func slopesAt(t *testing.T, a, b *rigid.Body, at geom.Pose) (g rigid.GapGradient) {
	t.Helper()
	var s rigid.Ruler
	here := geom.Pose{Rotation: still}
	if err := s.DistanceGradient(a, &here, b, &at, rigid.DistanceOptions{}, &g); err != nil {
		t.Fatal(err)
	}
	return g
}

// holdPoint holds the derivatives of the distance of a body at the origin from a body at the place
// x whose nearest point is its own origin, to those of the distance of two points: foot is the
// nearest point of the first body.
func holdPoint(t *testing.T, name string, g *rigid.GapGradient, foot, way r3.Vec) {
	t.Helper()
	n := geom.Scale(-1/geom.Norm(way), way)
	turn := r3.Cross(foot, n)
	near := func(x, y r3.Vec, size float64) bool { return geom.Norm(r3.Sub(x, y)) <= 4*gradient.Tolerance*size }
	size := max(1, geom.Norm(foot))
	if g.State != gradient.Defined || !near(g.PositionA, n, 1) || !near(g.PositionB, geom.Scale(-1, n), 1) ||
		!near(g.RotationA, turn, size) || !near(g.RotationB, r3.Vec{}, size) {
		t.Errorf("%s: %v, by positions %v and %v, by turns %v and %v; %v and %v expected", name, g.State, g.PositionA,
			g.PositionB, g.RotationA, g.RotationB, n, turn)
	}
}

// TestDistanceGradientAtSharedFeet: a foot on an edge that two triangles share, or on the diagonal
// of a face, keeps the digits of balls, so that small distances have derivatives.
func TestDistanceGradientAtSharedFeet(t *testing.T) {
	square := &pair{tri: [2][][3]r3.Vec{{
		{{X: -5, Y: -5, Z: 1}, {X: 5, Y: -5, Z: 1}, {X: 5, Y: 5, Z: 1}},
		{{X: -5, Y: -5, Z: 1}, {X: 5, Y: 5, Z: 1}, {X: -5, Y: 5, Z: 1}}}}}
	tip := []r3.Vec{{}, {X: 1, Z: 2}, {X: -1, Z: 2}, {Y: 1, Z: 2}, {Y: -1, Z: 2}}
	wedge := &pair{tri: [2][][3]r3.Vec{{{tip[0], tip[1], tip[3]}, {tip[0], tip[3], tip[2]}, {tip[0], tip[2], tip[4]},
		{tip[0], tip[4], tip[1]}}}}
	point, err := rigid.HullBody(make([]float64, 3))
	if err != nil {
		t.Fatal(err)
	}
	box, err := rigid.BoxBody([3]float64{10, 10, 2})
	if err != nil {
		t.Fatal(err)
	}
	for _, gap := range []float64{0x1p-7, 1e-4, 1e-6, 1e-9, 0x1p-40} {
		z := 1 + gap
		up := r3.Vec{Z: z - 1}
		for _, at := range []r3.Vec{{X: 0.25, Y: 0.25, Z: z}, {X: 0.3, Y: 0.3, Z: z}, {X: -1 / 3., Y: -1 / 3., Z: z},
			{X: 0.25, Y: -0.25, Z: z}, {X: 4.5, Y: 0.1, Z: z}} {
			foot := r3.Vec{X: at.X, Y: at.Y, Z: 1}
			for _, a := range []*rigid.Body{square.body(0), box} {
				for _, b := range []*rigid.Body{point, wedge.body(0)} {
					g := slopesAt(t, a, b, geom.Pose{Rotation: still, Position: at})
					holdPoint(t, fmt.Sprintf("%v above a face at %v", gap, at), &g, foot, up)
				}
			}
		}
		for _, y := range []float64{0, 0.3, -1 / 3.} {
			out := r3.Vec{X: 5 + 2*gap - 5, Z: z - 1}
			g := slopesAt(t, box, point, geom.Pose{Rotation: still, Position: r3.Vec{X: 5 + 2*gap, Y: y, Z: z}})
			holdPoint(t, fmt.Sprintf("%v beside an edge at %v", gap, y), &g, r3.Vec{X: 5, Y: y, Z: 1}, out)
		}
	}
}

// TestDistanceGradientBesideSharedFeet holds derivatives at poses whose feet miss an edge of two
// triangles by rounding alone to exact differences. Of small gaps balls do not always tell that an
// edge is not nearest.
func TestDistanceGradientBesideSharedFeet(t *testing.T) {
	q := quat.Number{Real: 8, Imag: 3, Jmag: 2, Kmag: 1}
	turn := geom.Rotation(q)
	for i, gap := range []float64{1e-2, 1e-4, 1e-5, 1e-6, 1e-7} {
		for _, at := range []r3.Vec{{X: 1 + gap, Y: 0.3, Z: 0.3}, {X: 1 + gap, Y: 1 + gap, Z: 0.1}} {
			p := &pair{tri: [2][][3]r3.Vec{cubeTriangles(1), {{}}},
				poses: [2]geom.Pose{{Rotation: q}, {Rotation: q, Position: turn.Apply(at)}}}
			var s rigid.Ruler
			state := p.holdGradient(t, rand.New(rand.NewPCG(95, uint64(i))), &s)
			if state != gradient.Defined && (gap >= 1e-4 || state != gradient.Tie) {
				t.Errorf("%v at %v: %v", gap, at, state)
			}
		}
	}
}

// TestDistanceGradientAtManyTriangles: a corner that thousands of triangles share gives one
// derivative.
func TestDistanceGradientAtManyTriangles(t *testing.T) {
	ball, err := rigid.Sphere(0.5)
	if err != nil {
		t.Fatal(err)
	}
	for _, deviation := range []float64{1e-2, 1e-3, 1e-5} {
		cone, err := rigid.Cone(1, 2, deviation)
		if err != nil {
			t.Fatal(err)
		}
		g := slopesAt(t, cone, ball, geom.Pose{Rotation: still, Position: r3.Vec{X: 0.3, Y: 0.2, Z: 3}})
		holdPoint(t, "beyond the tip of a cone", &g, r3.Vec{Z: 1}, r3.Vec{X: 0.3, Y: 0.2, Z: 2})
		cylinder, err := rigid.Cylinder(1, 2, deviation)
		if err != nil {
			t.Fatal(err)
		}
		for _, z := range []float64{2, 1.5 + 1e-6} {
			g = slopesAt(t, cylinder, ball, geom.Pose{Rotation: still, Position: r3.Vec{Z: z}})
			holdPoint(t, "over the middle of a cap", &g, r3.Vec{Z: 1}, r3.Vec{Z: 1})
		}
	}
}

// gridBox cuts the faces of a box into cells with random diagonals. The corners of cells of thirds
// are rounded, so edges of cells are parallel but for rounding.
func gridBox(r *rand.Rand, half r3.Vec, cells int) (out [][3]r3.Vec) {
	at := func(axis int, side float64, u, v int) r3.Vec {
		p := [3]float64{}
		h := [3]float64{half.X, half.Y, half.Z}
		p[axis] = side * h[axis]
		for i, x := range [2]int{u, v} {
			k := (axis + 1 + i) % 3
			p[k] = h[k]*2*float64(x)/float64(cells) - h[k]
		}
		return r3.Vec{X: p[0], Y: p[1], Z: p[2]}
	}
	for axis := range 3 {
		for _, side := range []float64{-1, 1} {
			for i := range cells {
				for j := range cells {
					a, b := at(axis, side, i, j), at(axis, side, i+1, j)
					c, d := at(axis, side, i+1, j+1), at(axis, side, i, j+1)
					if side < 0 {
						b, d = d, b
					}
					if r.IntN(2) == 0 {
						a, b, c, d = b, c, d, a
					}
					out = append(out, [3]r3.Vec{a, b, c}, [3]r3.Vec{a, c, d})
				}
			}
		}
	}
	return out
}

// TestDistanceGradientOfCutParallelFaces: parallel faces are a tie in whatever cut, also where
// edges of cuts are parallel but for rounding, and balls do not say where those are nearest.
func TestDistanceGradientOfCutParallelFaces(t *testing.T) {
	q := quat.Number{Real: 1, Imag: 1}
	for i := range uint64(12) {
		r := rand.New(rand.NewPCG(93, i))
		a := &pair{}
		a.tri[0], a.tri[1] = gridBox(r, r3.Vec{X: 2, Y: 1, Z: 1}, 1), gridBox(r, r3.Vec{X: 2, Y: 2, Z: 2}, 3)
		for _, at := range []r3.Vec{{X: -5, Y: -3, Z: 1}, {X: -5}, {X: 5, Y: 1, Z: -0.5}} {
			g := slopesAt(t, a.body(0), a.body(1), geom.Pose{Rotation: q, Position: at})
			if g.State != gradient.Tie || !math.IsNaN(g.PositionA.X) {
				t.Errorf("cut %d at %v: %v; a tie expected", i, at, g.State)
			}
		}
	}
}
