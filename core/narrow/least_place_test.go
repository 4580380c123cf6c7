package narrow

import (
	"math"
	"math/rand/v2"
	"testing"

	"ccd/core/exact"
	"ccd/core/geom"
)

// TestPlacesByBalls: what placeQuickly proves is what integers have, and it proves nearly all that
// is general; where features are equally near it leaves the choice to integers.
func TestPlacesByBalls(t *testing.T) {
	r := rand.New(rand.NewPCG(72, 1))
	for _, kind := range geom.StepKinds {
		proven, general := 0, 0
		for i := range 1200 {
			d := geom.LeastDistance{Kind: kind, T: r.Float64()}
			q := make([]float64, kind.Len())
			switch i % 4 {
			case 0, 1: // In general places, and near each other in comparison with the coordinates.
				far := math.Ldexp(1, -r.IntN(30)*(i%2))
				for k := range q {
					q[k] = r.NormFloat64()
				}
				for k := range 3 {
					q[k] = q[3*kind.Info().Split+k] + far*r.NormFloat64()
				}
			case 2: // On a lattice features are equally near, sides are parallel or points.
				for k := range q {
					q[k] = float64(r.IntN(3))
				}
				d.T = float64(r.IntN(3)) / 2
			case 3: // All are nearly in a plane.
				for k := range q {
					q[k] = r.NormFloat64()
					if k%3 == 2 {
						q[k] = 1e-9 * float64(r.IntN(2))
					}
				}
			}
			n := exact.NearestAt(kind, q, d.T)
			if _, hi := n.Enclose(); hi == 0 {
				continue
			}
			if i%4 == 0 {
				general++
			}
			if !placeQuickly(&d, q) {
				continue
			}
			if i%4 == 0 {
				proven++
			}
			u, v := n.Parameters()
			m := n.Direction()
			if !(math.Abs(d.U-u) <= 0x1p-52 && math.Abs(d.V-v) <= 0x1p-52) {
				t.Fatalf("%v at %v of %v: (%v, %v), integers have (%v, %v)", kind, d.T, q, d.U, d.V, u, v)
			}
			for k := range m {
				if !(math.Abs(m[k]-d.Normal[k]) <= 0x1p-50) {
					t.Fatalf("%v at %v of %v: %v, integers have %v", kind, d.T, q, d.Normal, m)
				}
			}
		}
		if proven < general*98/100 {
			t.Errorf("%v: of %d general pairs %d are proven", kind, general, proven)
		}
	}
}
