package rigid

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
)

// manyTurns makes two bodies that turn within the balls about each other's pivot, by a hundred
// radians.
func manyTurns(r *rand.Rand, distance float64) *course {
	unit := func() r3.Vec { return r3.Unit(r3.Vec{X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()}) }
	c := &course{a: soup(r, 20), b: soup(r, 20), o: DefaultOptions()}
	c.ma = Motion{Rotation: quat.Number{Real: 1}, AngularVelocity: unit()}
	c.mb = Motion{Rotation: quat.Number{Real: 1, Imag: 0.3}, Position: r3.Vec{X: distance * (c.a.radius + c.b.radius)},
		AngularVelocity: geom.Scale(1.1, unit())}
	c.o.TMax = 100
	return c
}

// TestManyTurnsAreSearchedInParts: the steps of a search that turns for long grow no faster than
// the turns, whatever was near each other at some time; and, with rates and times scaled by a power
// of two, they are the same steps.
func TestManyTurnsAreSearchedInParts(t *testing.T) {
	r := rand.New(rand.NewPCG(60, 1))
	var s Solver
	separate, met := 0, 0
	for range 60 {
		c := manyTurns(r, 0.55+0.4*r.Float64())
		var im, fast Impact
		if err := s.Earliest(c.a, c.b, &c.ma, &c.mb, &c.o, &im); err != nil {
			t.Fatal(err)
		}
		// A search in parts takes some hundred steps; without parts, two million do not end it.
		if im.Verdict == geom.Undecided || im.Iterations > 40000 {
			t.Errorf("%+v of %v", im, c)
		}
		if im.Verdict == geom.Separate {
			separate++
		} else if im.TOILo > 0 {
			met++
		}
		const scale = 1 << 20
		c.ma.AngularVelocity, c.mb.AngularVelocity, c.o.TMax = geom.Scale(scale, c.ma.AngularVelocity),
			geom.Scale(scale, c.mb.AngularVelocity), c.o.TMax/scale
		if err := s.Earliest(c.a, c.b, &c.ma, &c.mb, &c.o, &fast); err != nil {
			t.Fatal(err)
		}
		if im.TOILo *= 1.0 / scale; fast.Verdict != im.Verdict || fast.TOILo != im.TOILo ||
			fast.Iterations != im.Iterations || fast.Distance != im.Distance {
			t.Errorf("%+v slowly, %+v fast", im, fast)
		}
	}
	if separate < 5 || met < 5 {
		t.Errorf("%d separate, %d met on the way", separate, met)
	}
}

// TestPartsCoverTheInterval: what begins or ends where two parts meet is not left out.
func TestPartsCoverTheInterval(t *testing.T) {
	point := func(x float64) *Body {
		b, err := NewBody([]float64{x, 0, 0}, [][3]int32{{0, 0, 0}}, 1)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	// A point on a circle passes through a point at rest at the angle phi, within an angle of the
	// tolerance.
	var s Solver
	for k := range 400 {
		phi := float64(k) * 0.0125 // parts end at whole numbers
		sin, cos := math.Sincos(phi)
		ma, mb := Motion{Rotation: quat.Number{Real: 1}, AngularVelocity: r3.Vec{Z: 1}},
			Motion{Rotation: quat.Number{Real: 1}, Position: r3.Vec{X: cos, Y: sin}}
		o := DefaultOptions()
		o.TMax = 6
		var im Impact
		if err := s.Earliest(point(1), point(0), &ma, &mb, &o, &im); err != nil {
			t.Fatal(err)
		}
		if im.Verdict != geom.Contact || im.TOILo > max(0, phi-0.12e-10) || im.TOILo < phi-1.01e-10 {
			t.Errorf("the points meet at %v: %+v", phi, im)
		}
	}
	if end := partEnd(3, 4, math.Inf(1)); !(end > 3 && end-3 < 1e-15) {
		t.Errorf("a part of nothing ends at %v", end)
	}
}
