package rigid

import (
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
)

// cube returns the cube of side 1 about the origin.
func cube(t *testing.T) *Body {
	t.Helper()
	var p []float64
	for i := range 8 {
		p = append(p, float64(i&1)-0.5, float64(i>>1&1)-0.5, float64(i>>2)-0.5)
	}
	b, err := NewBody(p, [][3]int32{
		{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
		{2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5},
	}, 1)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// ignored counts the pairs of triangles of two cubes, the second at a place and on its way along
// velocity, whose contact at the start the search ignores because they part, and those that would
// part for all that the pair itself says. It does so after change, of what the search knows.
func ignored(t *testing.T, at, velocity r3.Vec, change func(*Solver)) (ignored, parting int) {
	t.Helper()
	var s Solver
	a, b := cube(t), cube(t)
	ma := Motion{Rotation: quat.Number{Real: 1}}
	mb := Motion{Rotation: quat.Number{Real: 1}, Position: at, Velocity: velocity}
	o := DefaultOptions()
	o.Flags = IgnoreSeparating
	var im Impact
	if err := s.Earliest(a, b, &ma, &mb, &o, &im); err != nil {
		t.Fatal(err)
	}
	for ta := range a.tri {
		for tb := range b.tri {
			im = Impact{}
			s.over.begin()
			s.f.t = -1
			s.move(s.o.TMin)
			s.end = s.o.TMax
			s.leaf.set(&s.query, &a.tri[ta], &b.tri[tb])
			if !s.touching(s.o.TMin) || im.Flags&Intersecting != 0 {
				continue
			}
			h := s.remaining(s.o.TMin)
			if s.separatingAtStart(h, func() (turning, bool) { return s.leaf.direction(&s.query) }) > 0 {
				parting++
			}
			if change(&s); s.separating(s.o.TMin, h) > 0 {
				ignored++
			}
		}
	}
	return ignored, parting
}

// What parts is ignored where surfaces touch, and not where they pass through each other, as cubes
// do along their edges and faces, though all of the triangles at hand part: neither where an
// overlap is found, nor where triangles that intersect came before.
func TestWhatOverlapsIsNotIgnored(t *testing.T) {
	way := r3.Vec{X: 1, Y: 2, Z: 3}
	nothing := func(*Solver) {}
	if n, parting := ignored(t, r3.Vec{X: 1}, way, nothing); n < 10 || n != parting {
		t.Errorf("cubes that touch: %d contacts ignored of %d that part", n, parting)
	}
	for _, at := range []r3.Vec{{X: 0.5}, {X: 0.5, Y: 0.5}, {}} {
		if n, parting := ignored(t, at, way, nothing); n > 0 || parting < 10 {
			t.Errorf("cubes that overlap, at %v: %d contacts ignored of %d that part", at, n, parting)
		}
	}
	intersect := func(s *Solver) { s.out.Flags |= Intersecting }
	if n, parting := ignored(t, r3.Vec{X: 1}, way, intersect); n > 0 || parting < 10 {
		t.Errorf("cubes that touch after triangles that intersect: %d contacts ignored of %d that part", n, parting)
	}
}

// ignoredOverMesh is ignored of a cube at rest and a triangle of a mesh.
func ignoredOverMesh(t *testing.T, element [3]r3.Vec, way r3.Vec, change func(*meshSolver)) (
	ignored, parting int,
) {
	t.Helper()
	var w meshSolver
	body, m, o := cube(t), Motion{Rotation: quat.Number{Real: 1}}, DefaultOptions()
	o.Flags = IgnoreSeparating
	x0 := flatten(element[:])
	x1 := flatten(shifted(element[:], way))
	w.prepare(body, &m, &o)
	w.place(x0, x1, &[3]int32{0, 1, 2})
	var im Impact
	w.out = &im
	for face := range body.tri {
		im = Impact{}
		w.over.begin()
		w.move(w.o.TMin)
		w.end = w.o.TMax
		w.setFace(int32(face))
		if !w.touching(w.o.TMin) || im.Flags&Intersecting != 0 {
			continue
		}
		h := w.remaining(w.o.TMin)
		if w.separatingAtStart(h, w.direction) > 0 {
			parting++
		}
		if change(&w); w.separating(w.o.TMin, h) > 0 {
			ignored++
		}
	}
	return ignored, parting
}

// The same over a mesh: a triangle that touches the cube along an edge, and one that enters it
// there and passes through no triangle.
func TestWhatOverlapsAMeshIsNotIgnored(t *testing.T) {
	nothing := func(*meshSolver) {}
	touches := [3]r3.Vec{{X: 0.75, Y: 0.25, Z: -0.25}, {X: 0.25, Y: 0.75}, {X: 0.75, Y: 0.25, Z: 0.25}}
	enters := [3]r3.Vec{{X: 0.75, Y: 0.5625, Z: -0.25}, {X: 0.25, Y: 0.4375}, {X: 0.75, Y: 0.5625, Z: 0.25}}
	away, down := r3.Vec{X: 1, Y: 1}, r3.Vec{X: 0.25, Y: -1}
	if n, parting := ignoredOverMesh(t, touches, away, nothing); n < 2 || n != parting {
		t.Errorf("a triangle that touches: %d contacts ignored of %d that part", n, parting)
	}
	if n, parting := ignoredOverMesh(t, enters, down, nothing); n > 0 || parting < 1 {
		t.Errorf("a triangle that enters: %d contacts ignored of %d that part", n, parting)
	}
	intersect := func(w *meshSolver) { w.out.Flags |= Intersecting }
	if n, parting := ignoredOverMesh(t, touches, away, intersect); n > 0 || parting < 2 {
		t.Errorf("a triangle that touches after one that intersects: %d contacts ignored of %d that part", n, parting)
	}
}
