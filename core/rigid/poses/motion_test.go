package poses

import (
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/ccdtest"
	"ccd/core/geom"
	"ccd/core/num"
	"ccd/core/status"
)

// trueMotion returns the motion over numbers of 400 bits: position, velocity and acceleration of p
// at the time t.
func trueMotion(m *Motion, p r3.Vec, t *big.Float) (x, v, a [3]*big.Float) {
	return ccdtest.RigidMotion(*m).At(p, t)
}

// anyMotion returns random, with the features that tests are after: static, not turning, far away,
// fast, turning about a pivot.
func anyMotion(r *rand.Rand) Motion {
	v := func(s float64) r3.Vec {
		return r3.Vec{X: s * r.NormFloat64(), Y: s * r.NormFloat64(), Z: s * r.NormFloat64()}
	}
	size := func() float64 { return math.Ldexp(1, r.IntN(30)-15) }
	m := Motion{
		Rotation: quat.Scale(size(),
			quat.Number{Real: r.NormFloat64(), Imag: r.NormFloat64(), Jmag: r.NormFloat64(), Kmag: r.NormFloat64()}),
		Position: v(size()), Velocity: v(size()), AngularVelocity: v(size()),
	}
	switch r.IntN(6) {
	case 0:
		m.Pivot = v(1)
	case 1:
		m.AngularVelocity.X, m.AngularVelocity.Y = 0, 0
	case 2:
		m.Velocity, m.Rotation.Imag = r3.Vec{}, 0
	case 3:
		m = Screw(geom.Pose{Rotation: m.Rotation, Position: m.Position}, v(1), m.AngularVelocity, 0.5)
	}
	return m
}

func holds(b Box, x [3]*big.Float) bool {
	for k := range b {
		if ccdtest.Big(b[k].Lo).Cmp(x[k]) > 0 || ccdtest.Big(b[k].Hi).Cmp(x[k]) < 0 {
			return false
		}
	}
	return true
}

// TestArcHoldsTheMotion compares pose bounds, at points and over intervals, with numbers of 400
// bits.
func TestArcHoldsTheMotion(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for n := range 1500 {
		m := anyMotion(r)
		epoch := []float64{0, 1, -3.7, 1000, 1e6 * r.Float64()}[n%5]
		if err := m.Check(epoch-8, epoch+8); err != nil {
			t.Fatal(err)
		}
		arc := m.Around(epoch)
		p := r3.Vec{X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()}
		lo := r.NormFloat64()
		width := math.Ldexp(r.Float64(), -r.IntN(40)) * float64(n%3)
		tau := num.Interval{Lo: lo, Hi: lo + width}
		over := arc.Over(tau)
		for _, at := range []float64{tau.Lo, min(lo+width*r.Float64(), tau.Hi), tau.Hi} {
			x, _, _ := trueMotion(&m, p, ccdtest.Plus(ccdtest.Big(epoch), ccdtest.Big(at)))
			if !holds(over.Position(p), x) {
				t.Fatalf("motion %+v over %v + %v: does not hold the motion at %v", m, epoch, tau, at)
			}
		}
	}
}

// TestArcIsTight: at a point of time the boxes are as small as rounding allows, however far the
// epoch is; over an interval they are not much wider than what the motion sweeps.
func TestArcIsTight(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 300 {
		m := anyMotion(r)
		m.Position, m.Velocity = r3.Vec{}, r3.Vec{}
		m.AngularVelocity = geom.Scale((0.1+3*r.Float64())/geom.Norm(m.AngularVelocity), m.AngularVelocity)
		p := r3.Add(m.Pivot, r3.Vec{X: 1})
		arc := m.Around(1e5)
		moment := arc.Over(num.Point(0.5))
		for _, b := range moment.Position(p) {
			if w := b.Width(); w > 500*0x1p-53 {
				t.Fatalf("motion %+v: %v wide, %v units", m, w, w*0x1p53)
			}
		}
		const h = 0x1p-10
		moment = arc.Over(num.Interval{Lo: 0.5, Hi: 0.5 + h})
		for _, b := range moment.Position(p) {
			if w := b.Width(); w > 4*h*geom.Norm(m.AngularVelocity) {
				t.Fatalf("motion %+v: %v wide over %v", m, w, h)
			}
		}
	}
}

func TestPoseAt(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for range 300 {
		m := anyMotion(r)
		at := r.NormFloat64()
		pose := m.At(at)
		p := r3.Vec{X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()}
		x, _, _ := trueMotion(&m, p, ccdtest.Big(at))
		scale := geom.Norm(m.Position) + geom.Norm(m.Velocity)*math.Abs(at) + geom.Norm(p) + geom.Norm(m.Pivot) + 1
		for k, c := range geom.Components(pose.Apply(p)) {
			if e, _ := ccdtest.Plus(x[k], ccdtest.Big(-c)).Float64(); math.Abs(e) > 100*0x1p-53*scale {
				t.Fatalf("motion %+v at %v: off by %v", m, at, e)
			}
		}
	}
}

// TestScrewKeepsItsAxis: a point of the axis moves along it alone.
func TestScrewKeepsItsAxis(t *testing.T) {
	on, spin := r3.Vec{X: 1, Y: 2, Z: 3}, r3.Vec{X: 1, Y: -1, Z: 0.5}
	start := geom.Pose{Rotation: quat.Number{Real: 1, Imag: 0.5, Kmag: -0.25}, Position: r3.Vec{X: -4, Y: 0.1}}
	m := Screw(start, on, spin, 3)
	if got := m.At(0); geom.MaxAbs(r3.Sub(got.Position, start.Position)) > 1e-14 {
		t.Errorf("the screw starts at %v, not %v", got.Position, start.Position)
	}
	inverse := geom.Rotation(start.Rotation)
	for _, along := range []float64{-2, 0, 5} {
		q := r3.Add(on, geom.Scale(along, spin))
		local := inverse.ApplyTransposed(r3.Sub(q, start.Position))
		pose := m.At(0.7)
		want := r3.Add(q, geom.Scale(3*0.7/geom.Norm(spin), spin))
		if got := pose.Apply(local); geom.MaxAbs(r3.Sub(got, want)) > 1e-13 {
			t.Errorf("%v of the axis is at %v, not %v", q, got, want)
		}
	}
}

// TestBetweenReachesBothPoses, by the shorter way, with the pivot on a line; quaternions may have
// any length and sign.
func TestBetweenReachesBothPoses(t *testing.T) {
	r := rand.New(rand.NewPCG(62, 1))
	vec := func() r3.Vec { return r3.Vec{X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()} }
	for k := range 400 {
		pose := func() geom.Pose {
			q := quat.Number{Real: r.NormFloat64(), Imag: r.NormFloat64(), Jmag: r.NormFloat64(), Kmag: r.NormFloat64()}
			return geom.Pose{Rotation: quat.Scale(math.Copysign(math.Ldexp(1, r.IntN(200)-100), r.Float64()-0.5), q),
				Position: vec()}
		}
		from, to, pivot, duration := pose(), pose(), vec(), math.Ldexp(r.Float64()+0.1, r.IntN(40)-20)
		switch k % 8 {
		case 0:
			to.Rotation = quat.Scale(-3, from.Rotation)
		case 1: // half a turn
			to.Rotation = geom.Product(quat.Number{Jmag: 2}, from.Rotation)
		case 2: // hardly any
			to.Rotation = geom.Product(quat.Number{Real: 1, Kmag: math.Ldexp(1, -r.IntN(300))}, from.Rotation)
		}
		m, err := Between(from, to, duration, pivot)
		if err != nil {
			t.Fatal(err)
		}
		if angle := geom.Norm(m.AngularVelocity) * duration; angle > math.Pi*(1+1e-15) || k%8 == 0 && angle > 1e-15 {
			t.Errorf("turned by %v", angle)
		}
		a, b := m.At(0), m.At(duration)
		for range 4 {
			p := vec()
			if e := geom.MaxAbs(r3.Sub(a.Apply(p), from.Apply(p))); e > 1e-14 {
				t.Errorf("starts %v off: %+v", e, m)
			}
			if e := geom.MaxAbs(r3.Sub(b.Apply(p), to.Apply(p))); e > 2e-14 {
				t.Errorf("ends %v off: %+v", e, m)
			}
		}
	}
	good := geom.Pose{Rotation: quat.Number{Real: 1}}
	for text, ask := range map[string]func() error{
		"duration is 0": func() error { _, err := Between(good, good, 0, r3.Vec{}); return err },
		"rotation1 is 0: must be": func() error {
			_, err := Between(good, geom.Pose{}, 1, r3.Vec{})
			return err
		},
		"position0[1] is NaN": func() error {
			_, err := Between(geom.Pose{Rotation: good.Rotation, Position: r3.Vec{Y: math.NaN()}}, good, 1, r3.Vec{})
			return err
		},
		"pivot[2]": func() error { _, err := Between(good, good, 1, r3.Vec{Z: 1e61}); return err },
		"velocity[0]": func() error {
			_, err := Between(good, geom.Pose{Rotation: good.Rotation, Position: r3.Vec{X: 1}}, 1e-61, r3.Vec{})
			return err
		},
	} {
		if err := ask(); err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("%v, not %q", err, text)
		}
	}
}

func TestMotionCheck(t *testing.T) {
	good := Motion{Rotation: quat.Number{Real: 1}}
	nan := math.NaN()
	for name, c := range map[string]struct {
		change func(*Motion)
		kind   error
	}{
		"position[1]":            {func(m *Motion) { m.Position.Y = nan }, status.ErrNonFinite},
		"velocity[2]":            {func(m *Motion) { m.Velocity.Z = math.Inf(1) }, status.ErrNonFinite},
		"angular_velocity[0]":    {func(m *Motion) { m.AngularVelocity.X = 1e61 }, status.ErrNonFinite},
		"pivot[0]":               {func(m *Motion) { m.Pivot.X = nan }, status.ErrNonFinite},
		"rotation[2]":            {func(m *Motion) { m.Rotation.Kmag = nan }, status.ErrNonFinite},
		"rotation's":             {func(m *Motion) { m.Rotation.Real = nan }, status.ErrNonFinite},
		"rotation is":            {func(m *Motion) { m.Rotation.Real = 0 }, status.ErrArgument},
		"angular_velocity turns": {func(m *Motion) { m.AngularVelocity.X = 1e13 }, status.ErrArgument},
		"angular_velocity is":    {func(m *Motion) { m.AngularVelocity.X = 1e-70 }, status.ErrArgument},
	} {
		m := good
		c.change(&m)
		err := m.Check(0, 1)
		if !errors.Is(err, c.kind) || len(err.Error()) < len(name) || err.Error()[:len(name)] != name {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := good.Check(-1e60, 1e60); err != nil {
		t.Error(err)
	}
}
