package motion

import (
	"fmt"
	"math"

	"ccd/core/num"
	"ccd/core/status"
)

// Bone moves with constant velocity and constant angular velocity, for t in [0, 1]. A point p of
// its rest space is at
//
//	Position + t Velocity + exp(t [AngularVelocity]x) R(Rotation) (p - Pivot)
//
// in real arithmetic, with the doubles as they are, where R(q) is the rotation of q/|q|. Layout and
// meaning are those of rigid.Motion.
type Bone struct {
	Rotation        [4]float64 // w, x, y, z; not 0
	Position        [3]float64
	Velocity        [3]float64
	AngularVelocity [3]float64 // radians per step
	Pivot           [3]float64
}

func (b *Bone) check(name string) error {
	for _, f := range []struct {
		field string
		x     []float64
	}{{"rotation", b.Rotation[:]}, {"position", b.Position[:]}, {"velocity", b.Velocity[:]},
		{"angular_velocity", b.AngularVelocity[:]}, {"pivot", b.Pivot[:]}} {
		for k, x := range f.x {
			if !(math.Abs(x) <= maxMagnitude) {
				return fmt.Errorf("%s.%s[%d] is %v: %w", name, f.field, k, x, errBeyond)
			}
		}
	}
	if b.Rotation == [4]float64{} {
		return fmt.Errorf("%s.rotation is 0: no rotation", name)
	}
	if w := point(b.AngularVelocity).norm().Hi; w > num.MaxAngle {
		return fmt.Errorf("%s.angular_velocity is %v: turns by more than %v radians",
			name, b.AngularVelocity, num.MaxAngle)
	}
	return nil
}

// errBeyond is the error of a number that is not finite or too large for a product of several.
var errBeyond error = beyond{}

type beyond struct{}

func (beyond) Error() string { return "must be finite and at most 1e60 in magnitude" }
func (beyond) Unwrap() error { return status.ErrNonFinite }

// Rigid returns the motion of n points of a rigid body; x are the points in its rest space. degree
// is that of the pieces, 3 or 5, or 0 for 3; pieces is 0 for one a radian of turn.
func Rigid(n int, x []float64, body Bone, degree, pieces int) (*Motion, error) {
	if err := body.check("body"); err != nil {
		return nil, err
	}
	ones := make([]float64, n)
	for i := range ones {
		ones[i] = 1
	}
	return skinned(n, x, []Bone{body}, ones, degree, pieces)
}

// Skinned returns the motion of n points by linear blend skinning: point i is at the sum over the
// bones of weights[i][b] times where the bone brings it. weights has len(bones) numbers for each
// point; they need not add up to 1. degree is as in Rigid; pieces is 0 for one a radian of the turn
// of the fastest bone.
func Skinned(n int, x []float64, bones []Bone, weights []float64, degree, pieces int) (*Motion, error) {
	if len(bones) == 0 {
		return nil, fmt.Errorf("bones is empty: a skin needs at least one")
	}
	for b := range bones {
		if err := bones[b].check(fmt.Sprintf("bones[%d]", b)); err != nil {
			return nil, err
		}
	}
	if len(weights) != n*len(bones) {
		return nil, fmt.Errorf("weights has %d numbers: %d points and %d bones take %d",
			len(weights), n, len(bones), n*len(bones))
	}
	for i, w := range weights {
		if !(math.Abs(w) <= maxMagnitude) {
			return nil, fmt.Errorf("weights[%d][%d] is %v: %w", i/len(bones), i%len(bones), w, errBeyond)
		}
	}
	return skinned(n, x, bones, weights, degree, pieces)
}

func skinned(n int, x []float64, bones []Bone, weights []float64, degree, pieces int) (*Motion, error) {
	if err := checkPoints("x", x, n); err != nil {
		return nil, err
	}
	for i, c := range x {
		if math.Abs(c) > maxMagnitude {
			return nil, fmt.Errorf("x[%d][%d] is %v: %w", i/3, i%3, c, errBeyond)
		}
	}
	s := &skin{x: append([]float64(nil), x...), weights: append([]float64(nil), weights...)}
	turn := 0.0
	for i := range bones {
		b := newTurning(&bones[i])
		s.bones = append(s.bones, b)
		turn = max(turn, b.rate.Hi)
	}
	src := &source{curve: s, x: s.x, weights: s.weights, bodies: len(bones), pivots: make([][3]float64, len(bones))}
	for i := range bones {
		src.pivots[i] = bones[i].Pivot
	}
	return fromCurve(n, degree, pieces, turn, src)
}

// skin is the curve of linear blend skinning.
type skin struct {
	x, weights []float64
	bones      []turning
}

// turning is a bone in intervals.
type turning struct {
	rest           matrix
	pivot          vector
	position       vector
	velocity, axis vector
	rate           num.Interval // |AngularVelocity|
}

func newTurning(b *Bone) (t turning) {
	t.rest, t.pivot = rotation(b.Rotation), point(b.Pivot)
	t.position, t.velocity = point(b.Position), point(b.Velocity)
	t.axis, t.rate = direction(b.AngularVelocity)
	return t
}

// direction encloses the unit vector along w, and the length of w; an axis for 0. Components so
// small that their squares would lose bits are scaled by a power of two first.
func direction(w [3]float64) (u vector, length num.Interval) {
	m := max(math.Abs(w[0]), math.Abs(w[1]), math.Abs(w[2]))
	if m == 0 {
		return vector{num.Point(1)}, num.Interval{}
	}
	_, e := math.Frexp(m)
	for k := range u {
		x := math.Ldexp(w[k], -e)
		u[k] = num.Point(x)
		if math.Ldexp(x, e) != w[k] || x != 0 && math.Abs(x) < 0x1p-1000 {
			u[k] = num.Interval{Lo: num.Down(x), Hi: num.Up(x)}
		}
	}
	n := u.norm()
	for k := range u {
		if u[k] != (num.Interval{}) {
			u[k] = u[k].Div(n)
		}
	}
	s := math.Ldexp(1, e/2)
	r := math.Ldexp(1, e-e/2)
	return u, n.Scale(s).Scale(r)
}

// frame encloses where the bone brings a point at an offset from its pivot.
func (b *turning) frame(t float64, f []frame) {
	for k := range 3 {
		d := turned(vector{b.rest[0][k], b.rest[1][k], b.rest[2][k]}, b.axis, b.rate.Scale(t))
		f[0].column[k] = d
		if b.rate == (num.Interval{}) {
			continue
		}
		across := b.axis.cross(d)
		f[1].column[k] = across.times(b.rate)
		if len(f) > 2 {
			f[2].column[k] = b.axis.cross(across).times(b.rate.Sqr())
		}
	}
	f[0].origin, f[1].origin = b.position.plus(b.velocity.times(num.Point(t))), b.velocity
}

// reach bounds the distance of p from the bone's axis.
func (b *turning) reach(p vector) float64 {
	d := b.rest.apply(p.minus(b.pivot))
	return min(b.axis.cross(d).norm().Hi, d.norm().Hi)
}

func (s *skin) frame(b int, t float64, f []frame) { s.bones[b].frame(t, f) }

// bound returns the sum of |w_b| rate_b^order R_b: the path of a bone's point is a straight line
// and a circle of radius R_b.
func (s *skin) bound(i, order int) (f float64) {
	p := pointAt(s.x, i)
	for j := range s.bones {
		b := &s.bones[j]
		w := math.Abs(s.weights[i*len(s.bones)+j])
		if w == 0 || b.rate.Hi == 0 {
			continue
		}
		r2 := num.MulUp(b.rate.Hi, b.rate.Hi)
		power := num.MulUp(r2, r2)
		if order == 6 {
			power = num.MulUp(power, r2)
		}
		f = num.AddUp(f, num.MulUp(num.MulUp(power, b.reach(p)), w))
	}
	return f
}
