package overlap

import (
	"errors"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/bvh"
	"ccd/core/contain"
	"ccd/core/engine"
	"ccd/core/status"
)

// stepped returns two solids whose common face goes up and down: no plane separates them, and each
// plane of the face has corners on both sides.
func stepped(n int) (a, b []bvh.Triangle) {
	for i := range n {
		x, next, z := float64(i), float64(i+1), float64(i%3)
		a = append(a, boxTriangles(r3.Vec{X: x, Z: -1}, r3.Vec{X: next, Y: 1, Z: z})...)
		b = append(b, boxTriangles(r3.Vec{X: x, Z: z}, r3.Vec{X: next, Y: 1, Z: 4})...)
	}
	return a, b
}

// A call that is cancelled ends soon, in the search for a plane that separates too: all that is
// left of its work is gone with the next look.
func TestVolumesAreCancelledSoon(t *testing.T) {
	a, b := stepped(40)
	x, y := solidOf(t, a), solidOf(t, b)
	one := contain.Identity()
	for _, at := range []int{1, 2, 3} {
		calls := 0
		var c engine.Call
		progress := func(float64) bool { calls++; return calls >= at }
		if err := c.Begin(&engine.CallOptions{Threads: 1, Progress: progress}); err != nil {
			t.Fatal(err)
		}
		_, err := Measure(&c, x, y, &one, &one, Volume(x), Volume(y), &Options{Shells: Count}, Whole)
		if err = c.End(err); !errors.Is(err, status.ErrCancelled) {
			t.Errorf("cancelled at call %d: %v", at, err)
		}
	}
	var c engine.Call
	if err := c.Begin(&engine.CallOptions{Threads: 1, Progress: func(float64) bool { return true }}); err != nil {
		t.Fatal(err)
	}
	m := measure{c: &c, a: x, b: y, ab: &one}
	w := work{sidesMost, &c.Progress}
	first, second := cornersOf(m.a, m.ab), cornersOf(m.b, &one)
	taken := 0
	for i := 0; i+2 < len(first.at) && w.sides >= 0; i += 3 {
		before := w.sides
		if second.side(first.plane(i), &w); w.sides >= 0 {
			taken += before - w.sides
		}
	}
	if w.sides >= 0 || taken > 64 {
		t.Errorf("%d sides after the call was cancelled, %d left", taken, w.sides)
	}
}

// What precedes the columns is cancelled at each look: of a tree, a solid's edges, its volume; and
// the looks are near each other.
func TestSolidsAreCancelledAtEachLook(t *testing.T) {
	tri := ball(70, r3.Vec{}, 1)
	for at := 1; ; at++ {
		looks := 0
		goOn := func() bool { looks++; return looks < at }
		if s := contain.NewWhile(tri, 1, goOn); s != nil {
			first := looks
			if v, ok := VolumeWhile(s, goOn); ok {
				if want := Volume(contain.New(tri, 1)); v != want {
					t.Errorf("%v after %d looks, not %v", v, looks, want)
				}
				if first < 14+len(tri)/2048 || looks-first < 1+len(tri)/lookEvery {
					t.Errorf("%d and %d looks at %d triangles", first, looks-first, len(tri))
				}
				return
			}
		}
		if looks != at {
			t.Fatalf("%d looks, of which the call was cancelled at %d", looks, at)
		}
	}
}
