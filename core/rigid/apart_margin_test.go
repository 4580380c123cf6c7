package rigid

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
)

// Points of B as A's coordinates have them, for the boxes of a distance, err by less than what
// docs/proofs/body-distances.md gives them: 310u of the radius, and 96u of the way between pivots.
func TestBoxesOfDistancesErrLessThanDerived(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 9))
	const u = 0x1p-53
	vec := func(size float64) r3.Vec {
		return geom.Scale(size, r3.Vec{X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()})
	}
	turn := func() quat.Number {
		return quat.Number{Real: r.NormFloat64(), Imag: r.NormFloat64(), Jmag: r.NormFloat64(), Kmag: r.NormFloat64()}
	}
	var near, far float64 // the worst errors, in parts of what is derived, of points near and far from the pivots
	for n := range 2000 {
		v := vec(1)
		b, err := NewBody([]float64{v.X, v.Y, v.Z, 0, 0, 0, v.Y, v.Z, v.X}, [][3]int32{{0, 1, 2}}, 1)
		if err != nil {
			t.Fatal(err)
		}
		pa := geom.Pose{Rotation: turn()}
		pb := geom.Pose{Rotation: turn(), Position: vec(math.Ldexp(1, 30*(n%2)))}
		ma, mb := at(&pa), at(&pb)
		var q Ruler
		q.still = true
		q.prepare(b, b, &ma, &mb, 0)
		seen := r3.Add(q.boxes.turn.Apply(v), q.boxes.x)
		frame := rationalFrom(&ma, &mb, 0)
		exact := frame.at(&geom.Vec{v.X, v.Y, v.Z})
		sum := 0.0
		for k, x := range geom.Components(seen) {
			d, _ := new(big.Rat).Sub(exact[k], new(big.Rat).SetFloat64(x)).Float64()
			sum += d * d
		}
		part := math.Sqrt(sum) / (310*u*q.b.radius + 96*u*geom.Norm(pb.Position))
		if n%2 == 0 {
			near = max(near, part)
		} else {
			far = max(far, part)
		}
	}
	t.Logf("%.3f of the bound near the pivots, %.3f far away", near, far)
	if near > 1 || far > 1 {
		t.Error("beyond what is derived")
	}
	if near < 1e-3 || far < 3e-3 {
		t.Error("the test does not look where errors are")
	}
}
