package ccd_test

import (
	"errors"
	"fmt"
	"testing"

	"ccd"
)

func ExampleRigidBody_Padded() {
	box, _ := ccd.NewRigidBox([3]float64{2, 2, 2})
	ball, _ := ccd.NewRigidSphere(0.5)
	padded, err := box.Padded(0.25)
	if err != nil {
		fmt.Println(err)
		return
	}
	gap, err := ccd.RigidDistance(padded, ccd.RigidPose{}, ball, ccd.RigidPose{Position: [3]float64{4, 0, 0}}, nil)
	fmt.Printf("%.6f %v\n", gap.Hi, err)
	// Output: 2.250000 <nil>
}

// TestRigidShapes: how far shapes reach from a wall, by their sizes, along x and along z.
func TestRigidShapes(t *testing.T) {
	wall, err := ccd.NewRigidBox([3]float64{2, 20, 20})
	if err != nil {
		t.Fatal(err)
	}
	hull := []float64{-1, 0, 0, 0.75, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1.25, 0, 0, -0.5}
	upright := ccd.RigidPose{Rotation: [4]float64{1, 0, 1, 0}} // z points along x
	for _, c := range []struct {
		name string
		make func() (*ccd.RigidBody, error)
		x, z float64
	}{
		{"box", func() (*ccd.RigidBody, error) { return ccd.NewRigidBox([3]float64{1, 2, 3}) }, 0.5, 1.5},
		{"sphere", func() (*ccd.RigidBody, error) { return ccd.NewRigidSphere(0.75) }, 0.75, 0.75},
		{"capsule", func() (*ccd.RigidBody, error) { return ccd.NewRigidCapsule(0.5, 2) }, 0.5, 1.5},
		{"cylinder", func() (*ccd.RigidBody, error) { return ccd.NewRigidCylinder(0.5, 2, 1e-3) }, 0.5, 1},
		{"cone", func() (*ccd.RigidBody, error) { return ccd.NewRigidCone(0.5, 2, 1e-3) }, 0.5, 1},
		{"hull", func() (*ccd.RigidBody, error) { return ccd.NewRigidHull(hull) }, 0.75, 1.25},
	} {
		body, err := c.make()
		if err != nil {
			t.Fatal(c.name, err)
		}
		info, err := body.Info()
		if err != nil {
			t.Fatal(c.name, err)
		}
		for _, padding := range []float64{0, 0.125} {
			padded, err := body.Padded(padding)
			if err != nil {
				t.Fatal(c.name, err)
			}
			for _, turned := range []bool{false, true} {
				pose, reach := ccd.RigidPose{}, c.x
				if turned {
					pose, reach = upright, c.z
				}
				there := ccd.RigidPose{Position: [3]float64{5, 0, 0}}
				gap, err := ccd.RigidDistance(padded, pose, wall, there, nil)
				want, off := 4-reach-padding, info.Deviation+1e-10
				if err != nil || !(gap.Lo <= want+off && want-off <= gap.Hi && gap.Hi-gap.Lo <= 2*off) {
					t.Errorf("%s, padding %v, turned %v: [%v, %v], want %v: %v", c.name, padding, turned,
						gap.Lo, gap.Hi, want, err)
				}
			}
		}
	}
	_, size := ccd.NewRigidBox([3]float64{1, -1, 1})
	_, radius := ccd.NewRigidCapsule(-1, 1)
	_, length := ccd.NewRigidCylinder(1, -1, 0)
	_, deviation := ccd.NewRigidCone(1, 1, -1)
	_, padding := wall.Padded(-1)
	_, points := ccd.NewRigidHull([]float64{1, 2})
	for i, err := range []error{size, radius, length, deviation, padding, points} {
		if !errors.Is(err, ccd.ErrArgument) {
			t.Error(i, err)
		}
	}
}
