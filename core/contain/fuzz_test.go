package contain

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/bvh"
	"ccd/core/ccdtest"
)

// FuzzWinding compares the winding number of two tetrahedra, which may be flat and share corners,
// around a point with the one over rational numbers.
func FuzzWinding(f *testing.F) {
	r := ccdtest.NewRand(42, 1)
	for range 8 {
		var q []float64
		for range 24 {
			q = append(q, float64(r.IntN(4)))
		}
		f.Add(byte(r.IntN(256)), ccdtest.Pack(q))
	}
	f.Fuzz(func(t *testing.T, which byte, raw []byte) {
		if len(raw) < 8*24 {
			return
		}
		q := ccdtest.Unpack(1, 0, 0, 1, raw).Q
		lo, hi := 2000, -2000
		for _, x := range q[:24] {
			if _, e := math.Frexp(x); x != 0 {
				lo, hi = min(lo, e), max(hi, e)
			}
		}
		if hi-lo > 150 {
			return // The rational numbers would take long.
		}
		at := func(i int) r3.Vec { return r3.Vec{X: q[3*i], Y: q[3*i+1], Z: q[3*i+2]} }
		tri := tetrahedron([4]r3.Vec{at(0), at(1), at(2), at(3)})
		if which&1 != 0 {
			tri = append(tri, tetrahedron([4]r3.Vec{at(int(which>>1) % 4), at(4), at(5), at(6)})...)
		}
		checkWinding(t, tri, at(7))
	})
}

func checkWinding(t *testing.T, tri []bvh.Triangle, p r3.Vec) {
	t.Helper()
	s := New(tri, 1)
	if err := s.Closed(); err != nil {
		t.Fatal(err)
	}
	want, on := trueWinding(tri, vec(p))
	got, place := s.Winding(&Point{At: vec(p)})
	if got != want || (place == On) != on {
		t.Fatalf("%d %v, want %d, on %v: %v in %v", got, place, want, on, p, tri)
	}
}

// FuzzMeet compares two triangles with the test over rational numbers.
func FuzzMeet(f *testing.F) {
	r := ccdtest.NewRand(42, 2)
	for range 8 {
		var q []float64
		for range 24 {
			q = append(q, float64(r.IntN(4)))
		}
		f.Add(ccdtest.Pack(q))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		if len(raw) < 8*24 {
			return
		}
		q := ccdtest.Unpack(1, 0, 0, 1, raw).Q
		lo, hi := 2000, -2000
		for _, x := range q[:18] {
			if _, e := math.Frexp(x); x != 0 {
				lo, hi = min(lo, e), max(hi, e)
			}
		}
		if hi-lo > 150 {
			return
		}
		at := func(i int) r3.Vec { return r3.Vec{X: q[3*i], Y: q[3*i+1], Z: q[3*i+2]} }
		a, b := bvh.Triangle{at(0), at(1), at(2)}, bvh.Triangle{at(3), at(4), at(5)}
		one := Identity()
		x, y := Triangle{vec(a[0]), vec(a[1]), vec(a[2])}, Triangle{vec(b[0]), vec(b[1]), vec(b[2])}
		var pa, pb placed
		one.place(&x, &pa)
		one.place(&y, &pb)
		if got, want := meet(&pa, &pb), trianglesMeet(&a, &b); (got == yes) != want || got == maybe {
			t.Fatalf("%v, want %v: %v and %v", got, want, a, b)
		}
	})
}
