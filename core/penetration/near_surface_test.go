package penetration

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/ccdtest/long"
	"ccd/core/geom"
	"ccd/core/rigid"
)

// Law W1 of balls whose centers are hardly outside of a hull, near a face, an edge or a corner: the
// direction of so short a distance is lost in the rounding of doubles. Some hulls are needles.
func TestDepthOfBallsWithCentersNearASurface(t *testing.T) {
	rnd := rand.New(rand.NewPCG(51, 57))
	wide, drafted, all := 0, 0, 0
	for range long.Part(12000, 30) {
		thin := math.Ldexp(1, -rnd.IntN(24))
		var x []float64
		var p [4]r3.Vec
		for k := range p {
			p[k] = r3.Vec{X: thin * rnd.NormFloat64(), Y: thin * rnd.NormFloat64(), Z: rnd.NormFloat64()}
			x = append(x, p[k].X, p[k].Y, p[k].Z)
		}
		a, b := made(rigid.HullBody(x)), made(rigid.Sphere(0.1+rnd.Float64()))
		n := 1 + rnd.IntN(3)
		var at, rest r3.Vec
		for k := range p {
			if k < n {
				at = r3.Add(at, geom.Scale(1/float64(n), p[k]))
			} else {
				rest = r3.Add(rest, geom.Scale(1/float64(4-n), p[k]))
			}
		}
		out := r3.Sub(at, rest)
		at = r3.Add(at, geom.Scale(math.Ldexp(1, -20-rnd.IntN(24))/geom.Norm(out), out))
		x4 := rnd.NormFloat64
		pa := geom.Pose{Rotation: quat.Number{Real: x4(), Imag: x4(), Jmag: x4(), Kmag: x4()}}
		pb := geom.Pose{Rotation: quat.Number{Real: 1}, Position: pa.Apply(at)}
		for _, draft := range [2]bool{true, false} {
			var s Solver
			var d Depth
			if err := s.depth(a, &pa, b, &pb, rigid.DistanceOptions{}, draft, &d); err != nil {
				t.Fatal(err)
			}
			if draft {
				if all++; s.draft.answered {
					drafted++
				}
			}
			if width := d.Hi - d.Lo; !(width <= float64(0x1p-45*d.Hi)+float64(0x1p-36*s.reach())) {
				if wide++; wide < 4 {
					t.Errorf("corners %d, draft %v: [%v, %v], %v wide", n, draft, d.Lo, d.Hi, width/s.reach())
				}
			}
		}
	}
	if float64(drafted) < 0.3*float64(all) {
		t.Errorf("%d of %d drafted", drafted, all)
	}
}
