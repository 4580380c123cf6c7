package proximity

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"ccd/core/contain"
	"ccd/core/engine"
	"ccd/core/mesh"
	"ccd/core/status"
)

// twoBoxes is the mesh of a box around another one, with a loose vertex and a loose edge.
func twoBoxes(t *testing.T) (*mesh.Mesh, []float64) {
	t.Helper()
	var x []float64
	var faces, edges []int32
	for i, size := range []float64{3, 1} {
		for v := range 8 {
			x = append(x, size*float64(2*(v&1)-1), size*float64(v&2-1), size*float64(v>>1&2-1))
		}
		for _, f := range [][3]int32{
			{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
			{2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5},
		} {
			for k := range 3 {
				a, b := f[k]+int32(8*i), f[(k+1)%3]+int32(8*i)
				faces = append(faces, a)
				if a < b {
					edges = append(edges, a, b)
				}
			}
		}
	}
	x = append(x, 0, 0, 0, 9, 9, 9, 8, 9, 9)
	m, err := mesh.New(19, append(edges, 17, 18), faces)
	if err != nil {
		t.Fatal(err)
	}
	return m, x
}

// TestWindingOfMesh: the winding number counts both boxes, on any number of threads.
func TestWindingOfMesh(t *testing.T) {
	m, x := twoBoxes(t)
	points := []float64{0, 0, 0, 2, 0, 0, 1, 0.5, 0.25, 3, 3, 3, 4, 0, 0, 0.9, -0.9, 0.9}
	want := []int32{2, 1, contain.OnSurface, contain.OnSurface, 0, 2}
	for threads := 1; threads < 4; threads++ {
		out := make([]int32, 6)
		var stats engine.Stats
		o := Options{CallOptions: engine.CallOptions{Threads: threads, Stats: &stats}}
		if err := Winding(m, x, points, out, &o); err != nil || !slices.Equal(out, want) {
			t.Fatalf("%v %v, want %v", out, err, want)
		}
		if stats.Boxes != 24 || stats.SecondsTotal <= 0 {
			t.Fatalf("%+v", stats)
		}
	}
	empty, err := mesh.New(1, nil, nil)
	out := []int32{7}
	if err == nil {
		err = Winding(empty, []float64{0, 0, 0}, []float64{0, 0, 0}, out, nil)
	}
	if err != nil || out[0] != 0 {
		t.Fatal(out, err)
	}
}

// TestNestedOfMesh: the inner box is nested, unless it reaches the outer one.
func TestNestedOfMesh(t *testing.T) {
	m, x := twoBoxes(t)
	list, err := NestedComponents(m, x, nil)
	if err != nil || !slices.Equal(list, []Nested{{Inner: 12, Outer: 0, Winding: 1}}) {
		t.Fatal(list, err)
	}
	for v := 8; v < 16; v++ {
		x[3*v] += 2
	}
	if list, err := NestedComponents(m, x, nil); err != nil || len(list) != 0 {
		t.Fatal(list, err)
	}
}

// TestWindingErrors: errors name the argument, and calls can be canceled.
func TestWindingErrors(t *testing.T) {
	m, x := twoBoxes(t)
	open, err := mesh.New(3, nil, []int32{0, 1, 2})
	if err != nil {
		t.Fatal(err)
	}
	triangle, out := []float64{0, 0, 0, 1, 0, 0, 0, 1, 0}, make([]int32, 1)
	bad := slices.Clone(x)
	bad[4] = 1e151
	for _, c := range []struct {
		m         *mesh.Mesh
		x, points []float64
		kind      error
		text      string
	}{
		{open, triangle, x[:3], status.ErrArgument, "mesh: faces[0]: the edge from corner 0 to 1"},
		{m, bad, x[:3], status.ErrNonFinite, "x[1][1] is 1e+151"},
		{m, x[:3], x[:3], status.ErrArgument, "x has 3 coordinates"},
		{m, x, bad[3:6], status.ErrNonFinite, "points[0][1] is 1e+151"},
		{m, x, x[:6], status.ErrArgument, "points has 6 coordinates for 1 results"},
	} {
		err := Winding(c.m, c.x, c.points, out, nil)
		if !errors.Is(err, c.kind) || !strings.HasPrefix(err.Error(), c.text) {
			t.Errorf("%v, want %s", err, c.text)
		}
	}
	o := Options{CallOptions: engine.CallOptions{Progress: func(float64) bool { return true }}}
	if err := Winding(m, x, x[:3], out, &o); !errors.Is(err, status.ErrCancelled) {
		t.Error(err)
	}
	if _, err := NestedComponents(m, x, &o); !errors.Is(err, status.ErrCancelled) {
		t.Error(err)
	}
}
