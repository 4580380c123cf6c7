package rigid

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/ccdtest"
	"ccd/core/geom"
)

// TestNoSeparationIsAnEighthOfTheTolerance: what a search takes for MinSeparation 0 adds up to no
// more than the tolerance, and to no less but for the last bit; a separation that is given stays as
// it is.
func TestNoSeparationIsAnEighthOfTheTolerance(t *testing.T) {
	r := ccdtest.NewRand(71, 1)
	for range 1000 {
		o := DefaultOptions()
		o.Tolerance = math.Ldexp(1+r.Float64(), r.IntN(400)-200)
		got := o.resolved()
		sum := got.MinSeparation + got.Tolerance
		if got.MinSeparation != o.Tolerance/8 || sum > o.Tolerance || sum < math.Nextafter(o.Tolerance, 0) {
			t.Fatalf("%v becomes %v and %v", o.Tolerance, got.MinSeparation, got.Tolerance)
		}
		if o.MinSeparation = 1e-300; o.resolved() != o {
			t.Fatalf("%+v becomes %+v", o, o.resolved())
		}
	}
}

// TestGrazingWithoutSeparation: a needle passes a plate, and another needle, at a distance: what
// comes within an eighth of the tolerance is in contact, what keeps more than the tolerance is
// separate, and at toi_lo the two are never nearer than an eighth of it.
func TestGrazingWithoutSeparation(t *testing.T) {
	plate := oneFace(t, []r3.Vec{{X: -1, Y: -1}, {X: 1, Y: -1}, {Y: 1}})
	needle := oneFace(t, []r3.Vec{{}, {X: 0.25, Z: 0.5}, {X: 0.25, Z: 0.5}})
	rod := oneFace(t, []r3.Vec{{Y: -1}, {Y: 1}, {Y: 1}})
	var s Solver
	for _, tolerance := range []float64{1e-10, 1e-6, 1.0 / 64} {
		for _, share := range []float64{0, 0.01, 0.1, 0.124, 0.126, 0.5, 0.99, 1.01, 2, 100} {
			for _, under := range []*Body{plate, rod} {
				for _, spin := range []float64{0, 1, -20} { // about the upright axis through the needle's point
					c := course{under, needle, Motion{Rotation: quat.Number{Real: 1}},
						Motion{Rotation: quat.Number{Real: 1}}, DefaultOptions()}
					c.o.Tolerance = tolerance
					c.mb.Position, c.mb.Velocity = r3.Vec{X: -2, Y: -0.25, Z: share * tolerance}, r3.Vec{X: 4}
					c.mb.AngularVelocity.Z = spin
					im := c.solve(t, &s)
					switch {
					case share < 0.125 && im.Verdict != geom.Contact || share > 1 && im.Verdict != geom.Separate ||
						im.Verdict == geom.Undecided:
						t.Errorf("%v of %v above: %+v", share, tolerance, im)
					case im.Verdict != geom.Contact:
						continue
					}
					if d := c.exactDistance(im.TOILo); !(d > tolerance/8*(1-1e-15)-1e-16) || im.Flags != 0 {
						t.Errorf("%v of %v above: a distance of %v at toi_lo, %+v", share, tolerance, d, im)
					}
					if d := c.exactDistance(im.TOIHi); d > tolerance {
						t.Errorf("%v of %v above: a distance of %v at toi_hi, %+v", share, tolerance, d, im)
					}
				}
			}
		}
	}
}

// TestTouchingAtTheStartWithoutSeparation: bodies that touch exactly at TMin are in contact there,
// also where they only turn, slide or part; where what parts is ignored they are separate. Twice
// the tolerance apart, and at rest, they are separate.
func TestTouchingAtTheStartWithoutSeparation(t *testing.T) {
	corners := func(z float64) []float64 { return []float64{-1, -1, z, 1, -1, z, 0, 1, z, 0, 0, 2 * z} }
	faces := [][3]int32{{0, 1, 2}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}
	down, err := NewBody(corners(-1), faces, 1) // its top is at -1, its tip at -2
	if err != nil {
		t.Fatal(err)
	}
	up, err := NewBody(corners(1), faces, 1)
	if err != nil {
		t.Fatal(err)
	}
	var s Solver
	for _, pose := range []struct {
		name string
		b    r3.Vec
	}{
		{"face on face", r3.Vec{Z: -2}}, {"corner on corner", r3.Vec{X: 2, Z: -2}},
		{"edge on edge", r3.Vec{Y: -2, Z: -2}},
	} {
		for _, velocity := range []r3.Vec{{}, {X: 1}, {Z: 1}, {Z: -1}} {
			for _, spin := range []r3.Vec{{}, {Z: 1}} {
				c := course{down, up, Motion{Rotation: quat.Number{Real: 1}}, Motion{Rotation: quat.Number{Real: 1}},
					DefaultOptions()}
				c.mb.Position, c.mb.Velocity, c.mb.AngularVelocity = pose.b, velocity, spin
				if im := c.solve(t, &s); im.Verdict != geom.Contact || im.TOILo != 0 || im.Flags&InitialContact == 0 ||
					im.Distance > 1e-15 {
					t.Errorf("%s, %v, %v: %+v", pose.name, velocity, spin, im)
				}
				if velocity.Z > 0 && pose.name == "face on face" {
					c.o.Flags = IgnoreSeparating
					if im := c.solve(t, &s); im.Verdict != geom.Separate && spin == (r3.Vec{}) {
						t.Errorf("%s, %v, %v, ignoring what parts: %+v", pose.name, velocity, spin, im)
					}
				}
				if velocity == (r3.Vec{}) && spin == (r3.Vec{}) {
					c.o.Flags, c.mb.Position.Z = 0, pose.b.Z+2e-10
					if im := c.solve(t, &s); im.Verdict != geom.Separate {
						t.Errorf("%s, twice the tolerance apart: %+v", pose.name, im)
					}
				}
			}
		}
	}
}
