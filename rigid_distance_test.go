package ccd_test

import (
	"errors"
	"fmt"
	"log"
	"math"
	"strings"
	"testing"

	"ccd"
)

func ExampleRigidDistance() {
	floor := mustBody([]float64{-9, -9, 0, 9, -9, 0, 0, 9, 0}, []int32{0, 1, 2})
	tip := mustBody(tipVertices, tipFaces)
	gap, err := ccd.RigidDistance(floor, ccd.RigidPose{}, tip, ccd.RigidPose{Position: [3]float64{0, 0, 0.5}}, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.6f %.6f %v\n", gap.Lo, gap.Hi, gap.Flags&ccd.GapIntersecting != 0)
	// Output: 0.500000 0.500000 false
}

func ExampleRigidDistanceGradient() {
	floor := mustBody([]float64{-9, -9, 0, 9, -9, 0, 0, 9, 0}, []int32{0, 1, 2})
	tip := mustBody(tipVertices, tipFaces)
	above := ccd.RigidPose{Position: [3]float64{2, 0, 0.5}}
	g, err := ccd.RigidDistanceGradient(tip, above, floor, ccd.RigidPose{}, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(g.State == ccd.GradientDefined, g.PositionA, g.RotationB)
	// Output: true [0 0 1] [0 2 0]
}

func ExampleRigidClearance() {
	floor := mustBody([]float64{-9, -9, 0, 9, -9, 0, 0, 9, 0}, []int32{0, 1, 2})
	tip := mustBody(tipVertices, tipFaces)
	falling := ccd.RigidMotion{Position: [3]float64{0, 0, 1}, Velocity: [3]float64{0, 0, -0.75}}
	gap, err := ccd.RigidClearance(floor, ccd.RigidMotion{}, tip, falling, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.6f at %.6f\n", gap.Hi, gap.Time)
	// Output: 0.250000 at 1.000000
}

func ExampleRigidProfile() {
	floor := mustBody([]float64{-9, -9, 0, 9, -9, 0, 0, 9, 0}, []int32{0, 1, 2})
	tip := mustBody(tipVertices, tipFaces)
	falling := ccd.RigidMotion{Position: [3]float64{0, 0, 1}, Velocity: [3]float64{0, 0, -0.5}}
	curve, err := ccd.RigidProfile(floor, ccd.RigidMotion{}, tip, falling, []float64{0, 0.5, 2}, nil)
	if err != nil {
		log.Fatal(err)
	}
	for _, gap := range curve {
		fmt.Printf("%.6f at %v\n", gap.Hi, gap.Time)
	}
	// Output:
	// 1.000000 at 0
	// 0.750000 at 0.5
	// 0.000000 at 2
}

func TestRigidProfileErrors(t *testing.T) {
	b, still := cube(t), ccd.RigidMotion{}
	if _, err := ccd.RigidProfile(b, still, b, still, []float64{0, math.NaN()}, nil); err == nil ||
		!strings.HasPrefix(err.Error(), "times[1] is NaN") {
		t.Error(err)
	}
	cancel := &ccd.Options{Progress: func(float64) bool { return true }}
	if _, err := ccd.RigidProfile(b, still, b, still, []float64{0}, cancel); !errors.Is(err, ccd.ErrCancelled) {
		t.Error(err)
	}
}

func TestRigidDistances(t *testing.T) {
	b := cube(t)
	at := func(x float64) ccd.RigidPose { return ccd.RigidPose{Position: [3]float64{x}} }
	for _, c := range []struct{ x, want float64 }{{2.5, 0.5}, {2, 0}, {1, 0}, {5, 3}} {
		gap, err := ccd.RigidDistance(b, ccd.RigidPose{}, b, at(c.x), nil)
		if err != nil {
			t.Fatal(err)
		}
		meets, err := ccd.RigidIntersects(b, ccd.RigidPose{}, b, at(c.x))
		if err != nil {
			t.Fatal(err)
		}
		if gap.Lo > c.want || gap.Hi < c.want || gap.Hi-gap.Lo > 1e-11 || meets != (c.want == 0) ||
			meets != (gap.Flags&ccd.GapIntersecting != 0) {
			t.Errorf("%v: %+v, meets %v", c.x, gap, meets)
		}
		if c.want > 0 && (math.Abs(gap.Normal[0]+1) > 1e-12 || math.Abs(gap.PointA[0]-1) > gap.Epsilon) {
			t.Errorf("%v: %+v", c.x, gap)
		}
	}
	coarse, err := ccd.RigidDistance(b, ccd.RigidPose{}, b, at(5), &ccd.Options{Tolerance: 0.5})
	if err != nil || coarse.Lo > 3 || coarse.Hi < 3 || coarse.Hi-coarse.Lo > 0.5 {
		t.Errorf("%+v, %v", coarse, err)
	}
	tie, err := ccd.RigidDistanceGradient(b, ccd.RigidPose{}, b, at(5), nil)
	if err != nil || tie.State != ccd.GradientTie || !math.IsNaN(tie.PositionA[0]) || math.Abs(tie.Hi-3) > 1e-11 {
		t.Errorf("%+v, %v", tie, err)
	}
	if _, err := ccd.RigidDistanceGradient(b, at(math.NaN()), b, at(5), nil); !errors.Is(err, ccd.ErrNonFinite) {
		t.Error(err)
	}
	s := ccd.RigidScene{Bodies: []*ccd.RigidBody{b, b, b}}
	found, err := s.Within([]ccd.RigidPose{{}, at(2.5), at(9)}, 1, nil)
	if err != nil || len(found) != 1 || found[0].A != 0 || found[0].B != 1 || math.Abs(found[0].Hi-0.5) > 1e-11 {
		t.Errorf("%+v, %v", found, err)
	}
	_, zero := ccd.RigidDistance(nil, ccd.RigidPose{}, b, ccd.RigidPose{}, nil)
	_, far := ccd.RigidIntersects(b, ccd.RigidPose{}, b, at(math.Inf(1)))
	_, method := ccd.RigidDistance(b, ccd.RigidPose{}, b, at(1), &ccd.Options{CheckStart: true})
	_, few := s.Within([]ccd.RigidPose{{}}, 1, nil)
	_, turn := ccd.RigidClearance(b, ccd.RigidMotion{}, b, ccd.RigidMotion{}, &ccd.Options{TMin: 2})
	for _, e := range []struct{ got, want error }{
		{zero, ccd.ErrArgument}, {far, ccd.ErrNonFinite}, {method, ccd.ErrUnsupported}, {few, ccd.ErrArgument},
		{turn, ccd.ErrArgument},
	} {
		if !errors.Is(e.got, e.want) {
			t.Errorf("%v is not %v", e.got, e.want)
		}
	}
}
