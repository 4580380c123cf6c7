package ccdtest

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ccd/core/geom"
)

// Data is the folder of the data sets: CCD_DATA, or ../shared/data beside the checkout. The test is
// skipped when absent.
func Data(t testing.TB) string {
	t.Helper()
	root := os.Getenv("CCD_DATA")
	if root == "" {
		dir, err := os.Getwd()
		if err != nil {
			t.Fatal(err)
		}
		for {
			if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
				break
			}
			if filepath.Dir(dir) == dir {
				t.Fatal("no go.mod above the working folder")
			}
			dir = filepath.Dir(dir)
		}
		root = filepath.Join(dir, "..", "shared", "data")
	}
	if _, err := os.Stat(root); err != nil {
		t.Skipf("no data sets at %s: set CCD_DATA to run this test", root)
	}
	return root
}

// Recorded is a query of a data set with its truth: 1 contact, 0 none, -1 not given.
type Recorded struct {
	File  string
	Row   int // its first line in the file, from 1
	Kind  geom.Kind
	Q     [24]float64
	Truth int
}

// RecordedQueries reads every CSV file below data/queries: the handcrafted queries of the 2021
// dataset, with truth.
func RecordedQueries(t testing.TB) (list []Recorded) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(Data(t), "queries", "*", "*", "*.csv"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range files {
		k := geom.EdgeEdge
		if strings.Contains(path, "vertex-face") {
			k = geom.VertexFace
		}
		q, err := readQueries(path, k)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, q...)
	}
	if len(list) == 0 {
		t.Skip("no queries among the data sets")
	}
	return list
}

// readQueries reads one file: 8 rows a query, x, y, z as numerator and denominator, and perhaps the
// truth.
func readQueries(path string, k geom.Kind) (list []Recorded, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	rows := csv.NewReader(f)
	rows.ReuseRecord = true
	for line := 0; ; line++ {
		rec, err := rows.Read()
		if err == io.EOF {
			if line%8 != 0 {
				return nil, fmt.Errorf("%s ends within a query, after line %d", path, line)
			}
			return list, nil
		}
		if err != nil {
			return nil, err
		}
		if line%8 == 0 {
			list = append(list, Recorded{File: path, Row: line + 1, Kind: k, Truth: -1})
		}
		q := &list[len(list)-1]
		for a := range 3 {
			x, ok := new(big.Rat).SetString(rec[2*a] + "/" + rec[2*a+1])
			if !ok {
				return nil, fmt.Errorf("%s:%d: column %d is no quotient", path, line+1, 2*a+1)
			}
			var exact bool
			if q.Q[3*(line%8)+a], exact = x.Float64(); !exact {
				return nil, fmt.Errorf("%s:%d: column %d is no double", path, line+1, 2*a+1)
			}
		}
		if len(rec) == 7 {
			q.Truth = int(rec[6][0] - '0')
		}
	}
}

// Scene is a step of a data set: two frames, and for each kind the listed pairs of box ids with
// their truths. Box ids number vertices, then edges, then faces.
type Scene struct {
	Name   string
	Frames [2]string // PLY files
	Pairs  map[geom.Kind][][2]int32
	Truth  map[geom.Kind][]bool
}

// Scenes lists the scenes below data/scenes.
func Scenes(t testing.TB) (list []Scene) {
	t.Helper()
	dirs, err := filepath.Glob(filepath.Join(Data(t), "scenes", "*", "frames"))
	if err != nil {
		t.Fatal(err)
	}
	for _, frames := range dirs {
		dir := filepath.Dir(frames)
		s := Scene{Name: filepath.Base(dir), Pairs: map[geom.Kind][][2]int32{}, Truth: map[geom.Kind][]bool{}}
		files, _ := filepath.Glob(filepath.Join(frames, "*.ply"))
		if len(files) != 2 {
			t.Fatalf("%s holds %d frames, not 2", frames, len(files))
		}
		copy(s.Frames[:], files)
		for k, suffix := range map[geom.Kind]string{geom.VertexFace: "vf", geom.EdgeEdge: "ee"} {
			boxes, _ := filepath.Glob(filepath.Join(dir, "boxes", "*"+suffix+".json"))
			truth, _ := filepath.Glob(filepath.Join(dir, "mma_bool", "*"+suffix+"_mma_bool.json"))
			if len(boxes) != 1 || len(truth) != 1 {
				t.Fatalf("%s: %d lists of %s boxes and %d of truths, not 1", dir, len(boxes), suffix, len(truth))
			}
			var pairs [][2]int32
			var bools []bool
			decode(t, boxes[0], &pairs)
			decode(t, truth[0], &bools)
			if len(pairs) != len(bools) {
				t.Fatalf("%s: %d pairs, %d truths", dir, len(pairs), len(bools))
			}
			s.Pairs[k], s.Truth[k] = pairs, bools
		}
		list = append(list, s)
	}
	if len(list) == 0 {
		t.Skip("no scenes among the data sets")
	}
	return list
}

func decode(t testing.TB, path string, into any) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}
