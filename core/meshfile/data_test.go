package meshfile

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"ccd/core/geom"
	"ccd/core/mesh"
)

// dataPath returns a path in the data folder; the test is skipped where there is none.
func dataPath(t *testing.T, parts ...string) string {
	t.Helper()
	root := os.Getenv("CCD_DATA")
	if root == "" {
		root = filepath.Join("..", "..", "..", "shared", "data")
	}
	path := filepath.Join(append([]string{root}, parts...)...)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("no data at %s: set CCD_DATA", path)
	}
	return path
}

func readScene(t *testing.T, path string) (*Surface, *mesh.Mesh) {
	t.Helper()
	s, err := Read(path)
	if err != nil {
		t.Fatal(err)
	}
	m, err := s.Mesh()
	if err != nil {
		t.Fatal(err)
	}
	return s, m
}

func TestScenesHaveTheirPublishedCounts(t *testing.T) {
	for _, c := range []struct {
		path                   string
		vertices, edges, faces int
	}{
		{"armadillo-rollers/frames/326.ply", 12135, 36363, 24242},
		{"armadillo-rollers/frames/327.ply", 12135, 36363, 24242},
		{"cloth-ball/frames/cloth_ball92.ply", 46598, 138825, 92230},
		{"cloth-ball/frames/cloth_ball93.ply", 46598, 138825, 92230},
		{"cloth-funnel/frames/227.ply", 9450, 27930, 18484},
		{"cloth-funnel/frames/228.ply", 9450, 27930, 18484},
	} {
		_, m := readScene(t, dataPath(t, "scenes", filepath.FromSlash(c.path)))
		if m.NV != c.vertices || len(m.Edges) != c.edges || len(m.Faces) != c.faces {
			t.Errorf("%s: %d vertices, %d edges, %d faces; want %v", c.path, m.NV, len(m.Edges), len(m.Faces), c)
		}
	}
}

// The queries of cloth-funnel are its boxes' primitives at both frames: to the bit, which confirms
// the order of the edges, the reader of PLY and the reader of queries at once.
func TestSceneQueriesAreThePrimitives(t *testing.T) {
	scene := dataPath(t, "scenes", "cloth-funnel")
	s0, m := readScene(t, filepath.Join(scene, "frames", "227.ply"))
	s1, _ := readScene(t, filepath.Join(scene, "frames", "228.ply"))
	var motion geom.Trajectories
	if err := m.Load(&motion, s0.Vertices, s1.Vertices); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		kind geom.Kind
		name string
	}{{geom.VertexFace, "227vf"}, {geom.EdgeEdge, "227ee"}} {
		want, err := ReadQueries(filepath.Join(scene, "queries", c.name+".csv"))
		if err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(filepath.Join(scene, "boxes", c.name+".json"))
		if err != nil {
			t.Fatal(err)
		}
		var boxes [][2]int32
		if err := json.Unmarshal(data, &boxes); err != nil {
			t.Fatal(err)
		}
		if want.Len() != len(boxes) || want.Truth != nil {
			t.Fatalf("%s: %d queries, %d pairs of boxes", c.name, want.Len(), len(boxes))
		}
		for i, p := range boxes {
			a, b := p[0], p[1]-int32(m.NV)
			if c.kind == geom.EdgeEdge {
				a -= int32(m.NV)
			} else {
				b -= int32(len(m.Edges))
			}
			if !m.Filter().Allows(c.kind, a, b) {
				t.Errorf("%s: pair %d (%d, %d) is not allowed", c.name, i, a, b)
			}
			indices := m.Indices(c.kind, a, b)
			var q [24]float64
			motion.Query(c.kind, &indices, &q)
			if q != [24]float64(want.Q[24*i:]) {
				t.Fatalf("%s: query %d of boxes %v is %v, want %v", c.name, i, p, q, want.Q[24*i:24*i+24])
			}
		}
	}
}

func TestHandcraftedQueriesAreRead(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(dataPath(t, "queries"), "*", "*", "*.csv"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no files: %v", err)
	}
	total := 0
	for _, f := range files {
		q, err := ReadQueries(f)
		if err != nil {
			t.Fatal(err)
		}
		if len(q.Truth) != q.Len() {
			t.Errorf("%s: %d queries, %d truths", f, q.Len(), len(q.Truth))
		}
		total += q.Len()
	}
	if total != 2824 {
		t.Errorf("%d queries, want 22592 lines / 8", total)
	}
}
