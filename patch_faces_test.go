package ccd_test

import (
	"errors"
	"strings"
	"testing"

	"ccd"
)

// A point falls through the hole of a square, and hits it beside the hole.
func TestTrimmedPatches(t *testing.T) {
	square := [][2]float64{{0, 0}, {2, 0}, {2, 2}, {0, 2}}
	hole := [][2]float64{{0.5, 0.5}, {1.5, 0.5}, {1.5, 1.5}, {0.5, 1.5}}
	quad, err := ccd.NewPatchBody(4, []ccd.PatchForm{{Shape: ccd.Quad, U: 1, V: 1}}, []int32{0, 1, 2, 3}, nil)
	if err != nil {
		t.Fatal(err)
	}
	face := []ccd.PatchFace{{Loops: [][][2]float64{square, hole}, Tolerance: [2]float64{1e-9, 1e-9}}}
	window := []ccd.PatchWindow{{X: [2]float64{0, 2}, Y: [2]float64{0, 2}}}
	plate, err := quad.Trim(face, window)
	if err != nil || plate.Faces() != 1 || quad.Faces() != 0 {
		t.Fatal(plate.Faces(), err)
	}
	point, _ := ccd.NewPatchBody(1, []ccd.PatchForm{{Shape: ccd.Curve}}, []int32{0}, nil)
	x := []float64{0, 0, 0, 0, 1, 0, 1, 0, 0, 1, 1, 0}
	for _, c := range []struct {
		at      float64
		touches bool
	}{{0.5, false}, {0.26, false}, {0.24, true}} {
		fall := ccd.PatchStep{Body: point, X0: []float64{c.at, c.at, 1}, X1: []float64{c.at, c.at, -1}}
		im, err := ccd.PatchEarliest(fall, ccd.PatchStep{Body: plate, X0: x, X1: x}, nil)
		if err != nil || (im.Verdict == ccd.Contact) != c.touches {
			t.Errorf("at %v: %+v, %v", c.at, im, err)
		}
	}
	joined, err := plate.Join([]ccd.PatchJoint{{Places: [][4]float64{{0, 0, 0, 0}, {0, 2, 0, 2}}}})
	if err != nil || joined.Faces() != 1 {
		t.Fatal(err)
	}
	for name, call := range map[string]func() error{
		"windows[0] is [0 0 0 2]: its sides": func() error {
			_, err := quad.Trim(face, []ccd.PatchWindow{{Y: [2]float64{0, 2}}})
			return err
		},
		"faces[0]: loop 0 has 2 corners": func() error {
			_, err := quad.Trim([]ccd.PatchFace{{Loops: [][][2]float64{square[:2]}}}, window)
			return err
		},
		"the body has no faces: trim it first": func() error { _, err := quad.Join(nil); return err },
		"the body is nil or zero": func() error {
			_, err := (*ccd.PatchBody)(nil).Trim(nil, nil)
			return err
		},
	} {
		if err := call(); !errors.Is(err, ccd.ErrArgument) || !strings.Contains(err.Error(), name) {
			t.Errorf("got %v, want %q", err, name)
		}
	}
	if _, err := quad.Trim(nil, window); !errors.Is(err, ccd.ErrIndex) {
		t.Errorf("a face that is not there: %v", err)
	}
}
