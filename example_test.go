package ccd_test

import (
	"errors"
	"fmt"
	"log"

	"ccd"
)

// A triangle lies still; another falls through it, corner first.
var (
	faces = []int32{0, 1, 2, 3, 4, 5}
	start = []float64{0, 0, 0, 1, 0, 0, 0, 1, 0, 0.2, 0.2, 1, 0.3, 0.2, 2, 0.2, 0.3, 2}
	end   = []float64{0, 0, 0, 1, 0, 0, 0, 1, 0, 0.2, 0.2, -1, 0.3, 0.2, 0, 0.2, 0.3, 0}
)

func mustMesh() *ccd.Mesh {
	m, err := ccd.NewMesh(6, nil, faces)
	if err != nil {
		log.Fatal(err)
	}
	return m
}

func Example() {
	m, err := ccd.NewMesh(6, nil, faces)
	if err != nil {
		log.Fatal(err)
	}
	hit, err := ccd.Earliest(m, start, end, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(hit.Verdict, hit.TOILo, hit.Kind, hit.A, hit.B)

	// Go as far as is safe, with 1e-3 between all parts.
	alpha, x, err := ccd.Advance(m, start, end, 1, &ccd.Options{MinSeparation: 1e-3})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.4f of the step; vertex 3 is at height %.3f\n", alpha, x[3*3+2])
	// Output:
	// contact 0.5 vertex-face 3 0
	// 0.4995 of the step; vertex 3 is at height 0.001
}

func ExampleNewMesh() {
	_, err := ccd.NewMesh(3, nil, []int32{0, 1, 3})
	fmt.Println(err)
	fmt.Println(errors.Is(err, ccd.ErrIndex))
	// Output:
	// faces[0][2] is 3: out of range for 3 vertices, the first of which is 0
	// true
}

func ExampleMesh_SetGroups() {
	m := mustMesh()
	if err := m.SetGroups([]int32{0, 0, 0, 0, 0, 0}); err != nil { // all vertices are of one group: nothing is tested
		log.Fatal(err)
	}
	hit, err := ccd.Earliest(m, start, end, nil)
	fmt.Println(hit.Verdict, err)
	// Output: separate <nil>
}

func ExampleMesh_SetRadii() {
	m := mustMesh()
	if err := m.SetRadii([]float64{0, 0, 0, 0.25, 0.25, 0.25}); err != nil { // the falling triangle is 0.5 thick
		log.Fatal(err)
	}
	hit, err := ccd.Earliest(m, start, end, nil)
	fmt.Println(hit.TOILo, err)
	// Output: 0.375 <nil>
}

func ExampleCollisions() {
	hits, err := ccd.Collisions(mustMesh(), start, end, nil)
	if err != nil {
		log.Fatal(err)
	}
	for _, hit := range hits {
		fmt.Println(hit.Kind, hit.A, hit.B, hit.TOILo)
	}
	// Output:
	// vertex-face 3 0 0.5
	// vertex-face 4 0 1
	// vertex-face 5 0 1
}

func ExampleSize() {
	alpha, err := ccd.Size(mustMesh(), start, end, &ccd.Options{MinSeparation: 0.5})
	fmt.Printf("%.6f %v\n", alpha, err)
	// Output: 0.250000 <nil>
}

func ExampleActiveSet() {
	set, err := ccd.NewStep(mustMesh(), start, end).ActiveSet(&ccd.Options{MinSeparation: 0.25, TMax: 0.4})
	if err != nil {
		log.Fatal(err)
	}
	for _, c := range set {
		fmt.Println(c.Vertices, c.Normal, c.Gap, c.Separation)
	}
	// Output: [3 0 1 2] [0 0 1] -1.25 0.25
}

func ExampleFindCandidates() {
	m := mustMesh()
	known, err := ccd.FindCandidates(m, start, end, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(known.Count(ccd.VertexFace), "pairs of a vertex and a face:", known.Pairs(ccd.VertexFace))

	half := make([]float64, len(start)) // a shorter step of a line search: the pairs are the same
	for i := range half {
		half[i] = (start[i] + end[i]) / 2
	}
	hit, err := known.Step(start, half).Earliest(nil)
	fmt.Println(hit.TOILo, err)
	// Output:
	// 3 pairs of a vertex and a face: [[3 0] [4 0] [5 0]]
	// 1 <nil>
}

func ExamplePair() {
	q := []float64{
		0.25, 0.25, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, // a vertex above a face
		0.25, 0.25, -3, 0, 0, 0, 1, 0, 0, 0, 1, 0, // The vertex ends below the face.
	}
	hit, err := ccd.Pair(ccd.VertexFace, q, nil)
	fmt.Println(hit.TOILo, hit.Point, hit.Normal, err)
	// Output: 0.25 [0.25 0.25 0] [0 0 1] <nil>
}

func ExampleNear() {
	near, err := ccd.Near(mustMesh(), start, 1, nil)
	if err != nil {
		log.Fatal(err)
	}
	for _, p := range near {
		fmt.Printf("%v %d %d %.3f %v\n", p.Kind, p.A, p.B, p.Lo, p.PointB)
	}
	// Output: vertex-face 3 0 1.000 [0.2 0.2 0]
}

func ExampleDistance() {
	nearest, err := ccd.Distance(mustMesh(), start, nil)
	fmt.Printf("%v %d %d %.3f %v\n", nearest.Kind, nearest.A, nearest.B, nearest.Hi, err)
	// Output: vertex-face 3 0 1.000 <nil>
}

func ExampleIntersections() {
	x := append([]float64{}, start...)
	x[3*3+2] = -1 // the corner of the upper triangle is below the other
	found, err := ccd.Intersections(mustMesh(), x, nil)
	if err != nil {
		log.Fatal(err)
	}
	for _, i := range found {
		fmt.Println(i.Kind, i.A, i.B)
	}
	// Output:
	// edge-face 3 0
	// edge-face 4 0
}

func ExampleDecodeSurface() {
	s, err := ccd.DecodeSurface([]byte("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n"))
	if err != nil {
		log.Fatal(err)
	}
	m, err := s.Mesh()
	fmt.Println(m.Vertices(), m.Faces(), err)
	// Output: 4 [[0 1 2] [0 2 3]] <nil>
}
