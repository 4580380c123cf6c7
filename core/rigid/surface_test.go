package rigid

import (
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
)

// The surface of a body has the corners of its triangles, each vertex once, in the order as given.
func TestSurfacesAreThoseThatBodiesWereMadeOf(t *testing.T) {
	rnd := rand.New(rand.NewPCG(51, 60))
	for round := range 50 {
		x := make([]float64, 3*(1+rnd.IntN(30)))
		for i := range x {
			x[i] = rnd.NormFloat64()
		}
		given := make([][3]int32, 1+rnd.IntN(20))
		named := map[int32]bool{}
		for i := range given {
			for j := range given[i] {
				v := int32(rnd.IntN(len(x) / 3))
				given[i][j], named[v] = v, true
			}
		}
		b, err := NewBody(x, given, 1)
		if err != nil {
			t.Fatal(err)
		}
		var want []r3.Vec
		for v := range int32(len(x) / 3) {
			if named[v] {
				want = append(want, geom.VecOf(x[3*v:]))
			}
		}
		vertices, faces := b.Surface()
		if !slices.Equal(vertices, want) || len(faces) != len(given) {
			t.Fatalf("%d: %v and %d faces, not %v and %d", round, vertices, len(faces), want, len(given))
		}
		for i, f := range faces {
			for j, v := range f {
				if vertices[v] != geom.VecOf(x[3*given[i][j]:]) {
					t.Errorf("%d: corner %d of face %d is %v", round, j, i, vertices[v])
				}
			}
		}
		if len(want) == len(x)/3 && !slices.Equal(faces, given) {
			t.Errorf("%d: all vertices are named, but the faces are %v, not %v", round, faces, given)
		}
		faces[0][0], vertices[0] = -1, r3.Vec{}
		if again, list := b.Surface(); !slices.Equal(again, want) || list[0][0] < 0 {
			t.Errorf("%d: the surface is not a copy", round)
		}
	}
}

// The points inside of a hull are no vertices of its surface, which is closed and seen from
// outside.
func TestSurfacesOfHullsLeaveOutWhatIsInside(t *testing.T) {
	b, err := HullBody([]float64{0.1, 0.1, 0.1, 0, 0, 0, 1, 0, 0, 0.2, 0.1, 0.1, 0, 1, 0, 0, 0, 1})
	if err != nil {
		t.Fatal(err)
	}
	padded, err := b.Padded(0.5)
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range []*Body{b, padded} {
		vertices, faces := b.Surface()
		for _, want := range []r3.Vec{{}, {X: 1}, {Y: 1}, {Z: 1}} {
			if !slices.Contains(vertices, want) || len(vertices) != 4 || len(faces) != 4 {
				t.Fatalf("%v, %v", vertices, faces)
			}
		}
		volume := 0.0
		for _, f := range faces {
			volume += geom.Dot(vertices[f[0]], geom.Cross(vertices[f[1]], vertices[f[2]]))
		}
		if volume != 1 {
			t.Errorf("six times the volume is %v, not 1", volume)
		}
	}
}
