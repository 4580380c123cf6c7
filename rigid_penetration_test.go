package ccd_test

import (
	"fmt"
	"log"
	"math"
	"testing"

	"ccd"
)

func ExampleRigidPenetrationDepth() {
	cube, err := ccd.NewRigidBox([3]float64{2, 2, 2})
	if err != nil {
		log.Fatal(err)
	}
	beside := ccd.RigidPose{Position: [3]float64{1.5, 0.25, 0}}
	p, err := ccd.RigidPenetrationDepth(cube, beside, cube, ccd.RigidPose{}, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.6f %.6f %v\n", p.Lo, p.Hi, p.Normal)
	// Output: 0.500000 0.500000 [1 0 0]
}

func ExampleRigidPenetrationDepthGradient() {
	cube, err := ccd.NewRigidBox([3]float64{2, 2, 2})
	if err != nil {
		log.Fatal(err)
	}
	ball, err := ccd.NewRigidSphere(0.5)
	if err != nil {
		log.Fatal(err)
	}
	g, err := ccd.RigidPenetrationDepthGradient(ball, ccd.RigidPose{Position: [3]float64{0.25, 0, 0.75}}, cube,
		ccd.RigidPose{}, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(g.State == ccd.GradientDefined, g.PositionB, g.RotationB)
	// Output: true [0 0 1] [0 -0.25 0]
}

// boxes is two unit cubes as one mesh, the second shifted.
func twoBoxes(shift [3]float64) (x []float64, faces []int32) {
	box := []int32{
		0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4, 2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5,
	}
	for i := range 16 {
		for k := range 3 {
			c := float64(i >> k & 1)
			if i >= 8 {
				c += shift[k]
			}
			x = append(x, c)
		}
	}
	for i := range 72 {
		faces = append(faces, box[i%36]+int32(i/36*8))
	}
	return x, faces
}

func ExampleUntangle() {
	x, faces := twoBoxes([3]float64{0.875, 0.25, 0.25})
	mesh, err := ccd.NewMesh(16, nil, faces)
	if err != nil {
		log.Fatal(err)
	}
	crossing, err := ccd.Crossings(mesh, x, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(crossing[0].A, crossing[0].B, crossing[0].Depth)
	_, report, err := ccd.Untangle(mesh, x, nil, 0, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%v %.4f\n", report.Clean, report.Farthest)
	// Output:
	// 0 8 0.25
	// true 0.0625
}

func TestPenetrationsAndUntanglingRefuse(t *testing.T) {
	cube, _ := ccd.NewRigidBox([3]float64{2, 2, 2})
	bad := ccd.RigidPose{Position: [3]float64{math.NaN(), 0, 0}}
	if _, err := ccd.RigidPenetrationDepth(cube, bad, cube, ccd.RigidPose{}, nil); err == nil {
		t.Error("NaN is no position")
	}
	if _, err := ccd.RigidPenetrationDepth(nil, ccd.RigidPose{}, cube, ccd.RigidPose{}, nil); err == nil {
		t.Error("nil is no body")
	}
	if _, err := ccd.RigidPenetrationDepth(cube, ccd.RigidPose{}, cube, ccd.RigidPose{},
		&ccd.Options{MinSeparation: 1}); err == nil {
		t.Error("a separation has no effect")
	}
	x, faces := twoBoxes([3]float64{3, 0, 0})
	mesh, _ := ccd.NewMesh(16, nil, faces)
	for _, masses := range [][]float64{{1}, append(make([]float64, 15), 1)} {
		if _, _, err := ccd.Untangle(mesh, x, masses, 0, nil); err == nil {
			t.Errorf("masses %v", masses)
		}
	}
	if _, _, err := ccd.Untangle(mesh, x[:3], nil, 0, nil); err == nil {
		t.Error("too few positions")
	}
	if y, r, err := ccd.Untangle(mesh, x, nil, 0, nil); err != nil || !r.Clean || r.Moved != 0 || len(y) != 48 {
		t.Errorf("a clean start: %+v, %v", r, err)
	}
}
