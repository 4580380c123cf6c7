package ccd_test

import (
	"errors"
	"fmt"
	"log"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"ccd"
	"ccd/core/mesh"
	"ccd/core/step"
)

// Two sides of a square pyramid, as a body; its tip points down.
var (
	tipVertices = []float64{0, 0, 0, 1, 0, 1, 0, 1, 1, -1, 0, 1}
	tipFaces    = []int32{0, 1, 2, 0, 2, 3}
)

func mustBody(vertices []float64, faces []int32) *ccd.RigidBody {
	b, err := ccd.NewRigidBody(vertices, faces)
	if err != nil {
		log.Fatal(err)
	}
	return b
}

// cube returns [-1, 1]^3.
func cube(t testing.TB) *ccd.RigidBody {
	t.Helper()
	var x []float64
	for i := range 8 {
		for k := range 3 {
			x = append(x, float64(2*(i>>k&1)-1))
		}
	}
	b, err := ccd.NewRigidBody(x, []int32{0, 1, 3, 0, 3, 2, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4, 2, 3, 7, 2, 7, 6, 0, 2,
		6, 0, 6, 4, 1, 3, 7, 1, 7, 5})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func ExampleRigidEarliest() {
	floor := mustBody([]float64{-9, -9, 0, 9, -9, 0, 0, 9, 0}, []int32{0, 1, 2})
	tip := mustBody(tipVertices, tipFaces)
	falling := ccd.RigidMotion{ // turns about the vertical axis while it falls
		Position: [3]float64{0, 0, 2}, Velocity: [3]float64{0, 0, -4}, AngularVelocity: [3]float64{0, 0, math.Pi},
	}
	hit, err := ccd.RigidEarliest(floor, ccd.RigidMotion{}, tip, falling, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%v at %.6f, corner %d of face %d\n", hit.Verdict, hit.TOILo, hit.FeatureB, hit.IndexB)
	// Output: contact at 0.500000, corner 0 of face 0
}

func ExampleRigidScene() {
	tip := mustBody(tipVertices, tipFaces)
	scene := ccd.RigidScene{
		Bodies: []*ccd.RigidBody{tip, tip, tip},
		Motions: []ccd.RigidMotion{{}, {Position: [3]float64{0, 0, 3}, Velocity: [3]float64{0, 0, -4}},
			{Position: [3]float64{50, 0, 0}}},
	}
	hits, err := scene.Collisions(&ccd.Options{MinSeparation: 1})
	if err != nil {
		log.Fatal(err)
	}
	for _, hit := range hits {
		fmt.Printf("bodies %d and %d at %.6f, %.6f apart\n", hit.A, hit.B, hit.TOILo, hit.Distance)
	}

	m, err := ccd.NewMesh(3, nil, []int32{0, 1, 2}) // a floor that rises
	if err != nil {
		log.Fatal(err)
	}
	x0 := []float64{-9, -9, -2, 9, -9, -2, 0, 9, -2}
	x1 := []float64{-9, -9, 2, 9, -9, 2, 0, 9, 2}
	hit, err := scene.MeshEarliest(m, x0, x1, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("body %d at %.6f\n", hit.Body, hit.TOILo)
	// Output:
	// bodies 0 and 1 at 0.323223, 1.000000 apart
	// body 0 at 0.500000
}

func ExampleRigidMotionBetween() {
	quarter := [4]float64{math.Sqrt(0.5), 0, 0, math.Sqrt(0.5)} // a quarter of a turn about z
	m, err := ccd.RigidMotionBetween(ccd.RigidPose{}, ccd.RigidPose{Rotation: quarter, Position: [3]float64{1, 0, 0}},
		0.5, [3]float64{})
	if err != nil {
		log.Fatal(err)
	}
	p, err := m.Pose(0.25)
	fmt.Printf("%.4f %.4f %.4f %v\n", m.AngularVelocity, m.Velocity, p.Position, err)
	// Output: [0.0000 0.0000 3.1416] [2.0000 0.0000 0.0000] [0.5000 0.0000 0.0000] <nil>
}

func ExamplePatchEarliest() {
	// A flat square of degree 1 by 1 lies still; a bowl of degree 2 by 2 falls on it.
	flat, err := ccd.NewPatchBody(4, []ccd.PatchForm{{Shape: ccd.Quad, U: 1, V: 1}}, []int32{0, 1, 2, 3}, nil)
	if err != nil {
		log.Fatal(err)
	}
	bowl, err := ccd.NewPatchBody(9, []ccd.PatchForm{{Shape: ccd.Quad, U: 2, V: 2}},
		[]int32{0, 1, 2, 3, 4, 5, 6, 7, 8}, nil)
	if err != nil {
		log.Fatal(err)
	}
	square := []float64{0, 0, 0, 0, 1, 0, 1, 0, 0, 1, 1, 0}
	var x0, x1 []float64
	for i := range 9 {
		height := 2.0
		if i == 4 {
			height = 0 // the bowl's lowest point is at a quarter of the way to it: 1.5
		}
		x0 = append(x0, float64(i/3)/2, float64(i%3)/2, height)
		x1 = append(x1, float64(i/3)/2, float64(i%3)/2, height-3)
	}
	hit, err := ccd.PatchEarliest(ccd.PatchStep{Body: flat, X0: square, X1: square},
		ccd.PatchStep{Body: bowl, X0: x0, X1: x1}, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%v at %.4f, where the bowl has the parameters %.2f\n", hit.Verdict, hit.TOILo, hit.UVB)
	// Output: contact at 0.5000, where the bowl has the parameters [0.50 0.50]
}

func ExampleSizes() {
	x0 := append([]float64{5, 5, 5}, start...) // beside the two triangles a vertex far from them
	x1 := append([]float64{6, 6, 6}, end...)
	m, err := ccd.NewMesh(7, nil, []int32{1, 2, 3, 4, 5, 6})
	if err != nil {
		log.Fatal(err)
	}
	v, err := ccd.NewStep(m, x0, x1).Sizes(nil, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.3f, %d resting\n", v.Alpha, v.Resting)
	// Output: [1.000 1.000 1.000 1.000 0.450 0.900 0.900], 0 resting
}

func ExampleScene() {
	s, err := ccd.NewScene(mustMesh(), start)
	if err != nil {
		log.Fatal(err)
	}
	if err := s.Check(nil); err != nil { // does anything intersect at the start?
		log.Fatal(err)
	}
	falling, target := []int32{3, 4, 5}, append([]float64{}, end[9:]...)
	for range 2 {
		alpha, x, err := s.Step(falling, target).Advance(0.9, nil)
		if err != nil {
			log.Fatal(err)
		}
		if err := s.Commit(falling, x); err != nil {
			log.Fatal(err)
		}
		known, crossings := s.State()
		fmt.Printf("%.4f of the way; %d vertices known, %d crossings\n", alpha, known, crossings)
	}
	// Output:
	// 0.4500 of the way; 6 vertices known, 0 crossings
	// 0.0818 of the way; 6 vertices known, 0 crossings
}

// The options of rigid bodies reach the core: the interval of time, separating bodies, statistics
// and cancellation.
func TestRigidOptions(t *testing.T) {
	b := cube(t)
	approaching := ccd.RigidMotion{Position: [3]float64{0, 0, 12}, Velocity: [3]float64{0, 0, -2}} // touches at t = 5
	for _, c := range []struct {
		o    ccd.Options
		want ccd.Verdict
	}{{ccd.Options{}, ccd.Separate}, {ccd.Options{TMax: 6}, ccd.Contact},
		{ccd.Options{TMin: 4, TMax: 4.5}, ccd.Separate}, {ccd.Options{TMin: 4, TMax: 6}, ccd.Contact}} {
		hit, err := ccd.RigidEarliest(b, ccd.RigidMotion{}, b, approaching, &c.o)
		if hit.Verdict != c.want || err != nil || c.want == ccd.Contact && math.Abs(hit.TOILo-5) > 1e-9 {
			t.Errorf("%+v: %+v %v", c.o, hit, err)
		}
	}
	parting := ccd.RigidMotion{Position: [3]float64{0, 0, 2}, Velocity: [3]float64{0, 0, 1}}
	touching, err := ccd.RigidEarliest(b, ccd.RigidMotion{}, b, parting, nil)
	if touching.Verdict != ccd.Contact || !touching.Flags.Has(ccd.InitialContact) || err != nil {
		t.Errorf("touching: %+v %v", touching, err)
	}
	apart, err := ccd.RigidEarliest(b, ccd.RigidMotion{}, b, parting, &ccd.Options{IgnoreSeparating: true})
	if apart.Verdict != ccd.Separate || apart.IndexA != -1 || err != nil {
		t.Errorf("parting: %+v %v", apart, err)
	}
	scene := ccd.RigidScene{Bodies: []*ccd.RigidBody{b, b}, Motions: []ccd.RigidMotion{{}, parting}}
	var stats ccd.Stats
	if _, err := scene.Collisions(&ccd.Options{Stats: &stats}); err != nil || stats.Candidates[0] != 1 ||
		stats.Impacts != 1 {
		t.Errorf("%+v %v", stats, err)
	}
	if _, err := scene.Earliest(&ccd.Options{Progress: func(float64) bool {
		return true
	}}); !errors.Is(err, ccd.ErrCancelled) {
		t.Error(err)
	}
}

// A screw turns about its axis and slides along it.
func TestRigidMotionScrew(t *testing.T) {
	m, err := ccd.RigidMotionScrew(ccd.RigidPose{Position: [3]float64{2, 0, 0}}, [3]float64{1, 0, 0},
		[3]float64{0, 0, math.Pi}, 3)
	if err != nil {
		t.Fatal(err)
	}
	p, err := m.Pose(1) // half a turn about x = 1: the origin goes from 2 to 0, and rises by 3
	if err != nil || math.Abs(p.Position[0])+math.Abs(p.Position[1])+math.Abs(p.Position[2]-3) > 1e-14 ||
		math.Abs(p.Rotation[3]) < 1-1e-14 {
		t.Error(p, err)
	}
}

// A NURBS curve is a body of its Bezier patches; two pages that close meet; a manifold samples a
// region.
func TestPatchBodies(t *testing.T) {
	curve, err := ccd.NewNURBS(ccd.NURBS{U: 2, KnotsU: []float64{0, 0, 0, 1, 2, 2, 2}})
	if err != nil || curve.Points() != 4 || curve.Patches() != 2 {
		t.Fatal(curve, err)
	}
	sheet, err := ccd.NewPatchBody(4, []ccd.PatchForm{{Shape: ccd.Quad, U: 1, V: 1}}, []int32{0, 1, 2, 3}, nil)
	if err != nil {
		t.Fatal(err)
	}
	floor := []float64{0, 0, 0, 0, 3, 0, 3, 0, 0, 3, 3, 0}
	x0 := []float64{0, 1, 2, 1, 1, 2, 2, 1, 2, 3, 1, 2}
	x1 := []float64{0, 1, -2, 1, 1, -2, 2, 1, -2, 3, 1, -2}
	a, b := ccd.PatchStep{Body: sheet, X0: floor, X1: floor}, ccd.PatchStep{Body: curve, X0: x0, X1: x1}
	hits, err := ccd.PatchCollisions(a, b, nil)
	if err != nil || len(hits) != 2 || hits[0].A != 0 || hits[0].B+hits[1].B != 1 ||
		math.Abs(hits[0].TOIHi-0.5) > 1e-5 {
		t.Errorf("%+v %v", hits, err)
	}
	points, err := ccd.PatchManifold(a, b, 0.1, 0.5, nil)
	if err != nil || len(points) < 4 { // the curve is 3 long
		t.Errorf("%+v %v", points, err)
	}
	none, u, err := ccd.PatchSelfEarliest(a, 0, nil)
	if err != nil || none.Verdict != ccd.Separate || u.Pairs != 0 || !math.IsInf(u.TFrom, 1) {
		t.Errorf("%+v %+v %v", none, u, err)
	}
	// Two squares with a common edge close like a book, and go through each other.
	book, err := ccd.NewPatchBody(6, []ccd.PatchForm{{Shape: ccd.Quad, U: 1, V: 1}, {Shape: ccd.Quad, U: 1, V: 1}},
		[]int32{0, 1, 2, 3, 2, 3, 4, 5}, nil)
	if err != nil {
		t.Fatal(err)
	}
	open := []float64{-1, 0, 1, -1, 1, 1, 0, 0, 0, 0, 1, 0, 1, 0, 1, 1, 1, 1}
	shut := []float64{1, 0, 0.5, 1, 1, 0.5, 0, 0, 0, 0, 1, 0, -1, 0, 0.5, -1, 1, 0.5}
	closing := ccd.PatchStep{Body: book, X0: open, X1: shut}
	first, u, err := ccd.PatchSelfEarliest(closing, 0, nil)
	if err != nil || first.Verdict != ccd.Contact || math.Abs(first.TOIHi-0.5) > 0.02 || first.A != 0 || first.B != 1 {
		t.Errorf("%+v %+v %v", first, u, err)
	}
	all, _, err := ccd.PatchSelfCollisions(closing, 0, nil)
	if err != nil || len(all) != 1 || all[0].TOILo != first.TOILo {
		t.Errorf("%+v %v", all, err)
	}
	some, _, err := ccd.PatchSelfManifold(closing, 0.01, 0.5, 0, nil)
	if err != nil || len(some) == 0 || some[0].TOILo != first.TOILo {
		t.Errorf("%+v %v", some, err)
	}
	m, err := ccd.DecodePatches(
		[]byte("1\n1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\n16\n" + strings.Repeat("1,2,3\n", 16)))
	if err != nil {
		t.Fatal(err)
	}
	teapot, err := m.Body()
	if err != nil || teapot.Patches() != 1 || m.Forms[0] != (ccd.PatchForm{Shape: ccd.Quad, U: 3, V: 3}) {
		t.Errorf("%+v %v", m, err)
	}
}

// A step for each vertex has the bits of the core's, in a scene as well, and its options reach the
// core.
func TestSizes(t *testing.T) {
	m := mustMesh()
	s, err := ccd.NewScene(m, start)
	if err != nil {
		t.Fatal(err)
	}
	grouped := ccd.DefaultSizesOptions()
	grouped.Groups, grouped.Share, grouped.MaxPasses = []int32{-1, -1, -1, 0, 0, 0}, 0.5, 3
	inside, err := mesh.New(6, nil, faces)
	if err != nil {
		t.Fatal(err)
	}
	for _, so := range []*ccd.SizesOptions{nil, &grouped} {
		alpha, y, want := make([]float64, 6), make([]float64, 18), (*step.SizesOptions)(nil)
		if so != nil {
			want = &step.SizesOptions{Groups: so.Groups, Share: so.Share, KeepRatio: so.KeepRatio,
				MaxPasses: so.MaxPasses}
		}
		report, err := step.Sizes(inside, start, end, alpha, y, want, nil)
		got, err2 := ccd.NewStep(m, start, end).Sizes(so, nil)
		here, err3 := s.Step(nil, end).Sizes(so, nil)
		if err != nil || err2 != nil || err3 != nil || !slices.Equal(got.Alpha, alpha) || !slices.Equal(got.X, y) ||
			!reflect.DeepEqual(got, here) ||
			got.Used != report.Used || got.Floor != report.Floor || got.Resting != int(report.Resting) ||
			got.Passes != int(report.Passes) || got.Used == 1 {
			t.Errorf("%+v: %+v %v, in a scene %+v %v, want %v %v %+v %v",
				so, got, err2, here, err3, alpha, y, report, err)
		}
		if err := s.CommitProven(); err != nil {
			t.Error(err)
		}
		if err := s.Reset(start); err != nil {
			t.Error(err)
		}
	}
}

// Parts of a scene come and go, commits move vertices, and steps start where they are.
func TestSceneParts(t *testing.T) {
	one, err := ccd.NewMesh(3, nil, []int32{0, 1, 2})
	if err != nil {
		t.Fatal(err)
	}
	s, err := ccd.NewScene(one, start[:9])
	if err != nil {
		t.Fatal(err)
	}
	part, err := s.Add(one, start[9:])
	if want := (ccd.ScenePart{ID: 1, FirstVertex: 3, FirstEdge: 3, FirstFace: 1, Vertices: 3, Edges: 3,
		Faces: 1}); part != want || err != nil {
		t.Fatal(part, err)
	}
	moved := []int32{3, 4, 5}
	hit, err := s.Step(moved, end[9:]).Earliest(nil)
	want, err2 := ccd.Earliest(mustMesh(), start, end, nil)
	if hit != want || err != nil || err2 != nil {
		t.Errorf("%+v %v, want %+v", hit, err, want)
	}
	half := append([]float64{}, start[9:]...)
	for i := range half {
		half[i] = (3*half[i] + end[9+i]) / 4
	}
	if free, err := s.Step(moved, half).Earliest(nil); free.Verdict != ccd.Separate || err != nil {
		t.Fatal(free, err)
	}
	if err := s.CommitProven(); err != nil {
		t.Fatal(err)
	}
	x, err := s.Positions()
	if err != nil || len(x) != 18 || !slices.Equal(x[9:], half) || s.Vertices() != 6 || len(s.Parts()) != 2 {
		t.Errorf("positions %v %v", x, err)
	}
	if hit, err := s.Step(moved, end[9:]).Earliest(nil); math.Abs(hit.TOILo-1.0/3) > 1e-15 || err != nil {
		t.Errorf("from the commit on: %+v %v", hit, err)
	}
	if err := s.Commit(nil, start); err != nil {
		t.Fatal(err)
	}
	if hit, err := s.Step(nil, end).Earliest(nil); hit != want || err != nil {
		t.Errorf("from the start again: %+v %v", hit, err)
	}
	if err := s.Remove(0); err != nil {
		t.Fatal(err)
	}
	if hits, err := s.Step(moved, end[9:]).Collisions(nil); len(hits) != 0 || err != nil {
		t.Errorf("without the floor: %+v %v", hits, err)
	}
	if _, err := s.Step(nil, end).Earliest(nil); !errors.Is(err, ccd.ErrArgument) ||
		!strings.Contains(err.Error(), "a part was removed") {
		t.Error(err)
	}
	if err := s.Reset(end); err != nil {
		t.Fatal(err)
	}
	if x, _ := s.Positions(); !slices.Equal(x[9:], end[9:]) {
		t.Error(x)
	}
}
