package scene

import (
	"errors"
	"math"
	"strings"
	"testing"

	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/status"
	"ccd/core/step"
)

// pair returns a scene of two triangles: one in z = 0, and one that stands above it on the
// vertex 3.
func pair(t *testing.T, set func(m *mesh.Mesh) error) *world {
	t.Helper()
	w := &world{topology: topology{nv: 6, faces: []int32{0, 1, 2, 3, 4, 5}}}
	w.x = []float64{0, 0, 0, 4, 0, 0, 0, 4, 0, 1, 1, 1, 1.5, 1, 3, 1, 1.5, 3}
	var err error
	if w.m, err = mesh.New(6, nil, w.faces); err != nil {
		t.Fatal(err)
	}
	if err := set(w.m); err != nil {
		t.Fatal(err)
	}
	if w.s, err = New(w.m, w.x); err != nil {
		t.Fatal(err)
	}
	w.parts = []*partOf{{topology: w.topology, info: w.s.Parts()[0]}}
	w.merge()
	for i := range int32(6) {
		w.up[geom.Edge], w.down[geom.Edge][i] = append(w.up[geom.Edge], i), i // derived ones
	}
	if err := w.s.Check(nil); err != nil {
		t.Fatal(err)
	}
	return w
}

var tip, below, above = []int32{3}, []float64{1, 1, -0.5}, []float64{1, 1, 0.5}

func nothing(*mesh.Mesh) error { return nil }

// TestProvenCommitsWhereAPairIsExcluded: law 10 does not hold where a pair of an allowed edge and
// face is skipped, so nothing is proven of crossings.
func TestProvenCommitsWhereAPairIsExcluded(t *testing.T) {
	filters := map[string]func(m *mesh.Mesh) error{
		"a list": func(m *mesh.Mesh) error { return m.SetExcluded(geom.VertexFace, [][2]int64{{3, 0}}) },
		"groups": func(m *mesh.Mesh) error { return m.SetGroups([]int32{0, 0, 0, 0, -1, -1}) },
	}
	for name, set := range filters {
		w := pair(t, set)
		im, err := w.s.Step(tip, below).Earliest(nil)
		if err != nil || im.Verdict != geom.Separate {
			t.Fatalf("%s: %+v, %v", name, im, err)
		}
		if err := w.s.CommitProven(); err != nil {
			t.Fatal(err)
		}
		copy(w.x[9:], below)
		w.checkState(t)
		if known, _ := w.s.State(); known != 5 {
			t.Errorf("%s: %d vertices are known", name, known)
		}
		if err := w.s.Check(nil); err != nil {
			t.Fatal(err)
		}
		w.checkState(t)
		if known, crossings := w.s.State(); known != 6 || crossings != 2 {
			t.Errorf("%s: %d vertices are known, %d crossings", name, known, crossings)
		}
	}
}

// TestCommitElsewhereIsNotProven: a proof is of the doubles that were tested.
func TestCommitElsewhereIsNotProven(t *testing.T) {
	for _, to := range [][]float64{below, {1, 1, math.Nextafter(0.5, 0)}} {
		w := pair(t, nothing)
		if im, err := w.s.Step(tip, above).Earliest(nil); err != nil || im.Verdict != geom.Separate {
			t.Fatal(im, err)
		}
		if err := w.s.Commit(tip, to); err != nil {
			t.Fatal(err)
		}
		if known, _ := w.s.State(); known != 5 {
			t.Errorf("%v: %d vertices are known", to, known)
		}
	}
	w := pair(t, nothing)
	if im, err := w.s.Step(tip, above).Earliest(nil); err != nil || im.Verdict != geom.Separate {
		t.Fatal(im, err)
	}
	if err := w.s.Commit([]int32{4}, above); err != nil { // these doubles, of another vertex
		t.Fatal(err)
	}
	if known, _ := w.s.State(); known != 5 {
		t.Errorf("%d vertices are known", known)
	}
}

// TestPartsOfAStepProveNothing: a call up to some t < 1, one that finds an impact, or one that
// fails leaves no proven motion.
func TestPartsOfAStepProveNothing(t *testing.T) {
	w := pair(t, nothing)
	part := step.DefaultOptions()
	part.TMax = 0.25
	calls := map[string]func(o *step.Options) error{
		"earliest":   func(o *step.Options) error { _, err := w.s.Step(tip, below).Earliest(o); return err },
		"collisions": func(o *step.Options) error { _, err := w.s.Step(tip, below).Collisions(o); return err },
		"size":       func(o *step.Options) error { _, err := w.s.Step(tip, below).Size(o); return err },
	}
	for name, call := range calls {
		for _, o := range []*step.Options{&part, nil} {
			if _, err := w.s.Step(tip, above).Size(nil); err != nil { // The size of this step is proven.
				t.Fatal(err)
			}
			if err := call(o); err != nil {
				t.Fatal(err)
			}
			if err := w.s.CommitProven(); !errors.Is(err, status.ErrArgument) ||
				!strings.Contains(err.Error(), "no proven motion") {
				t.Errorf("%s: a commit after it: %v", name, err)
			}
		}
	}
	if _, err := w.s.Step(tip, above).Size(nil); err != nil {
		t.Fatal(err)
	}
	if _, err := w.s.Step([]int32{7}, above).Earliest(nil); !errors.Is(err, status.ErrIndex) {
		t.Fatal(err)
	}
	if err := w.s.CommitProven(); err == nil {
		t.Error("a motion is proven after a call that failed")
	}
}
