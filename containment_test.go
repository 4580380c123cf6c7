package ccd_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"ccd"
)

// cubeArrays returns the vertices of a cube around the origin, and its faces, wound outwards.
func cubeArrays(half float64) (x []float64, faces []int32) {
	for v := range 8 {
		x = append(x, half*float64(2*(v&1)-1), half*float64(v&2-1), half*float64(v>>1&2-1))
	}
	return x, []int32{
		0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4, 2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5,
	}
}

func ExampleRigidContainment() {
	x, faces := cubeArrays(1)
	outer, _ := ccd.NewRigidBody(x, faces)
	x, _ = cubeArrays(0.25)
	inner, _ := ccd.NewRigidBody(x, faces)
	for _, z := range []float64{0, 0.75, 2} {
		moved := ccd.RigidMotion{Position: [3]float64{0, 0, z}}
		where, _ := ccd.RigidContainment(inner, moved, outer, ccd.RigidMotion{}, 0, nil)
		fmt.Println(where)
	}
	// Output:
	// inside
	// crossing
	// outside
}

// TestContainment: the calls of the package on a cube in a cube, and their errors.
func TestContainment(t *testing.T) {
	x, faces := cubeArrays(1)
	y, _ := cubeArrays(0.25)
	both := append(slices.Clone(faces), faces...)
	for i := range faces {
		both[len(faces)+i] += 8
	}
	m, err := ccd.NewMesh(16, nil, both)
	if err != nil {
		t.Fatal(err)
	}
	w, err := ccd.Winding(m, append(x, y...), []float64{0, 0, 0, 0.5, 0, 0, 1, 0, 0, 2, 0, 0}, nil)
	if err != nil || !slices.Equal(w, []int32{2, 1, ccd.OnSurface, 0}) {
		t.Fatal(w, err)
	}
	pairs, err := ccd.Nested(m, append(x, y...), nil)
	if err != nil || !slices.Equal(pairs, []ccd.NestedPair{{Inner: 12, Outer: 0, Winding: 1}}) {
		t.Fatal(pairs, err)
	}
	a, err := ccd.NewRigidBody(x, faces)
	if err != nil {
		t.Fatal(err)
	}
	spin := ccd.RigidMotion{AngularVelocity: [3]float64{0, 0, 1}}
	w, err = ccd.RigidWinding(a, spin, 0.5, []float64{0.9, 0.9, 0, 0, 1.3, 0}, nil)
	if err != nil || !slices.Equal(w, []int32{0, 0}) {
		t.Fatal(w, err)
	}
	w, err = ccd.RigidWinding(a, spin, 0, []float64{0.9, 0.9, 0, 0, 1, 0}, nil)
	if err != nil || !slices.Equal(w, []int32{1, ccd.OnSurface}) {
		t.Fatal(w, err)
	}
	open, err := ccd.NewRigidBody(x, faces[3:])
	if err != nil {
		t.Fatal(err)
	}
	_, err = ccd.RigidContainment(a, ccd.RigidMotion{}, open, ccd.RigidMotion{}, 0, nil)
	if !errors.Is(err, ccd.ErrArgument) || !strings.HasPrefix(err.Error(), "b: faces[0]: the edge") {
		t.Fatal(err)
	}
	for _, bad := range []func() error{
		func() error { _, err := ccd.Winding(m, append(x, y...), []float64{1, 2}, nil); return err },
		func() error { _, err := ccd.RigidWinding(a, spin, 0, []float64{1, 2}, nil); return err },
		func() error { _, err := ccd.RigidWinding(nil, spin, 0, nil, nil); return err },
		func() error { _, err := ccd.RigidContainment(a, spin, nil, spin, 0, nil); return err },
		func() error { _, err := ccd.Nested(nil, nil, nil); return err },
	} {
		if err := bad(); !errors.Is(err, ccd.ErrArgument) {
			t.Error(err)
		}
	}
	if ccd.Overlapping.String() != "overlapping" || ccd.Containment(9).String() != "unknown" {
		t.Error(ccd.Overlapping)
	}
}
