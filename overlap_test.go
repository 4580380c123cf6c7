package ccd_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"ccd"
)

// cubeFaces are the faces of a box whose vertex i is at the far end along axis k if bit k of i is
// set.
var cubeFaces = []int32{
	0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4, 2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5,
}

func cubeAt(x, y, z, size float64) (out []float64) {
	for i := range 8 {
		out = append(out, x+size*float64(i&1), y+size*float64(i>>1&1), z+size*float64(i>>2))
	}
	return out
}

// TestOverlapOfCubes: volumes that are known, of meshes and of bodies, and depths.
func TestOverlapOfCubes(t *testing.T) {
	m, err := ccd.NewMesh(8, nil, cubeFaces)
	if err != nil {
		t.Fatal(err)
	}
	open, err := ccd.NewMesh(8, nil, cubeFaces[:30])
	if err != nil {
		t.Fatal(err)
	}
	x := cubeAt(0, 0, 0, 2)
	if lo, hi, err := ccd.SolidVolume(m, x, nil); err != nil || lo > 8 || hi < 8 || hi-lo > 1e-14 {
		t.Fatal(lo, hi, err)
	}
	for _, c := range []struct {
		at, want float64
		where    ccd.Containment
	}{{1, 1, ccd.Crossing}, {2, 0, ccd.Crossing}, {3, 0, ccd.Outside}, {0, 8, ccd.Crossing}} {
		y, o := cubeAt(c.at, c.at, c.at, 2), ccd.Options{Tolerance: 1e-12}
		got, err := ccd.OverlapVolume(m, x, m, y, ccd.RefuseShells, &o)
		if err != nil || got.Lo > c.want || got.Hi < c.want || got.Hi-got.Lo > 1e-12*c.want || got.Unfinished ||
			got.Containment != c.where || got.A[0] > 8 || got.B[1] < 8 {
			t.Fatalf("%v at %v: %v, %v", c.want, c.at, got, err)
		}
	}
	if _, err := ccd.OverlapVolume(m, x, open, x, ccd.RefuseShells, nil); !errors.Is(err, ccd.ErrArgument) ||
		!strings.HasPrefix(err.Error(), "b: faces[") {
		t.Fatal(err)
	}
	if _, err := ccd.OverlapVolume(m, x, m, x, ccd.Shells(7), nil); !errors.Is(err, ccd.ErrArgument) {
		t.Fatal(err)
	}
	if _, err := ccd.OverlapVolume(m, x, m, x, 0, &ccd.Options{Tolerance: 2}); !errors.Is(err, ccd.ErrArgument) {
		t.Fatal(err)
	}
	if _, err := ccd.OverlapVolume(m, x, m, x, 0, &ccd.Options{MinSeparation: 2}); !errors.Is(err, ccd.ErrUnsupported) {
		t.Fatal(err)
	}
	near := func(x, y float64) bool { return math.Abs(x-y) < 1e-12 }
	found, err := ccd.Depths(m, x, []float64{1, 1, 0.25, 1, 1, 2, 1, 1, 5, 1, 1, 1}, nil)
	if err != nil || found[0].Winding != 1 || !near(found[0].Hi, 0.25) || found[0].Normal != [3]float64{0, 0, 1} ||
		found[1].Winding != ccd.OnSurface || found[1].Hi != 0 || found[2].Winding != 0 || !near(found[2].Lo, 3) ||
		found[3].State != ccd.GradientTie {
		t.Fatal(found, err)
	}
	body, err := ccd.NewRigidBody(x, cubeFaces)
	if err != nil {
		t.Fatal(err)
	}
	still := ccd.RigidMotion{Rotation: [4]float64{1, 0, 0, 0}}
	turned := ccd.RigidMotion{Rotation: [4]float64{1, 0, 0, 1}, Position: [3]float64{1, 0, 1}}
	// The second cube is at [-1, 1] x [0, 2] x [1, 3].
	got, err := ccd.RigidOverlap(body, still, body, turned, 0, ccd.RefuseShells, nil)
	if err != nil || got.Lo > 2 || got.Hi < 2 || got.Hi-got.Lo > 2e-6 || got.Unfinished {
		t.Fatal(got, err)
	}
	depths, err := ccd.RigidDepths(body, turned, 0, []float64{0.75, 1, 2}, nil)
	if err != nil || depths[0].Winding != 1 || !near(depths[0].Hi, 0.25) || depths[0].Normal[0] > -1+1e-12 {
		t.Fatal(depths, err)
	}
}
