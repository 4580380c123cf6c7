package overlap

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/bvh"
	"ccd/core/ccdtest"
	"ccd/core/contain"
	"ccd/core/engine"
)

// TestSmallCornersAreNoSeparation lets a corner of one tetrahedron enter a face of another by
// 2^-40, so that sums of doubles find no volume above 0: it is positive, although planes of faces
// have both solids on one side.
func TestSmallCornersAreNoSeparation(t *testing.T) {
	r, small := ccdtest.NewRand(61, 12), 0
	at := func() r3.Vec { return r3.Vec{X: r.Float64(), Y: r.Float64(), Z: r.Float64()} }
	for range 100 {
		p := [4]r3.Vec{at(), at(), at(), at()}
		if trueVolume(wedge(p)).Sign() <= 0 {
			continue
		}
		center := r3.Scale(1.0/3, r3.Add(r3.Add(p[0], p[1]), p[2]))
		in := r3.Unit(r3.Sub(p[3], center))
		tip := r3.Add(center, r3.Scale(math.Ldexp(1, -40), in))
		out := func() r3.Vec { return r3.Add(r3.Sub(center, in), r3.Scale(0.1, at())) }
		q := [4]r3.Vec{out(), out(), out(), tip}
		if trueVolume(wedge(q)).Sign() <= 0 {
			q[0], q[1] = q[1], q[0]
		}
		a, b := wedge(p), wedge(q)
		want := trueCommon(a, b)
		if want.Sign() <= 0 {
			continue
		}
		got, err := measured(t, a, b, &Options{}, 1)
		if err != nil || !holds(got.Volume, want) || got.Volume.Hi <= 0 {
			t.Fatalf("%v and %v: %v, %v; want %v", p, q, got, err, want)
		}
		small++
	}
	if small < 20 {
		t.Errorf("%d pairs", small)
	}
}

// TestErrorsOfPosesWidenVolumes: of a body whose corners are known up to an error the bracket holds
// the volumes of all bodies that it may be.
func TestErrorsOfPosesWidenVolumes(t *testing.T) {
	var c engine.Call
	if err := c.Begin(&engine.CallOptions{Threads: 1}); err != nil {
		t.Fatal(err)
	}
	const off = 0x1p-30
	box := func(from, to float64) []bvh.Triangle {
		return boxTriangles(r3.Vec{X: from, Y: from, Z: from}, r3.Vec{X: to, Y: to, Z: to})
	}
	b := solidOf(t, box(0, 1))
	one, unsure := contain.Identity(), contain.Identity()
	unsure.Err = off
	a := solidOf(t, box(-0.5, 0.5))
	got, err := Measure(&c, a, b, &unsure, &one, Volume(a), Volume(b), &Options{Tolerance: 1e-12}, Whole)
	if err != nil {
		t.Fatal(err)
	}
	for _, by := range []float64{-off, 0, off} {
		if want := trueCommon(box(-0.5+by, 0.5+by), box(0, 1)); !holds(got.Volume, want) {
			t.Errorf("moved by %v: %v does not hold %v", by, got.Volume, want)
		}
	}
	if width := got.Volume.Hi - got.Volume.Lo; width > 1024*off {
		t.Errorf("%v is %v wide", got.Volume, width)
	}
}
