package meshfile

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// lagrangeWeights returns the weights of n+1 equal places of [0, 1] at u, for n = 2: the parabola
// that is 1 at one of them and 0 at the others.
func lagrangeWeights(u float64) [3]float64 {
	return [3]float64{(1 - u) * (1 - 2*u), 4 * u * (1 - u), u * (2*u - 1)}
}

// weights returns the shape functions of a face of n nodes at (u, v), for triangles barycentric
// coordinates of the second and third corner.
func weights(n int, u, v float64) []float64 {
	if n < 8 {
		l := [3]float64{1 - u - v, u, v}
		w := make([]float64, n)
		for i := range 3 {
			w[i], w[3+i] = l[i]*(2*l[i]-1), 4*l[i]*l[(i+1)%3]
		}
		if n == 7 {
			bubble := l[0] * l[1] * l[2]
			for i := range 3 {
				w[i] += 3 * bubble
				w[3+i] -= 12 * bubble
			}
			w[6] = 27 * bubble
		}
		return w
	}
	a, b := lagrangeWeights(u), lagrangeWeights(v)
	at := [9][2]int{{0, 0}, {2, 0}, {2, 2}, {0, 2}, {1, 0}, {2, 1}, {1, 2}, {0, 1}, {1, 1}}
	w := make([]float64, 9)
	for i, p := range at {
		w[i] = a[p[0]] * b[p[1]]
	}
	if n == 8 { // Serendipity: the middle is half the sides less a quarter of the corners.
		for i := range 4 {
			w[i] -= w[8] / 4
			w[4+i] += w[8] / 2
		}
		w = w[:8]
	}
	return w
}

// places are where the nodes of a face are in (u, v).
func places(n int) [][2]float64 {
	if n < 8 {
		return [][2]float64{{0, 0}, {1, 0}, {0, 1}, {0.5, 0}, {0.5, 0.5}, {0, 0.5}, {1. / 3, 1. / 3}}
	}
	return [][2]float64{{0, 0}, {1, 0}, {1, 1}, {0, 1}, {0.5, 0}, {1, 0.5}, {0.5, 1}, {0, 0.5}, {0.5, 0.5}}
}

// A face of order 2 is nowhere farther from its triangles than Deviation says, at places of a grid;
// and that is at most eight times what is seen there.
func TestCurvedFacesAreNearTheirTriangles(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 49))
	for trial := range 400 {
		n := 6 + trial%4
		s := &Surface{Vertices: make([]float64, 3*n)}
		for i := range s.Vertices {
			s.Vertices[i] = r.NormFloat64()
		}
		face := make([]int32, n)
		for i := range face {
			face[i] = int32(i)
		}
		(&flattened{to: s}).curvedFace(face)
		at, area, seen := places(n), 0.0, 0.0
		for _, f := range s.Faces {
			a, b, c := at[f[0]], at[f[1]], at[f[2]]
			own := (b[0]-a[0])*(c[1]-a[1]) - (b[1]-a[1])*(c[0]-a[0])
			if own <= 0 {
				t.Fatalf("a triangle of a face of %d nodes is turned over: %v", n, f)
			}
			area += own / 2
			const steps = 16
			for i := range steps + 1 {
				for j := range steps + 1 - i {
					l := [3]float64{float64(i) / steps, float64(j) / steps, float64(steps-i-j) / steps}
					u := l[0]*a[0] + l[1]*b[0] + l[2]*c[0]
					v := l[0]*a[1] + l[1]*b[1] + l[2]*c[1]
					var apart [3]float64
					for node, w := range weights(n, u, v) {
						for k := range 3 {
							apart[k] += w * s.Vertices[3*node+k]
						}
					}
					for corner, w := range l {
						for k := range 3 {
							apart[k] -= w * s.Vertices[3*int(f[corner])+k]
						}
					}
					seen = max(seen, math.Hypot(math.Hypot(apart[0], apart[1]), apart[2]))
				}
			}
		}
		if want := map[bool]float64{true: 0.5, false: 1}[n < 8]; math.Abs(area-want) > 1e-12 {
			t.Fatalf("the triangles of a face of %d nodes cover %v, not %v", n, area, want)
		}
		if seen > s.Deviation || s.Deviation > 8*seen {
			t.Errorf("a face of %d nodes: seen %v, at most %v", n, seen, s.Deviation)
		}
	}
}

// The sides of each solid of order 2 close: each edge between nodes has a triangle on both sides,
// in opposite directions; and each node of a side is on it.
func TestSidesOfCurvedCellsClose(t *testing.T) {
	for kind, shape := range curvedKinds {
		if len(shape.faces) == 1 {
			continue
		}
		c := &Cells{Vertices: make([]float64, 3*shape.nodes)}
		nodes := make([]int32, shape.nodes)
		for i := range nodes {
			nodes[i] = int32(i)
		}
		if err := c.addCurved(kind, nodes, false); err != nil {
			t.Fatal(err)
		}
		s, err := c.surface()
		if err != nil {
			t.Fatal(err)
		}
		edges := map[[2]int32]int{}
		used := map[int32]bool{}
		for _, f := range s.Faces {
			for i := range 3 {
				edges[[2]int32{f[i], f[(i+1)%3]}]++
				used[f[i]] = true
			}
		}
		for e, n := range edges {
			if n != 1 || edges[[2]int32{e[1], e[0]}] != 1 {
				t.Errorf("type %d: edge %v has %d triangles", kind, e, n)
			}
		}
		want := shape.nodes
		if kind == 29 {
			want-- // the node in the middle of the solid
		}
		if len(used) != want {
			t.Errorf("type %d: %d nodes are on sides, of %d", kind, len(used), want)
		}
	}
}

// Two solids of order 2 with a side in common have the others as their boundary, also where one is
// a polyhedron, and one of order 1.
func TestBoundaryOfSolids(t *testing.T) {
	x := "0 0 0 1 0 0 1 1 0 0 1 0 0 0 1 1 0 1 1 1 1 0 1 1 2 0 0 2 1 0 2 0 1 2 1 1 3 0 0"
	legacy := func(cells string, types string, n, size int) string {
		return gridHead + "POINTS 13 double\n" + x + "\nCELLS " + fmt.Sprint(n, " ", size) + "\n" + cells +
			"\nCELL_TYPES " + fmt.Sprint(n) + "\n" + types + "\n"
	}
	hexahedron := "8 0 1 2 3 4 5 6 7\n"
	second := "31 6 4 1 2 6 5 4 8 9 11 10 4 1 8 9 2 4 5 6 11 10 4 1 5 10 8 4 2 9 11 6\n"
	tetrahedron := "4 8 10 11 12\n"
	file := legacy(hexahedron+second+tetrahedron, "12 42 10", 3, 9+32+5)
	s, err := Decode([]byte(file))
	if err != nil {
		t.Fatal(err)
	}
	// 5 sides of the cube, 5 of the polyhedron as 2 triangles each; 4 of the tetrahedron, none of
	// which is a side of the polyhedron.
	if len(s.Faces) != 24 || s.Deviation != 0 || !slices.Contains(s.Notes,
		"3 cells with an inside have no surface of their own: their boundary is read.") {
		t.Errorf("%d faces, %v", len(s.Faces), s.Notes)
	}
	if _, err := DecodeCells([]byte(file)); err == nil || !strings.Contains(err.Error(), "a polyhedron: no element") {
		t.Error(err)
	}
	for _, bad := range [][2]string{{"31 6 4", "31 7 4"}, {"31 6 4", "31 5 4"}, {"31 6 4 1", "31 6 4 13"},
		{"31 6 4", "31 6 2"}, {"9 11 6\n", "9 11 -6\n"}} {
		if _, err := Decode([]byte(strings.Replace(file, bad[0], bad[1], 1))); err == nil {
			t.Errorf("%q: no error", bad)
		}
	}
}

// What the files of polyhedra that memory is measured on have.
func TestFilesOfManyFacesAreRead(t *testing.T) {
	for name, file := range map[string][]byte{"vtu": vtuPolyhedra(1 << 16), "vtk": vtkPolyhedra(1 << 16)} {
		if s, err := Decode(file); err != nil || len(s.Faces) < 1<<16/20 {
			t.Errorf("%s: %v", name, err)
		}
	}
}
