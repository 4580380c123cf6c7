package penetration

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
	"ccd/core/rigid"
)

// TestDepthOfBodiesHardlyApartWithoutTheirRadii holds depths to their width (law W1) where the bare
// bodies touch but for rounding, so that the direction of their distance says nothing.
func TestDepthOfBodiesHardlyApartWithoutTheirRadii(t *testing.T) {
	body := func(b *rigid.Body, err error) *rigid.Body {
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	for k := range 60 {
		size := 1 + 0.0137*float64(k)
		a := body(rigid.BoxBody([3]float64{1.6 * size, 1.2 * size, 0.8 * size}))
		b := body(rigid.Capsule(0.4*size, 1.2*size))
		for turn := range 8 {
			sin, cos := math.Sincos(float64(turn) * math.Pi / 8)
			pa := geom.Pose{Rotation: quat.Number{Real: cos, Jmag: sin}}
			pb := geom.Pose{Rotation: quat.Number{Real: -0.7071067811865475, Jmag: 0.7071067811865476}}
			pa.Position = geom.Scale(0.2*size, r3.Vec{X: 1, Y: -2, Z: -2})
			pb.Position = geom.Scale(0.2*size, r3.Vec{X: 2, Y: 1, Z: 1})
			for _, draft := range [2]bool{true, false} {
				var s Solver
				var d Depth
				if err := s.depth(a, &pa, b, &pb, rigid.DistanceOptions{}, draft, &d); err != nil {
					t.Fatal(err)
				}
				if !(d.Hi-d.Lo <= 0x1p-36*s.reach()) {
					t.Errorf("size %v, turn %d, draft %v: [%v, %v]", size, turn, draft, d.Lo, d.Hi)
				}
			}
		}
	}
}
