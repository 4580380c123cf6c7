package ccd_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"ccd"
)

func boxes(t testing.TB) (table, box *ccd.RigidBody) {
	t.Helper()
	table, err := ccd.NewRigidBox([3]float64{4, 4, 2})
	if err != nil {
		t.Fatal(err)
	}
	box, err = ccd.NewRigidBox([3]float64{1, 1, 1})
	if err != nil {
		t.Fatal(err)
	}
	return table, box
}

// The surface of a shape, and that of a body that is not there.
func TestRigidBodySurface(t *testing.T) {
	table, _ := boxes(t)
	vertices, faces, err := table.Surface()
	if err != nil || len(vertices) != 24 || len(faces) != 36 || vertices[23] != 1 || faces[1] != 2 {
		t.Errorf("%v, %v, %v", vertices, faces, err)
	}
	again, err := ccd.NewRigidBody(vertices, faces)
	if err != nil {
		t.Fatal(err)
	}
	same, list, err := again.Surface()
	if err != nil || !slices.Equal(same, vertices) || !slices.Equal(list, faces) {
		t.Errorf("made again: %v, %v, %v", same, list, err)
	}
	if _, _, err = (*ccd.RigidBody)(nil).Surface(); !errors.Is(err, ccd.ErrArgument) {
		t.Errorf("no body: %v", err)
	}
}

// RigidSlideParts names the pair of parts that the contact ends with.
func TestRigidSlideParts(t *testing.T) {
	table, box := boxes(t)
	speck, err := ccd.NewRigidSphere(1e-3) // It is inside of the table.
	if err != nil {
		t.Fatal(err)
	}
	pushed := ccd.RigidMotion{Position: [3]float64{0, 0, 1.5}, Velocity: [3]float64{5, 0, 0}}
	parts := []*ccd.RigidBody{speck, table}
	end, err := ccd.RigidSlideParts([]*ccd.RigidBody{box}, pushed, parts, ccd.RigidMotion{}, 1e-6, nil)
	if err != nil || end.Event != ccd.SlideParts || end.Parts != [2]int{0, 1} ||
		!(end.TLo <= 0.5000002 && end.THi >= 0.5000002) {
		t.Errorf("%+v, %v", end, err)
	}
	parts[0] = nil
	_, err = ccd.RigidSlideParts(parts[1:], pushed, parts, ccd.RigidMotion{}, 1, nil)
	if !errors.Is(err, ccd.ErrArgument) {
		t.Errorf("a part that is not there: %v", err)
	}
}

func ExampleRigidSlide() {
	table, _ := ccd.NewRigidBox([3]float64{4, 4, 2})
	box, _ := ccd.NewRigidBox([3]float64{1, 1, 1})
	pushed := ccd.RigidMotion{Position: [3]float64{0, 0, 1.5}, Velocity: [3]float64{5, 0, 0}}
	end, err := ccd.RigidSlide(box, pushed, table, ccd.RigidMotion{}, 1e-6, nil)
	fmt.Printf("%v %.4f %v\n", end.Event == ccd.SlideParts, end.TLo, err)
	// Output: true 0.5000 <nil>
}

func TestRigidManifoldAt(t *testing.T) {
	table, box := boxes(t)
	on := ccd.RigidPose{Position: [3]float64{0, 0, 1.5}}
	m, err := ccd.RigidManifoldAt(box, on, table, ccd.RigidPose{}, 1e-6, ccd.ManifoldReduce, nil)
	if err != nil || m.Flags != 0 || len(m.Points) != 4 {
		t.Fatalf("%+v, %v", m, err)
	}
	for _, p := range m.Points {
		if p.Normal != [3]float64{0, 0, 1} || p.GapLo > 0 || p.GapHi < 0 || math.Abs(p.PointA[2]-1) > p.Epsilon {
			t.Errorf("%+v", p)
		}
	}
	on.Position[2] = 1
	if m, err = ccd.RigidManifoldAt(box, on, table, ccd.RigidPose{}, 1e-6, 0, nil); err != nil ||
		m.Flags&ccd.ManifoldCrossing == 0 || len(m.Points) != 0 {
		t.Errorf("%+v, %v", m, err)
	}
	_, tolerance := ccd.RigidManifoldAt(box, on, table, on, -1, 0, nil)
	_, nothing := ccd.RigidManifoldAt(nil, on, table, on, 1, 0, nil)
	_, option := ccd.RigidManifoldAt(box, on, table, on, 1, 0, &ccd.Options{MinSeparation: 1})
	_, slide := ccd.RigidSlide(box, ccd.RigidMotion{}, table, ccd.RigidMotion{}, math.NaN(), nil)
	_, limit := ccd.RigidSlide(box, ccd.RigidMotion{}, table, ccd.RigidMotion{}, 1, &ccd.Options{Tolerance: 1})
	for _, e := range []struct{ got, want error }{
		{tolerance, ccd.ErrArgument}, {nothing, ccd.ErrArgument}, {option, ccd.ErrUnsupported},
		{slide, ccd.ErrArgument}, {limit, ccd.ErrUnsupported},
	} {
		if !errors.Is(e.got, e.want) {
			t.Errorf("%v is not %v", e.got, e.want)
		}
	}
}

// TestRigidFirstDepth: a box falls at speed 1 onto a table.
func TestRigidFirstDepth(t *testing.T) {
	table, box := boxes(t)
	falls := ccd.RigidMotion{Position: [3]float64{0, 0, 2}, Velocity: [3]float64{0, 0, -1}}
	a, b := []*ccd.RigidBody{box}, []*ccd.RigidBody{table}
	deep, err := ccd.RigidFirstDepth(a, falls, b, ccd.RigidMotion{}, 0.25, nil)
	if err != nil || deep.Event != ccd.SlidePenetrates || !(deep.TLo <= 0.75 && 0.75 <= deep.THi) ||
		deep.THi-deep.TLo > 1e-5 {
		t.Errorf("%+v, %v", deep, err)
	}
	if deep, err = ccd.RigidFirstDepth(a, falls, b, ccd.RigidMotion{}, 0.75, nil); err != nil ||
		deep.Event != ccd.SlideStays {
		t.Errorf("%+v, %v", deep, err)
	}
	if _, err = ccd.RigidFirstDepth(nil, falls, b, ccd.RigidMotion{}, 1, nil); !errors.Is(err, ccd.ErrArgument) {
		t.Error(err)
	}
}
