package step

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"ccd/core/broad"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/meshfile"
)

// dataScene is a pair of frames of the 2023 dataset, with the counts of candidates for boxes of
// doubles.
type dataScene struct {
	name          string
	frame0        string
	frame1        string
	step          string
	facets, edges int
}

var dataScenes = []dataScene{
	{"cloth-funnel", "227.ply", "228.ply", "227", 7319, 33770},
	{"armadillo-rollers", "326.ply", "327.ply", "326", 2031902, 5068080},
	{"cloth-ball", "cloth_ball92.ply", "cloth_ball93.ply", "92", 1655541, 5197332},
}

// findData returns the folder of the scenes of the dataset, and whether it is there.
func findData() (string, bool) {
	dir := os.Getenv("CCD_DATA")
	if dir == "" {
		dir = "../../../shared/data"
	}
	dir = filepath.Join(dir, "scenes")
	_, err := os.Stat(dir)
	return dir, err == nil
}

func dataFolder(t testing.TB) string {
	dir, there := findData()
	if !there {
		t.Skipf("no scenes in %s: set CCD_DATA", filepath.Dir(dir))
	}
	return dir
}

// loadOrMake returns the scene of the dataset, or two sheets that go through each other where there
// is no dataset.
func (d *dataScene) loadOrMake(t testing.TB) scene {
	if _, there := findData(); !there {
		return sheets(t, 9, 0.4)
	}
	return d.load(t)
}

func (d *dataScene) load(t testing.TB) scene {
	t.Helper()
	dir := filepath.Join(dataFolder(t), d.name, "frames")
	a, err := meshfile.Read(filepath.Join(dir, d.frame0))
	if err != nil {
		t.Fatal(err)
	}
	b, err := meshfile.Read(filepath.Join(dir, d.frame1))
	if err != nil {
		t.Fatal(err)
	}
	m, err := a.Mesh()
	if err != nil {
		t.Fatal(err)
	}
	return scene{name: d.name, m: m, x0: a.Vertices, x1: b.Vertices}
}

func readJSON(t testing.TB, path string, into any) {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(raw, into)
	}
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

// listed are the pairs of one kind that the dataset lists, as indices of primitives, and whether
// they collide.
func (d *dataScene) listed(t testing.TB, m *mesh.Mesh, kind geom.Kind) (pairs [][2]int32, truth []bool) {
	t.Helper()
	dir, tag := filepath.Join(dataFolder(t), d.name),
		map[geom.Kind]string{geom.VertexFace: "vf", geom.EdgeEdge: "ee"}[kind]
	readJSON(t, filepath.Join(dir, "boxes", d.step+tag+".json"), &pairs)
	readJSON(t, filepath.Join(dir, "mma_bool", d.step+tag+"_mma_bool.json"), &truth)
	if len(pairs) != len(truth) || len(pairs) == 0 {
		t.Fatalf("%d pairs, %d truths", len(pairs), len(truth))
	}
	for i := range pairs { // ids count vertices, then edges, then faces
		p := &pairs[i]
		if kind == geom.VertexFace {
			p[1] -= int32(m.NV + len(m.Edges))
		} else {
			p[0], p[1] = p[0]-int32(m.NV), p[1]-int32(m.NV)
			if p[0] > p[1] {
				p[0], p[1] = p[1], p[0]
			}
		}
	}
	return pairs, truth
}

func TestScenesHaveTheirCandidates(t *testing.T) {
	for _, d := range dataScenes {
		if testing.Short() && d.name != "cloth-funnel" {
			continue
		}
		t.Run(d.name, func(t *testing.T) {
			s := d.load(t)
			c, err := broad.Sweep(s.m, s.motion(t), broad.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if vf, ee := len(c.Of(geom.VertexFace)), len(c.Of(geom.EdgeEdge)); vf != d.facets || ee != d.edges {
				t.Errorf("%d vertex-face and %d edge-edge candidates, want %d and %d", vf, ee, d.facets, d.edges)
			}
			for _, kind := range []geom.Kind{geom.VertexFace, geom.EdgeEdge} {
				all := c.Of(kind)
				pairs, _ := d.listed(t, s.m, kind)
				for _, p := range pairs {
					_, found := slices.BinarySearchFunc(all, p,
						func(x, y [2]int32) int { return slices.Compare(x[:], y[:]) })
					if !found {
						t.Fatalf("%v pair %v of the dataset is no candidate", kind, p)
					}
				}
			}
		})
	}
}

// Candidates of a step serve every shorter one, whether they are looked up, again and again
// over less time, or let go; and those that a filter left out when they were swept for stay out
// when it is gone.
func TestScenesReuseCandidates(t *testing.T) {
	for _, d := range dataScenes {
		if testing.Short() && d.name != "cloth-funnel" {
			continue
		}
		t.Run(d.name, func(t *testing.T) {
			s := d.loadOrMake(t)
			c, err := broad.Sweep(s.m, s.motion(t), broad.Options{})
			if err != nil {
				t.Fatal(err)
			}
			short := s
			short.x1 = slices.Clone(s.x1)
			for _, alpha := range []float64{1, 0.2} {
				for i := range short.x1 {
					short.x1[i] = s.x0[i] + alpha*(s.x1[i]-s.x0[i])
				}
				o := DefaultOptions()
				want, err := Collisions(s.m, s.x0, short.x1, &o)
				if err != nil {
					t.Fatal(err)
				}
				o.Candidates = c
				same(t, fmt.Sprint("alpha ", alpha), &short, &o, want)
			}
			half := make([]bool, s.m.NV)
			for v := range half {
				half[v] = v%2 == 0 || v > s.m.NV/2
			}
			if err := s.m.SetStatic(half); err != nil {
				t.Fatal(err)
			}
			if c, err = broad.Sweep(s.m, s.motion(t), broad.Options{}); err != nil {
				t.Fatal(err)
			}
			o := DefaultOptions()
			want, err := Collisions(s.m, s.x0, short.x1, &o)
			if err != nil {
				t.Fatal(err)
			}
			if err := s.m.SetStatic(nil); err != nil {
				t.Fatal(err)
			}
			o.Candidates = c
			same(t, "the filter gone", &short, &o, want)
		})
	}
}

// Every listed pair that collides is reported, and a pair's answer in the step is that of the pair
// alone.
func TestScenesMissNoContact(t *testing.T) {
	for _, d := range dataScenes {
		if testing.Short() && d.name != "cloth-funnel" {
			continue
		}
		t.Run(d.name, func(t *testing.T) {
			s := d.load(t)
			all, err := Collisions(s.m, s.x0, s.x1, nil)
			if err != nil {
				t.Fatal(err)
			}
			found := make(map[string]geom.Impact, len(all))
			key := func(k geom.Kind, a, b int64) string { return fmt.Sprint(k, a, b) }
			for _, im := range all {
				found[key(im.Kind, im.A, im.B)] = im
			}
			for _, kind := range []geom.Kind{geom.VertexFace, geom.EdgeEdge} {
				pairs, truth := d.listed(t, s.m, kind)
				wide := make([][2]int64, len(pairs))
				for i, p := range pairs {
					wide[i] = [2]int64{int64(p[0]), int64(p[1])}
				}
				alone, err := Pairs(s.m, s.x0, s.x1, kind, wide, nil)
				if err != nil {
					t.Fatal(err)
				}
				for i, p := range wide {
					im, yes := found[key(kind, p[0], p[1])]
					if truth[i] && !yes {
						t.Fatalf("%v pair %v collides and is not reported", kind, p)
					}
					if yes && im != alone[i] || !yes && alone[i].Verdict != geom.Separate {
						t.Fatalf("%v pair %v: %+v in the step, %+v alone", kind, p, im, alone[i])
					}
				}
			}
			first, err := Earliest(s.m, s.x0, s.x1, nil)
			if err != nil {
				t.Fatal(err)
			}
			if len(all) > 0 && first != all[0] {
				t.Errorf("earliest is %+v, first of all %+v", first, all[0])
			}
		})
	}
}
