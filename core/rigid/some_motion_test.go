package rigid

import (
	"ccd/core/ccdtest"
	"math"
	"math/big"
	"math/rand/v2"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
)

// truth returns the motion over numbers of 400 bits: position, velocity and acceleration of p at
// the time t.
func truth(m *Motion, p r3.Vec, t *big.Float) (x, v, a [3]*big.Float) {
	return ccdtest.RigidMotion(*m).At(p, t)
}

// someMotion returns random, with the features that tests are after: static, not turning, far away,
// fast, turning about a pivot.
func someMotion(r *rand.Rand) Motion {
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
	}
	return m
}
