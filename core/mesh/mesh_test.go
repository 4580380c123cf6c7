package mesh

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ccd/core/geom"
	"ccd/core/status"
)

// randomMesh has some faces, some codimensional edges, some vertices in neither.
func randomMesh(t testing.TB, r *rand.Rand, vertices, faces, rods int) *Mesh {
	t.Helper()
	var f []int32
	seen := map[[3]int32]bool{}
	for range faces {
		p := r.Perm(vertices)
		key := [3]int32{int32(p[0]), int32(p[1]), int32(p[2])}
		slices.Sort(key[:])
		if !seen[key] {
			seen[key] = true
			f = append(f, int32(p[0]), int32(p[1]), int32(p[2]))
		}
	}
	m, err := New(vertices, nil, f)
	if err != nil {
		t.Fatal(err)
	}
	have := map[[2]int32]bool{}
	e := []int32{}
	for _, x := range m.Edges {
		have[x] = true
		e = append(e, x[1], x[0])
	}
	for range rods {
		p := r.Perm(vertices)
		x := [2]int32{int32(min(p[0], p[1])), int32(max(p[0], p[1]))}
		if !have[x] {
			have[x] = true
			e = append(e, x[0], x[1])
		}
	}
	if m, err = New(vertices, e, f); err != nil {
		t.Fatal(err)
	}
	return m
}

func TestDerivedEdgesAreUniqueAndSorted(t *testing.T) {
	m, err := New(4, nil, []int32{2, 1, 3, 0, 1, 2, 3, 0, 2})
	if err != nil {
		t.Fatal(err)
	}
	want := [][2]int32{{0, 1}, {0, 2}, {1, 2}, {0, 3}, {1, 3}, {2, 3}}
	if !slices.Equal(m.Edges, want) {
		t.Errorf("edges %v, want %v", m.Edges, want)
	}
	if want := [][3]int32{{2, 4, 5}, {0, 2, 1}, {3, 1, 5}}; !slices.Equal(m.FaceEdges, want) {
		t.Errorf("face edges %v, want %v", m.FaceEdges, want)
	}
	if len(m.CodimVertices)+len(m.CodimEdges)+len(m.EdgePoints) > 0 {
		t.Errorf("a closed part has codimensional parts: %v %v %v", m.CodimVertices, m.CodimEdges, m.EdgePoints)
	}
}

func TestFaceEdgesAreTheFaces(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		m := randomMesh(t, r, 3+r.IntN(20), r.IntN(30), r.IntN(20))
		uses := make([]int, len(m.Edges))
		for f := range m.Faces {
			for j, e := range m.FaceEdges[f] {
				uses[e]++
				a, b := m.Faces[f][j], m.Faces[f][(j+1)%3]
				if x := m.Edges[e]; x != [2]int32{a, b} && x != [2]int32{b, a} {
					t.Fatalf("face %v has edge %v at %d", m.Faces[f], x, j)
				}
			}
		}
		for e := range m.Edges {
			if slices.Contains(m.CodimEdges, int32(e)) != (uses[e] == 0) {
				t.Fatalf("edge %d is in %d faces, codimensional: %v", e, uses[e], m.CodimEdges)
			}
		}
		for v := range int32(m.NV) {
			used := slices.ContainsFunc(m.Edges, func(e [2]int32) bool { return e[0] == v || e[1] == v })
			if slices.Contains(m.CodimVertices, v) == used {
				t.Fatalf("vertex %d: in an edge is %v, codimensional: %v", v, used, m.CodimVertices)
			}
		}
	}
}

// Every vertex is tested against every codimensional edge that does not hold it: by point-edge, or
// by edge-edge with an edge at the vertex; never by both.
func TestPointEdgeCompletesEdgeEdge(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	byPoint, byEdge := 0, 0
	for range 400 {
		m := randomMesh(t, r, 3+r.IntN(9), r.IntN(3), r.IntN(12))
		f := m.Filter()
		for v := range int32(m.NV) {
			for _, e := range m.CodimEdges {
				if x := m.Edges[e]; x[0] == v || x[1] == v {
					if f.Allows(geom.PointEdge, v, e) {
						t.Fatalf("point %d is tested against its own edge %v", v, x)
					}
					continue
				}
				covered := false
				for g, x := range m.Edges {
					if (x[0] == v || x[1] == v) && f.Allows(geom.EdgeEdge, int32(g), e) {
						covered = true
					}
				}
				if f.Allows(geom.PointEdge, v, e) == covered {
					t.Fatalf("vertex %d, edge %v of %v: edge-edge has it is %v, and so has point-edge",
						v, m.Edges[e], m.Edges, covered)
				}
				if covered {
					byEdge++
				} else {
					byPoint++
				}
			}
		}
	}
	if byPoint < 100 || byEdge < 100 {
		t.Fatalf("too few cases: %d by point-edge, %d by edge-edge", byPoint, byEdge)
	}
}

func TestNewNamesWhatIsWrong(t *testing.T) {
	for _, c := range []struct {
		name         string
		vertices     int
		edges, faces []int32
		kind         error
		text         string
	}{
		{"negative count", -1, nil, nil, status.ErrArgument, "vertices is -1"},
		{"too many vertices", 1 << 31, nil, nil, status.ErrArgument, "vertices is 2147483648"},
		{"ragged faces", 3, nil, []int32{0, 1}, status.ErrArgument, "faces has 2 indices"},
		{"ragged edges", 3, []int32{0}, nil, status.ErrArgument, "edges has 1 indices"},
		{"face out of range", 3, nil, []int32{0, 1, 2, 0, 3, 1}, status.ErrIndex, "faces[1][1] is 3"},
		{"face negative", 3, nil, []int32{0, 1, -2}, status.ErrIndex, "faces[0][2] is -2"},
		{"degenerate face", 3, nil, []int32{0, 1, 2, 1, 0, 1}, status.ErrIndex,
			"faces[1] is degenerate: it repeats vertex 1"},
		{"face twice", 4, nil, []int32{1, 2, 3, 0, 1, 2, 3, 1, 2}, status.ErrIndex,
			"faces[2] is the same face as faces[0]"},
		{"face of no vertices", 0, nil, []int32{0, 0, 0}, status.ErrIndex, "out of range for 0 vertices"},
		{"edge out of range", 3, []int32{0, 1, 1, 3}, nil, status.ErrIndex, "edges[1][1] is 3"},
		{"degenerate edge", 3, []int32{0, 1, 2, 2}, nil, status.ErrIndex,
			"edges[1] is degenerate: it repeats vertex 2"},
		{"edge twice", 3, []int32{0, 1, 1, 2, 1, 0}, nil, status.ErrIndex, "edges[2] is the same edge as edges[0]"},
		{"face edge missing", 4, []int32{0, 1, 1, 2, 2, 3}, []int32{0, 1, 2}, status.ErrIndex,
			"edges lacks the edge (0, 2) of faces[0]"},
		{"empty edges, a face", 3, []int32{}, []int32{0, 1, 2}, status.ErrIndex,
			"edges lacks the edge (0, 1) of faces[0]"},
	} {
		m, err := New(c.vertices, c.edges, c.faces)
		if m != nil || !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.text) {
			t.Errorf("%s: got %v, %v; want %q of the kind %v", c.name, m, err, c.text, c.kind)
		}
	}
}

func TestEmptyMeshes(t *testing.T) {
	for _, vertices := range []int{0, 5} {
		m, err := New(vertices, nil, nil)
		if err != nil || len(m.CodimVertices) != vertices || len(m.EdgePoints) != vertices {
			t.Errorf("%d vertices alone: %+v, %v", vertices, m, err)
		}
		if err := errors.Join(m.SetGroups(make([]int32, vertices)), m.SetStatic(make([]bool, vertices)),
			m.SetComponentGroups()); err != nil {
			t.Error(err)
		}
	}
}

func TestSheetMayHaveTwoSides(t *testing.T) {
	m, err := New(3, nil, []int32{0, 1, 2, 0, 2, 1})
	if err != nil || len(m.Edges) != 3 {
		t.Errorf("two sides: %+v, %v", m, err)
	}
}

func TestLoadNamesTheFrame(t *testing.T) {
	m, _ := New(2, nil, nil)
	var motion geom.Trajectories
	good := make([]float64, 6)
	if err := m.Load(&motion, good, good); err != nil || motion.N != 2 {
		t.Errorf("a good pair of frames: %v", err)
	}
	for _, c := range []struct {
		x0, x1 []float64
		text   string
	}{
		{good[:3], good, "x0 has 3 coordinates; the mesh has 2 vertices, so 6"},
		{good, good[:5], "x1 has 5 coordinates"},
	} {
		if err := m.Load(&motion, c.x0, c.x1); !errors.Is(err, status.ErrArgument) ||
			!strings.Contains(err.Error(), c.text) {
			t.Errorf("got %v, want %q", err, c.text)
		}
	}
}

func TestIndicesWidenAsQueriesDo(t *testing.T) {
	m, err := New(5, []int32{0, 1, 1, 2, 2, 0, 3, 4}, []int32{0, 1, 2})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		kind geom.Kind
		a, b int32
		want [4]int32
	}{
		{geom.VertexFace, 3, 0, [4]int32{3, 0, 1, 2}},
		{geom.EdgeEdge, 3, 1, [4]int32{3, 4, 1, 2}},
		{geom.PointEdge, 2, 3, [4]int32{2, 3, 4, 3}},
		{geom.PointPoint, 1, 4, [4]int32{1, 4, 4, 4}},
	} {
		if got := m.Gather(c.kind, [][2]int32{{0, 0}, {c.a, c.b}}, nil); len(got) != 2 || got[1] != c.want {
			t.Errorf("%v (%d, %d): gathered %v, want %v", c.kind, c.a, c.b, got, c.want)
		}
		if got := m.Indices(c.kind, c.a, c.b); got != c.want {
			t.Errorf("%v: %v, want %v", c.kind, got, c.want)
		}
		var q, wide [24]float64
		narrow := make([]float64, c.kind.Len())
		for i := range c.kind.Points() {
			for s := range 2 {
				narrow[3*(s*c.kind.Points()+i)] = float64(c.want[i])
			}
		}
		geom.Widen(c.kind, narrow, &wide)
		for i := range 4 {
			q[3*i], q[12+3*i] = float64(c.want[i]), float64(c.want[i])
		}
		if q != wide {
			t.Errorf("%v: Indices and Widen repeat different points", c.kind)
		}
	}
}
