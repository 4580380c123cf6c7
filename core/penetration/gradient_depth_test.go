package penetration

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/ccdtest/long"
	"ccd/core/geom"
	"ccd/core/gradient"
	"ccd/core/rigid"
)

// A depth with derivatives is the depth without: the same bits but where two facets are as near to
// rounding. The derivative by the position is its normal, and its state that of the exact search.
func TestDepthsWithDerivativesAreThoseWithout(t *testing.T) {
	rnd := rand.New(rand.NewPCG(51, 54))
	var s, exact Solver
	same, all := 0, 0
	for range long.Part(20, 20) {
		size := math.Ldexp(1+rnd.Float64(), rnd.IntN(60)-30)
		bodies := bodiesOf(rnd, size)
		for _, a := range bodies {
			for _, b := range bodies {
				pa, pb := poseOf(rnd, size), poseOf(rnd, size)
				var d, e Depth
				var g Gradient
				if err := s.Depth(a, &pa, b, &pb, rigid.DistanceOptions{}, &d); err != nil {
					t.Fatal(err)
				}
				if err := s.Gradient(a, &pa, b, &pb, rigid.DistanceOptions{}, &g); err != nil {
					t.Fatal(err)
				}
				if err := exact.depth(a, &pa, b, &pb, rigid.DistanceOptions{}, false, &e); err != nil {
					t.Fatal(err)
				}
				if all++; g.Depth == d {
					same++
				} else if g.Depth != e {
					t.Errorf("%+v is neither %+v nor %+v", g.Depth, d, e)
				}
				if s.kind != exact.kind {
					t.Errorf("kind %v, exactly %v", s.kind, exact.kind)
				}
				if lack := geom.Norm(r3.Sub(g.PositionB, g.Depth.Normal)); g.State == gradient.Defined && lack > 2e-12 {
					t.Errorf("%v by the position, normal %v", g.PositionB, g.Depth.Normal)
				}
			}
		}
	}
	if float64(same) < 0.9*float64(all) {
		t.Errorf("%d of %d are the same", same, all)
	}
}
