package ccdtest

import (
	"math/big"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
)

// RigidMotion has the fields of rigid.Motion, which converts to it, and shares nothing else with
// package rigid.
type RigidMotion struct {
	Rotation        quat.Number
	Position        r3.Vec
	Velocity        r3.Vec
	AngularVelocity r3.Vec
	Pivot           r3.Vec
}

// At is the position, the velocity and the acceleration of a body's point p at the time t, over
// numbers of 400 bits: q v q^-1 = v + 2/|q|^2 (w (u x v) + u x (u x v)) with u the vector part of
// q, then Rodrigues' formula.
func (m RigidMotion) At(p r3.Vec, t *big.Float) (x, v, a [3]*big.Float) {
	vec := func(v r3.Vec) [3]*big.Float { return [3]*big.Float{Big(v.X), Big(v.Y), Big(v.Z)} }
	cross := func(a, b [3]*big.Float) (c [3]*big.Float) {
		for k := range c {
			i, j := (k+1)%3, (k+2)%3
			c[k] = Plus(Times(a[i], b[j]), Times(Big(-1), Times(a[j], b[i])))
		}
		return c
	}
	add := func(a [3]*big.Float, s *big.Float, b [3]*big.Float) (c [3]*big.Float) {
		for k := range c {
			c[k] = Plus(a[k], Times(s, b[k]))
		}
		return c
	}
	dot := func(a, b [3]*big.Float) *big.Float {
		return Plus(Plus(Times(a[0], b[0]), Times(a[1], b[1])), Times(a[2], b[2]))
	}
	arm := add(vec(p), Big(-1), vec(m.Pivot))
	u, w := vec(r3.Vec{X: m.Rotation.Imag, Y: m.Rotation.Jmag, Z: m.Rotation.Kmag}), Big(m.Rotation.Real)
	uv := cross(u, arm)
	two := Over(Big(2), Plus(dot(u, u), Times(w, w)))
	arm = add(add(arm, Times(two, w), uv), two, cross(u, uv))
	spin := vec(m.AngularVelocity)
	if s2 := dot(spin, spin); s2.Sign() > 0 {
		rate := new(big.Float).SetPrec(400).Sqrt(s2)
		sin, cos := Sincos(Times(rate, t))
		kv := cross(spin, arm)
		arm = add(add(arm, Over(sin, rate), kv), Over(Plus(Big(1), Times(Big(-1), cos)), s2), cross(spin, kv))
	}
	turn := cross(spin, arm)
	return add(add(vec(m.Position), t, vec(m.Velocity)), Big(1), arm), add(vec(m.Velocity), Big(1), turn),
		cross(spin, turn)
}
