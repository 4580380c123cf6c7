package contain

import (
	"slices"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/bvh"
	"ccd/core/ccdtest"
	"ccd/core/ccdtest/long"
	"ccd/core/engine"
	"ccd/core/geom"
)

// centered returns a box around the origin.
func centered(half float64) []bvh.Triangle {
	p := r3.Vec{X: half, Y: half, Z: half}
	return boxTriangles(geom.Scale(-1, p), p)
}

// TestBetweenShells: a body around a part of the other one is not inside it, whatever the part is.
func TestBetweenShells(t *testing.T) {
	one, a := Identity(), New(centered(2), 1)
	for i, inner := range [][]bvh.Triangle{centered(1), inverted(centered(1))} {
		b := New(slices.Concat(centered(3), inner), 1)
		if r, _, _ := Between(a, b, &one, &one); r != Overlapping {
			t.Errorf("%d: %v", i, r)
		}
		if r, _, _ := Between(b, a, &one, &one); r != Overlapping {
			t.Errorf("%d: %v", i, r)
		}
		// In the cavity is outside, in the part that counts twice is inside.
		want := []Relation{Inside, Outside}[i]
		if r, _, _ := Between(New(centered(0.5), 1), b, &one, &one); r != want {
			t.Errorf("%d: %v, want %v", i, r, want)
		}
	}
}

// TestBetweenWithErrors: a placement that is off by its error changes no relation where points are
// known exactly, and else makes it undecided at most.
func TestBetweenWithErrors(t *testing.T) {
	r := ccdtest.NewRand(44, 1)
	undecided := 0
	for range long.Part(300, 2) {
		a, b := lattice(r), lattice(r)
		want := trueRelation(a, b)
		off := func() *Placement {
			p := Identity()
			p.Err = 0x1p-6
			for k := range p.T {
				p.T[k] = (2*r.Float64() - 1) * 0.9 * p.Err
			}
			p.Exact = rationalOfCorner
			return &p
		}
		ab, ba := off(), off()
		x, y := New(a, 1), New(b, 1)
		if got, _, _ := Between(x, y, ab, ba); got != want {
			t.Fatalf("%v, want %v: %v and %v, off by %v", got, want, a, b, ab.T)
		}
		ab.Exact, ba.Exact = nil, nil
		got, _, _ := Between(x, y, ab, ba)
		if got == Undecided {
			undecided++
		} else if got != want {
			t.Fatalf("%v in floats, want %v: %v and %v, off by %v", got, want, a, b, ab.T)
		}
	}
	if undecided < 5 {
		t.Fatalf("%d undecided", undecided)
	}
}

func rationalOfCorner(v *geom.Vec) *Rational { return rational(*v) }

// TestOpenComponentsContainNothing: a box in a box that lacks any of its triangles is in none.
func TestOpenComponentsContainNothing(t *testing.T) {
	for i := range centered(2) {
		for _, way := range []r3.Vec{{}, {X: 0.5}, {Y: -0.5}, {Z: 0.5}} {
			inner := centered(1)
			for k := range inner {
				for c := range inner[k] {
					inner[k][c] = r3.Add(inner[k][c], way)
				}
			}
			s := New(slices.Concat(slices.Delete(centered(2), i, i+1), inner), 1)
			var call engine.Call
			if err := call.Begin(&engine.CallOptions{}); err != nil {
				t.Fatal(err)
			}
			if list, err := s.Nested(&call); err != nil || len(list) != 0 || s.Components() != 2 {
				t.Fatalf("without triangle %d: %v %v", i, list, err)
			}
		}
	}
}
