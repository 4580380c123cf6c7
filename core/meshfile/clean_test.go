package meshfile

import (
	"math/rand/v2"
	"slices"
	"testing"

	"ccd/core/geom"
	"ccd/core/mesh"
)

// leftOut returns the counts by kind.
func leftOut(b *Beside) map[string]int {
	out := make(map[string]int)
	for _, l := range b.LeftOut {
		out[l.What] = l.Count
	}
	return out
}

// Clean leaves out what New refuses, and no more: what it returns is a mesh, each face of the
// arrays is a face or covered by edges, and the counts add up.
func TestCleanLeavesOutWhatNewRefuses(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	seen := make(map[string]int)
	for range 500 {
		n := 4 + r.IntN(6)
		x, faces, edges := make([]float64, 3*n), make([]int32, 3*r.IntN(12)), make([]int32, 2*r.IntN(5))
		for _, list := range [][]int32{faces, edges} {
			for i := range list {
				list[i] = int32(r.IntN(n - 1))
			}
		}
		s, err := Clean(x, edges, faces)
		if err != nil {
			t.Fatal(err)
		}
		m, err := s.Mesh()
		if err != nil {
			t.Fatalf("%v %v: %v", faces, edges, err)
		}
		counts := leftOut(&s.Beside)
		if len(s.Faces)+counts[facesRepeating]+counts[facesTwice] != len(faces)/3 {
			t.Fatalf("%v: %v, %v", faces, s.Faces, counts)
		}
		have := make(map[[2]int32]bool)
		used := make([]bool, n)
		for _, e := range m.Edges {
			have[[2]int32{min(e[0], e[1]), max(e[0], e[1])}] = true
			used[e[0]], used[e[1]] = true, true
		}
		for i := 0; i < len(faces); i += 3 {
			for j := range 3 {
				a, b := faces[i+j], faces[i+(j+1)%3]
				if a != b && !have[[2]int32{min(a, b), max(a, b)}] {
					t.Fatalf("%v: the edge %d %d of a face is lost", faces, a, b)
				}
			}
		}
		for v := range int32(n) {
			if unused := !used[v] && len(m.Edges) > 0; unused != m.Ignores(v) ||
				unused != slices.Contains(s.Unused, v) {
				t.Fatalf("%v %v: vertex %d: unused %v, ignored %v", faces, edges, v, s.Unused, m.Ignores(v))
			}
		}
		for what, n := range counts {
			seen[what] += n
		}
	}
	for _, what := range []string{facesRepeating, facesTwice, edgesRepeating, verticesUnused} {
		if seen[what] < 50 {
			t.Errorf("%s: %d of them", what, seen[what])
		}
	}
}

// No pair has a vertex that is ignored: the pairs of a mesh are those of the mesh without it.
func TestNoPairHasAnIgnoredVertex(t *testing.T) {
	edges, faces := []int32{0, 1, 1, 2, 2, 0, 3, 4}, []int32{0, 1, 2}
	ignored := []bool{false, false, false, false, false, true, false, true}
	m, err := mesh.NewIgnoring(8, edges, faces, ignored)
	if err != nil {
		t.Fatal(err)
	}
	all, err := mesh.New(8, edges, faces)
	if err != nil {
		t.Fatal(err)
	}
	if m.Filter().Trivial() || !all.Filter().Trivial() {
		t.Error("the filter of a mesh that ignores vertices is trivial, or that of another is not")
	}
	pairs := 0
	for _, k := range []geom.Kind{geom.VertexFace, geom.EdgeEdge, geom.PointEdge, geom.PointPoint, geom.EdgeFace} {
		shapes := k.Info().Shapes
		for a := range int32(m.Count(shapes[0])) {
			for b := range int32(m.Count(shapes[1])) {
				// All other vertices are in edges.
				has := shapes[0] == geom.Vertex && ignored[a] || shapes[1] == geom.Vertex && ignored[b]
				if got, want := m.Filter().Allows(k, a, b), all.Filter().Allows(k, a, b) && !has; got != want {
					t.Errorf("%v %d %d: %v, want %v", k, a, b, got, want)
				}
				if has {
					pairs++
				}
			}
		}
	}
	if pairs < 10 {
		t.Errorf("%d pairs have an ignored vertex", pairs)
	}
	if rest := m.AtRest(make([]bool, 8)); !rest.Ignores(5) || rest.Filter().Allows(geom.VertexFace, 5, 0) {
		t.Error("a mesh at rest forgets them")
	}
	for _, marks := range [][]bool{{true, false, false, false, false, false, false, false}, {true}} {
		if _, err := mesh.NewIgnoring(8, edges, faces, marks); err == nil {
			t.Errorf("%v: accepted", marks)
		}
	}
}
