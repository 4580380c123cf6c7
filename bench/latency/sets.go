package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"ccd/core/geom"
	"ccd/core/meshfile"
)

// set is a list of queries of one kind.
type set struct {
	name  string
	kind  geom.Kind
	q     []float64
	truth []bool // nil when it is not known
}

// thin keeps at most n queries, evenly chosen.
func (s *set) thin(n int) {
	total := len(s.q) / 24
	if n <= 0 || total <= n {
		return
	}
	var q []float64
	var truth []bool
	for i := range n {
		j := i * total / n
		q = append(q, s.q[24*j:24*j+24]...)
		if s.truth != nil {
			truth = append(truth, s.truth[j])
		}
	}
	s.q, s.truth = q, truth
}

var families = []struct {
	kind          geom.Kind
	folder, short string
}{{geom.VertexFace, "vertex-face", "vf"}, {geom.EdgeEdge, "edge-edge", "ee"}}

// load reads the handcrafted queries as one set of each kind, and the queries of every scene.
func load(data string) ([]set, error) {
	var sets []set
	for _, f := range families {
		s := set{name: "handcrafted", kind: f.kind}
		files, err := filepath.Glob(filepath.Join(data, "queries", "*", f.folder, "*.csv"))
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			q, err := meshfile.ReadQueries(file)
			if err != nil {
				return nil, err
			}
			s.q, s.truth = append(s.q, q.Q...), append(s.truth, q.Truth...)
		}
		if len(s.q) > 0 {
			sets = append(sets, s)
		}
	}
	scenes, err := filepath.Glob(filepath.Join(data, "scenes", "*", "frames"))
	if err != nil {
		return nil, err
	}
	for _, frames := range scenes {
		more, err := loadScene(filepath.Dir(frames))
		if err != nil {
			return nil, err
		}
		sets = append(sets, more...)
	}
	if len(sets) == 0 {
		return nil, fmt.Errorf("no queries in %s", data)
	}
	return sets, nil
}

// loadScene makes queries of a scene's pairs of boxes, which number vertices, then edges, then
// faces.
func loadScene(scene string) ([]set, error) {
	frames, err := filepath.Glob(filepath.Join(scene, "frames", "*"))
	if err != nil || len(frames) != 2 {
		return nil, fmt.Errorf("%s: want two frames, there are %d (%v)", scene, len(frames), err)
	}
	slices.Sort(frames)
	s0, err := meshfile.Read(frames[0])
	if err != nil {
		return nil, err
	}
	s1, err := meshfile.Read(frames[1])
	if err != nil {
		return nil, err
	}
	m, err := s0.Mesh()
	if err != nil {
		return nil, err
	}
	var motion geom.Trajectories
	if err := m.Load(&motion, s0.Vertices, s1.Vertices); err != nil {
		return nil, err
	}
	var sets []set
	for _, f := range families {
		s := set{name: filepath.Base(scene), kind: f.kind}
		var boxes [][2]int32
		if err := readJSON(filepath.Join(scene, "boxes", "*"+f.short+".json"), &boxes); err != nil {
			return nil, err
		}
		if err := readJSON(filepath.Join(scene, "mma_bool", "*"+f.short+"_mma_bool.json"), &s.truth); err != nil {
			return nil, err
		}
		first := [2]int32{0, int32(m.NV + len(m.Edges))}
		if f.kind == geom.EdgeEdge {
			first = [2]int32{int32(m.NV), int32(m.NV)}
		}
		for _, p := range boxes {
			v := m.Indices(f.kind, p[0]-first[0], p[1]-first[1])
			var q [24]float64
			motion.Query(f.kind, &v, &q)
			s.q = append(s.q, q[:]...)
		}
		if len(s.truth) != len(boxes) {
			return nil, fmt.Errorf("%s: %d pairs, %d truths", scene, len(boxes), len(s.truth))
		}
		sets = append(sets, s)
	}
	return sets, nil
}

// readJSON reads the one file that the pattern matches.
func readJSON(pattern string, into any) error {
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) != 1 {
		return fmt.Errorf("%s: want one file, there are %d (%v)", pattern, len(files), err)
	}
	data, err := os.ReadFile(files[0])
	if err != nil {
		return err
	}
	return json.Unmarshal(data, into)
}
