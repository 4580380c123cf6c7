package rigid_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/ccdtest"
	"ccd/core/ccdtest/long"
	"ccd/core/ccdtest/rigids"
	"ccd/core/geom"
	"ccd/core/rigid"
)

// spike returns a tetrahedron of about the given size.
func spike(r *rand.Rand, size float64) (s rigids.Solid) {
	var p [4]r3.Vec
	for k := range p {
		p[k] = r3.Scale(0.6*size, somewhere(r))
	}
	return rigids.Solid{{p[0], p[1], p[2]}, {p[0], p[2], p[3]}, {p[0], p[3], p[1]}, {p[1], p[3], p[2]}}
}

// colliding returns two bodies of about the given size that fly at each other at a place of the
// world, for a unit of time from t on.
func colliding(r *rand.Rand, size, far, t float64) *rigids.Case {
	c := &rigids.Case{O: rigid.DefaultOptions()}
	c.A, c.B = spike(r, size), spike(r, size)
	turn := func() quat.Number {
		return quat.Number{Real: r.NormFloat64(), Imag: r.NormFloat64(), Jmag: r.NormFloat64(), Kmag: r.NormFloat64()}
	}
	at := r3.Scale(far, somewhere(r))
	c.MA = rigid.Motion{Rotation: turn(), Position: at, AngularVelocity: somewhere(r),
		Velocity: r3.Scale(size, somewhere(r))}
	c.MB = rigid.Motion{Rotation: turn(), Position: r3.Add(at, r3.Scale(3*size, somewhere(r))),
		AngularVelocity: somewhere(r)}
	c.MB.Velocity = r3.Add(c.MA.Velocity, r3.Scale(2, r3.Sub(c.MA.Position, c.MB.Position)))
	if c.O.TMin, c.O.TMax = t, t+1; t != 0 {
		for _, m := range []*rigid.Motion{&c.MA, &c.MB} {
			m.Position = r3.Sub(m.Position, r3.Scale(t, m.Velocity))
		}
	}
	return c
}

// most returns the tolerance that ccd.h says 0 stands for, with the whole interval in place of the
// times at which the bodies can meet.
func most(c *rigids.Case) float64 {
	sum := 0.0
	for _, side := range []struct {
		s rigids.Solid
		m *rigid.Motion
	}{{c.A, &c.MA}, {c.B, &c.MB}} {
		r, x := 0.0, 0.0
		for _, tri := range side.s {
			for _, p := range tri {
				r = max(r, geom.Norm(r3.Sub(p, side.m.Pivot)))
			}
		}
		for _, t := range []float64{c.O.TMin, c.O.TMax} {
			x = max(x, geom.Norm(r3.Add(side.m.Position, r3.Scale(t, side.m.Velocity))))
		}
		late := max(math.Abs(c.O.TMin), math.Abs(c.O.TMax))
		sum += 0x1p-40*(r+geom.Norm(side.m.Pivot)) +
			0x1p-46*(x+late*(geom.Norm(side.m.Velocity)+geom.Norm(side.m.AngularVelocity)*r))
	}
	return max(1e-10, (sum+0x1p-43*c.O.MinSeparation)*(1+1e-9))
}

// apart returns bodies of about the given size that fly at each other until they are a separation
// apart, which may be many times the size.
func apart(r *rand.Rand, size, separation float64) *rigids.Case {
	c := colliding(r, size, size, 0)
	way := r3.Unit(somewhere(r))
	c.MB.Position = r3.Add(c.MA.Position, r3.Scale(separation+5*size, way))
	c.MB.Velocity = r3.Sub(c.MA.Velocity, r3.Scale(10*size+0.5*separation*r.Float64(), way))
	c.O.MinSeparation, c.O.Tolerance = separation, 0
	return c
}

// TestDefaultToleranceOfLargeSeparations: bodies whose separation is up to 10^12 times their size
// are decided; contact is as near as the formula says, and the pose at toi_lo keeps the separation,
// in exact arithmetic. A scene finds what the pair has alone.
func TestDefaultToleranceOfLargeSeparations(t *testing.T) {
	n, contacts := long.Part(240, 6), 0
	r := ccdtest.NewRand(98, 4)
	var m rigids.Method
	for k := range n {
		size := math.Ldexp(1, r.IntN(40)-20)
		c := apart(r, size, size*math.Pow(10, float64(k%12)+r.Float64()))
		im, err := m.Solve(c)
		if err != nil {
			t.Fatal(err)
		}
		if im.Verdict == geom.Undecided {
			t.Fatalf("%+v\n%v", im, c)
		}
		if im.Verdict == geom.Separate {
			continue
		}
		contacts++
		if d := c.Exact(im.TOIHi); d > (c.O.MinSeparation+most(c))*(1+1e-15) {
			t.Errorf("a distance of %v at toi_hi, above %v and %v: %+v\n%v", d, c.O.MinSeparation, most(c), im, c)
		}
		if d := c.Exact(im.TOILo); !(d > c.O.MinSeparation*(1-1e-15)) {
			t.Errorf("a distance of %v at toi_lo: %+v\n%v", d, im, c)
		}
		a, _ := rigids.Body(c.A)
		b, _ := rigids.Body(c.B)
		s := rigid.Scene{Bodies: []*rigid.Body{a, b}, Motions: []rigid.Motion{c.MA, c.MB}}
		if found, err := s.Earliest(&c.O); err != nil || found.Impact != im {
			t.Errorf("%+v, alone %+v, %v", found, im, err)
		}
	}
	if contacts < n/2 {
		t.Errorf("only %d contacts", contacts)
	}
}

// TestDefaultToleranceAtAllSizes: with the default tolerance bodies of any size, anywhere and at
// any time, are in contact or separate; contact is as near as the formula says; and their poses at
// toi_lo, rounded as a caller has them, neither touch nor cross, in exact arithmetic.
func TestDefaultToleranceAtAllSizes(t *testing.T) {
	n := 300
	if testing.Short() {
		n = long.Part(40, 2)
	}
	r := ccdtest.NewRand(98, 1)
	var m rigids.Method
	contacts := 0
	for k := range n {
		size := math.Ldexp(1, r.IntN(60)-20)
		c := colliding(r, size, size*math.Pow(10, 9*r.Float64()-1), []float64{0, 0, 100, -3000}[r.IntN(4)])
		c.O.Tolerance = 0
		if k%4 == 0 {
			c.O.MinSeparation = 0.01 * size
		}
		im, err := m.Solve(c)
		if err != nil {
			t.Fatal(err)
		}
		if im.Verdict == geom.Undecided {
			t.Errorf("%+v\n%v", im, c)
		}
		if im.Verdict != geom.Contact || im.Flags != 0 {
			continue
		}
		contacts++
		if d := c.Exact(im.TOIHi); d > c.O.MinSeparation+most(c) {
			t.Errorf("a distance of %v at toi_hi, above %v: %+v\n%v", d, c.O.MinSeparation+most(c), im, c)
		}
		if d := c.Exact(im.TOILo); !(d > max(c.O.MinSeparation, 1.25e-11)*(1-1e-15)) {
			t.Errorf("a distance of %v at toi_lo: %+v\n%v", d, im, c)
		}
		still := rigids.Case{A: c.A, B: c.B, MA: posed(&c.MA, im.TOILo), MB: posed(&c.MB, im.TOILo)}
		if still.Crosses(0) || still.Exact(0) == 0 {
			t.Errorf("the rounded poses at toi_lo cross: %+v\n%v", im, c)
		}
	}
	if contacts < n/4 {
		t.Errorf("only %d contacts", contacts)
	}
}

// posed returns a body at rest where a motion has it at the time t, rounded.
func posed(m *rigid.Motion, t float64) rigid.Motion {
	p := m.At(t)
	return rigid.Motion{Rotation: p.Rotation, Position: p.Position}
}

// TestDefaultToleranceOfLongIntervals: a far end of the interval does not make the tolerance larger
// where the bodies do not meet then; and bodies of size 1 near the origin have 1e-10, as if it were
// given.
func TestDefaultToleranceOfLongIntervals(t *testing.T) {
	r := ccdtest.NewRand(98, 2)
	var m rigids.Method
	contacts := 0
	for range 60 {
		c := colliding(r, 1, 1, 0)
		given, err := m.Solve(c)
		if err != nil {
			t.Fatal(err)
		}
		if c.O.Tolerance = 0; given.Verdict == geom.Contact {
			contacts++
		}
		if im, err := m.Solve(c); err != nil || im != given {
			t.Errorf("%+v by default, %+v with 1e-10, %v", im, given, err)
		}
		c.MA.AngularVelocity, c.MB.AngularVelocity = r3.Vec{}, r3.Vec{}
		c.O.Tolerance, c.O.TMax = 1e-10, 1
		given, err = m.Solve(c)
		c.O.Tolerance, c.O.TMax = 0, 1e12
		if im, err2 := m.Solve(c); err != nil || err2 != nil ||
			given.Verdict == geom.Contact &&
				(im.Verdict != geom.Contact || math.Abs(im.TOILo-given.TOILo) > 1e-9 || im.Distance > 1e-9) {
			t.Errorf("%+v until 1e12, %+v until 1", im, given)
		}
	}
	if contacts < 20 {
		t.Errorf("only %d contacts", contacts)
	}
}

// TestDefaultToleranceOfScenesAndMeshes: the pairs of a scene have the answers that they have
// alone, and bodies over a mesh are decided, also at large sizes.
func TestDefaultToleranceOfScenesAndMeshes(t *testing.T) {
	r := ccdtest.NewRand(98, 3)
	var m rigids.Method
	for _, size := range []float64{1, 1e3, 1e6} {
		for range 20 {
			c := colliding(r, size, size, 0)
			c.O.Tolerance = 0
			alone, err := m.Solve(c)
			if err != nil {
				t.Fatal(err)
			}
			a, _ := rigids.Body(c.A)
			b, _ := rigids.Body(c.B)
			s := rigid.Scene{Bodies: []*rigid.Body{a, b}, Motions: []rigid.Motion{c.MA, c.MB}}
			im, err := s.Earliest(&c.O)
			if err != nil || im.Impact != alone && im.Verdict != geom.Separate {
				t.Errorf("%+v, alone %+v, %v", im, alone, err)
			}
			d := *c
			d.B, d.To = nil, nil
			for _, tri := range c.B {
				var from, to [3]r3.Vec
				for k := range tri {
					from[k] = r3.Add(c.MB.Position, tri[k])
					to[k] = r3.Add(from[k], c.MB.Velocity)
				}
				d.B, d.To = append(d.B, from), append(d.To, to)
			}
			d.MB = rigid.Motion{Rotation: quat.Number{Real: 1}}
			if over, err := m.Solve(&d); err != nil || over.Verdict == geom.Undecided {
				t.Errorf("over a mesh %+v, %v\n%v", over, err, &d)
			}
		}
	}
}
