package poses

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
	"ccd/core/num"
	"ccd/core/status"
)

// Motion moves a body with constant velocity and constant angular velocity. At the time t its point
// p is at
//
//	Position + t Velocity + exp(t [AngularVelocity]x) R(Rotation) (p - Pivot)
//
// in real arithmetic, with the doubles as they are. R(q) is the rotation of q/|q|, so Rotation need
// not be unit, only not 0. AngularVelocity is in radians per unit of time, in world coordinates.
// Pivot, in the body's coordinates, is the point that moves on a straight line, and Position is
// where it is at t = 0; with Pivot 0 they are the body's center, as in [Buddingh2017]. A body with
// Velocity and AngularVelocity 0 is static; see Screw for screw motions, and Between for two poses.
// The layout is that of ccd_rigid_motion.
type Motion struct {
	Rotation        quat.Number
	Position        r3.Vec
	Velocity        r3.Vec
	AngularVelocity r3.Vec
	Pivot           r3.Vec
}

// Limits of the inputs: lengths, velocities, rates and times lie within MaxMagnitude, and a body
// does not turn by more than num.MaxAngle radians from t = 0. Within them nothing overflows.
const MaxMagnitude = 1e60

// Screw returns the motion of a body, in pose p at t = 0, that turns about the line through
// axisPoint, in the world, with the given angular velocity and slides along it with the given
// speed. It is exactly a screw about an axis that differs by rounding.
func Screw(p geom.Pose, axisPoint, angularVelocity r3.Vec, speed float64) Motion {
	m := geom.Rotation(p.Rotation)
	pivot := m.ApplyTransposed(r3.Sub(axisPoint, p.Position))
	velocity := r3.Vec{}
	if n := geom.Norm(angularVelocity); n > 0 {
		velocity = geom.Scale(speed/n, angularVelocity)
	}
	return Motion{Rotation: p.Rotation, Position: r3.Add(p.Position, m.Apply(pivot)), Velocity: velocity,
		AngularVelocity: angularVelocity, Pivot: pivot}
}

// ofPose names one of two poses in an error about its motion: rotation0, position1.
func ofPose(err error, i int) error {
	text := err.Error()
	for _, name := range []string{"rotation", "position"} {
		if rest, ok := strings.CutPrefix(text, name); ok {
			return status.Errorf(status.Kind(err), "%s%d%s", name, i, rest)
		}
	}
	return err
}

// Between returns the motion from one pose at t = 0 to another at t = duration > 0: the body's
// point pivot goes straight, and the body turns about it at a constant rate, by the shorter way. At
// the duration the pose is the given one up to rounding, which is not the same on all machines.
func Between(from, to geom.Pose, duration float64, pivot r3.Vec) (Motion, error) {
	if !(duration > 0 && duration <= MaxMagnitude) {
		return Motion{}, status.Errorf(status.ErrArgument, "duration is %v: must be in (0, %v]", duration, MaxMagnitude)
	}
	for i, p := range [2]geom.Pose{from, to} {
		m := Motion{Rotation: p.Rotation, Position: p.Position, Pivot: pivot}
		if err := m.Check(0, 0); err != nil {
			return Motion{}, ofPose(err, i)
		}
	}
	at := func(p geom.Pose) r3.Vec {
		r := geom.Rotation(p.Rotation)
		return r3.Add(p.Position, r.Apply(pivot))
	}
	m := Motion{Rotation: from.Rotation, Position: at(from), Pivot: pivot}
	way := r3.Sub(at(to), m.Position)
	m.Velocity = r3.Vec{X: way.X / duration, Y: way.Y / duration, Z: way.Z / duration}
	q := geom.Product(sized(to.Rotation), quat.Conj(sized(from.Rotation)))
	axis := r3.Vec{X: q.Imag, Y: q.Jmag, Z: q.Kmag}
	if q.Real < 0 {
		q.Real, axis = -q.Real, geom.Scale(-1, axis)
	}
	if s := geom.Norm(axis); s > 0 {
		spin := geom.Scale(2*math.Atan2(s, q.Real)/s/duration, axis)
		if geom.MaxAbs(spin) >= 1/MaxMagnitude {
			m.AngularVelocity = spin
		}
	}
	if err := m.Check(0, duration); err != nil {
		return Motion{}, fmt.Errorf("duration is %v, which makes no motion of these poses: %w", duration, err)
	}
	return m, nil
}

// sized returns q with components of at most 1.
func sized(q quat.Number) quat.Number {
	most := max(math.Abs(q.Real), math.Abs(q.Imag), math.Abs(q.Jmag), math.Abs(q.Kmag))
	return quat.Number{Real: q.Real / most, Imag: q.Imag / most, Jmag: q.Jmag / most, Kmag: q.Kmag / most}
}

// Check validates m for times in [t0, t1]; the error begins with the field's name.
func (m *Motion) Check(t0, t1 float64) error {
	for _, f := range []struct {
		name string
		x    r3.Vec
	}{{"position", m.Position}, {"velocity", m.Velocity}, {"angular_velocity", m.AngularVelocity}, {"pivot", m.Pivot}} {
		if err := Finite(f.name, f.x); err != nil {
			return err
		}
	}
	q := m.Rotation
	if err := Finite("rotation", r3.Vec{X: q.Imag, Y: q.Jmag, Z: q.Kmag}); err != nil {
		return err
	}
	if !(math.Abs(q.Real) <= MaxMagnitude) {
		return fmt.Errorf("rotation's real part is %v: %w", q.Real, ErrMagnitude)
	}
	if max(math.Abs(q.Real), math.Abs(q.Imag), math.Abs(q.Jmag), math.Abs(q.Kmag)) < 1/MaxMagnitude {
		return status.Errorf(status.ErrArgument,
			"rotation is 0: must be a quaternion other than 0; no rotation is 1, 0, 0, 0")
	}
	if spin := geom.MaxAbs(m.AngularVelocity); spin != 0 && spin < 1/MaxMagnitude {
		return status.Errorf(status.ErrArgument, "angular_velocity is %v: must be 0, or at least %v",
			m.AngularVelocity, 1/MaxMagnitude)
	}
	if angle := geom.Norm(m.AngularVelocity) * max(math.Abs(t0), math.Abs(t1)); angle > num.MaxAngle/2 {
		return status.Errorf(status.ErrArgument,
			"angular_velocity turns the body by %v radians: must be at most %v; divide the time", angle, num.MaxAngle/2)
	}
	return nil
}

// magnitude is status.ErrNonFinite with the bound of this package.
type magnitude struct{}

var ErrMagnitude error = magnitude{}

func (magnitude) Error() string {
	return fmt.Sprintf("not finite or above %.0e in magnitude", MaxMagnitude)
}

func (magnitude) Is(target error) bool { return target == status.ErrNonFinite }

// Finite checks a vector.
func Finite(name string, v r3.Vec) error {
	for i, x := range []float64{v.X, v.Y, v.Z} {
		if !(math.Abs(x) <= MaxMagnitude) {
			return fmt.Errorf("%s[%d] is %v: %w", name, i, x, ErrMagnitude)
		}
	}
	return nil
}

// At returns the pose at the time t, rounded; its Position is that of the body's origin. Arc
// encloses the true one.
func (m *Motion) At(t float64) geom.Pose {
	hi, lo := m.angle(t)
	q := m.Rotation
	if hi != 0 {
		s, c := num.Sincos(hi/2, lo/2)
		axis := geom.Scale(s/geom.Norm(m.AngularVelocity), m.AngularVelocity)
		q = geom.Product(quat.Number{Real: c, Imag: axis.X, Jmag: axis.Y, Kmag: axis.Z}, q)
	}
	r := geom.Rotation(q)
	return geom.Pose{Rotation: q, Position: r3.Sub(m.Along(t), r.Apply(m.Pivot))}
}

// Rate returns the magnitude hi + lo of AngularVelocity, within rateBound of itself.
//
// The squares are exact pairs; adding their high parts is exact in pairs, and the low parts, below
// 3u of the sum, round by 3u each time: 9u^2 in all. hi is the rounded root, hi^2 is subtracted
// exactly, and lo = (rest)/(2 hi), below 2u hi, rounds by 4u of itself: 8u^2, and the root's next
// term is lo^2/(2 hi) < 2u^2 hi. Together below 19 u^2 + half of 9 u^2 < 64 u^2. Check keeps the
// squares of all that matters away from underflow: below 1e-140 of the largest they are within
// 1e-280 of the sum.
func (m *Motion) Rate() (hi, lo float64) {
	w := m.AngularVelocity
	xh, xl := num.TwoProd(w.X, w.X)
	yh, yl := num.TwoProd(w.Y, w.Y)
	zh, zl := num.TwoProd(w.Z, w.Z)
	sh, e1 := num.TwoSum(xh, yh)
	sh, e2 := num.TwoSum(sh, zh)
	sl := ((xl + yl) + zl) + (e1 + e2)
	hi = math.Sqrt(sh + sl)
	if hi == 0 {
		return 0, 0
	}
	return hi, (math.FMA(-hi, hi, sh) + sl) / (2 * hi)
}

// rateBound bounds the relative error of rate.
const rateBound = 64 * 0x1p-106

// angle returns AngularVelocity's magnitude times t, as a pair within rateBound and u^2 of itself.
func (m *Motion) angle(t float64) (hi, lo float64) {
	wh, wl := m.Rate()
	hi, lo = num.TwoProd(wh, t)
	return hi, lo + float64(wl*t)
}

// Along returns where the pivot is at the time t, rounded.
func (m *Motion) Along(t float64) r3.Vec {
	return r3.Vec{X: math.FMA(m.Velocity.X, t, m.Position.X), Y: math.FMA(m.Velocity.Y, t, m.Position.Y),
		Z: math.FMA(m.Velocity.Z, t, m.Position.Z)}
}
