package patch

import (
	"ccd/core/status"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const (
	bpt    = "2 # patches\n1 1\n0 0 0\n0 1 0\n1,0,0\n1 1 0\n2 1\n0 0 0\n0 1 0\n1 0 0\n1 1 0\n2 0 1\n2 1 1\n"
	newell = "1\n1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16\n16\n"
	bezier = "v 0 0 0\nv 1 0 0\nv 2 0 0 2\nv 0 1 0\nv 1 1 0\nv 2 1 1\ncstype rat bezier\ndeg 2 1\nsurf 0 1 0 1 1 " +
		"2 3/1/1 \\\n -3 5 6\nparm u 0 1\nparm v 0 1\nend\nf 1 2 4\n"
	bspline = "cstype bspline\ndeg 2\ncurv 0 2 1 2 3 4\nparm u 0 0 0 1 2 2 2\nend\nv 0 0 0\nv 1 1 0\nv 2 1 0\nv 3 0 0\n"
	plain   = `{"points": [[0,0,0],[0,1,0],[1,0,0],[1,1,0]], "comment": "a plane",
 "patches": [{"degree": [1,1], "index": [0,1,2,3]}, {"shape": "triangle", "degree": [1], "index": [0,1,2], "weights": [1,2,1]},
 {"degree": [1,1], "knots": [[0,0,1,1],[0,0,1,1]], "index": [0,1,2,3]}]}`
)

func fifteen() string {
	s := newell
	for i := range 16 {
		s += fmt.Sprintf("%d,%d,0\n", i/4, i%4)
	}
	return s
}

func TestReaders(t *testing.T) {
	for _, c := range []struct {
		name, text     string
		points, count  int
		forms          []Form
		weights        bool
		at             [3]float64 // the middle of the first patch
		first, atTimes int
	}{
		{"bpt", bpt, 10, 2, []Form{{Quad, 1, 1}, {Quad, 2, 1}}, false, [3]float64{0.5, 0.5, 0}, 0, 0},
		{"newell", fifteen(), 16, 1, []Form{{Quad, 3, 3}}, false, [3]float64{1.5, 1.5, 0}, 0, 0},
		{"obj bezier", bezier, 6, 2, []Form{{Quad, 2, 1}, {Triangle, 1, 1}}, true, [3]float64{}, 1, 0},
		{"obj bspline", bspline, 5, 2, []Form{{Curve, 2, 0}, {Curve, 2, 0}}, false, [3]float64{0.875, 0.75, 0}, 0, 0},
		{"json", plain, 4, 3, []Form{{Quad, 1, 1}, {Triangle, 1, 1}, {Quad, 1, 1}}, true,
			[3]float64{0.5, 0.5, 0}, 0, 0},
	} {
		m, err := Decode([]byte(c.text))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		b, err := m.Body()
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if len(m.Points) != 3*c.points || b.Patches() != c.count || (m.Weights != nil) != c.weights || m.Err != 0 {
			t.Errorf("%s: %d points, %d patches, weights %v, error %v",
				c.name, len(m.Points)/3, b.Patches(), m.Weights, m.Err)
		}
		for i, f := range c.forms {
			if m.Forms[i] != f {
				t.Errorf("%s: patch %d is %v", c.name, i, m.Forms[i])
			}
		}
		if c.first > 0 {
			continue
		}
		f := BodyStep{Body: b, X0: m.Points, X1: m.Points}
		var p Patch
		f.gather(0, &p)
		if got := p.At(0.5, 0.5, 0); distance(got, c.at) > 1e-15 {
			t.Errorf("%s: the middle is %v", c.name, got)
		}
	}
}

// A rational surface of OBJ has its points u fastest and its weights at the right places.
func TestReadOBJOrder(t *testing.T) {
	m, err := Decode([]byte(bezier))
	if err != nil {
		t.Fatal(err)
	}
	p, err := New(m.Forms[0], nil, nil, m.Weights[:6])
	if p != nil || err == nil {
		t.Error("a patch without points")
	}
	f := BodyStep{Body: mustBody(t, m), X0: m.Points, X1: m.Points}
	var q Patch
	f.gather(0, &q)
	if at := q.At(1, 0, 0); at != [3]float64{2, 0, 0} {
		t.Errorf("u = 1, v = 0 is %v", at)
	}
	if at := q.At(0, 1, 0); at != [3]float64{0, 1, 0} {
		t.Errorf("u = 0, v = 1 is %v", at)
	}
	// Along v = 0, u = 1/2: (0 + 2*1 + 2*2) / (1 + 2 + 2).
	if at := q.At(0.5, 0, 0); math.Abs(at[0]-6.0/5) > 1e-15 {
		t.Errorf("u = 1/2, v = 0 is %v", at)
	}
}

func mustBody(t *testing.T, m *Model) *Body {
	t.Helper()
	b, err := m.Body()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Errors are of one kind and name the line.
func TestReaderErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                              "line 1: the file is empty",
		"1\n3\n":                        "line 1: neither a list of Bezier patches, OBJ, JSON, nor",
		"1\n3 10\n":                     "line 2: v degree 10",
		"2\n1 1\n0 0 0\n0 0 0\n0 0 0\n": "line 5: the file ends here, with 3 of the 4 points of patch 0",
		"1\n1 1\n0 0\n":                 "line 3: 2 numbers",
		"1\n1 1\n0 0 nan\n":             "line 3: \"nan\" is not a number",
		newell:                          "line 3: the file ends here, with 0 of 16 vertices",
		strings.Replace(fifteen(), "15,16\n", "15,17\n",
			1): "line 2: patch 0: control point 16 of 16",
		fifteen() + "1 2 3\n":        "line 20: more than the 16 vertices",
		"v 0 0 0\ncstype cardinal\n": "line 2: cstype",
		"v 0 0 0\ntrim 0 1 1\n":      "line 2: \"trim\" is not read",
		"v 0 0 0\nsurf 0 1 0 1 1\n":  "line 2: no cstype",
		"cstype bezier\ndeg 1\ncurv 0 1 1 2\nend\nv 0 0 0\n": "line 3: vertex index 2 is out " +
			"of range",
		"cstype bezier\ndeg 1\ncurv 0 1 1 2\n": "line 3: the file ends here, " +
			"before the end of the element of line 3",
		"v 0 0 0\ncstype bezier\ndeg 1\ncurv 0 .5 1 1\nparm u 0 1\nend\n":         "line 4: the range of u is [0, 0.5]",
		"v 0 0 0\ncstype bspline\ndeg 2\ncurv 0 1 1 1 1\nparm u 0 0 0 1 1\nend\n": "line 4: parm u gives 5 knots",
		"v 0 0 0 -1\ncstype rat bezier\ndeg 1\ncurv 0 1 1 1\nparm u 0 1\nend\n":   "line 4: weights[0] is -1",
		"f 1 2\n":               "line 1: a face of 2 vertices",
		"end\n":                 "line 1: end without",
		"{\n\"points\": 3}":     "points: not a list",
		"{\n\"point\": []}":     "line 2: a key that means nothing here",
		"{\"points\": [[1,2]]}": "points[0] has 2 numbers",
		`{"points":[[0,0,0]],"patches":[{"degree":[1,1],"index":[0,0,0,1]}]}`: "patches[0]: " +
			"control point 1 of 1",
		`{"points":[[0,0,0]],"patches":[{"degree":[1],"index":[0,0,0,1]}]}`: "patches[0]: " +
			"degree has 1 numbers",
		`{"points":[[0,0,0]],"patches":[{"shape":"curve","degree":[-1],"index":[0,0]}]}`: "patches[0]: u degree -1",
		`{"points":[[0,0,0]],"patches":[{"shape":"curve","degree":[-1],` +
			`"knots":[[0,0,1,1]],"index":[0,0]}]}`: "patches[0]: u degree -1",
		"v 0 0 0\n": "without a patch",
	} {
		m, err := Decode([]byte(text))
		if m != nil || !errors.Is(err, status.ErrFile) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, not %q", text, err, want)
		}
	}
	if _, err := Read(t.TempDir()); !errors.Is(err, status.ErrFile) {
		t.Errorf("a folder: %v", err)
	}
	path := filepath.Join(t.TempDir(), "pot.bpt")
	if err := os.WriteFile(path, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(path); err == nil || !strings.Contains(err.Error(), "pot.bpt: line 1") {
		t.Errorf("%v", err)
	}
}

// Whatever a file holds, reading it does not panic, and what is read is a body.
func FuzzRead(f *testing.F) {
	for _, s := range []string{bpt, fifteen(), bezier, bspline, plain} {
		f.Add([]byte(s))
	}
	for _, data := range greedy(1 << 11) {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		checkMemory(t, "", data)
		m, err := Decode(data)
		if err != nil {
			if m != nil || !errors.Is(err, status.ErrFile) {
				t.Fatalf("%v, %v", m, err)
			}
			return
		}
		b, err := m.Body()
		if err != nil {
			t.Fatal(err)
		}
		fr := BodyStep{Body: b, X0: m.Points, X1: m.Points}
		if err := fr.begin(); err != nil {
			t.Fatal(err)
		}
		if len(m.Index) > 100*len(data) {
			t.Fatalf("%d indices of %d bytes", len(m.Index), len(data))
		}
	})
}
