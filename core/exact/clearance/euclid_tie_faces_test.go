package clearance

import (
	"math/rand/v2"
	"testing"

	"ccd/core/exact/internal/algebra"
	"ccd/core/geom"
)

// Each feature at one time, whether it is the nearest or not: its point exists and is within d
// where the polynomials of the last stage say so.
func TestEuclideanTieFeatures(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 17))
	within := 0
	for kind := geom.VertexFace; kind <= geom.PointPoint; kind++ {
		for range 400 {
			q := make([]float64, kind.Len())
			for i := range q {
				q[i] = float64(r.IntN(9) - 4)
			}
			d := float64(1 + r.IntN(6))
			var w EuclideanWide
			var x euclideanTie
			w.load(kind, q, d)
			corners := len(Shapes[kind].Corners)
			for end, at := range [2]float64{0.5, 1} {
				x.load(kind, q, d, 0.5, 1)
				for i := range w.Features {
					part := int8(i - corners)
					switch {
					case i < corners:
						part = atCorner + int8(i)
					case i == corners+len(PolygonSides[kind]):
						part = Inner2d
					}
					x.face(PolygonSides[kind], part, end)
					got, want := x.at[end].holds && x.near(end) <= 0, w.Features[i].holds(algebra.BigDyadicOf(at), 0)
					if got != want && x.at[end].nn.Sign() != 0 {
						t.Fatalf("%v %v, d = %v, t = %v, feature %d: within %v, by its polynomials %v",
							kind, q, d, at, part, got, want)
					}
					if got {
						within++
					}
				}
			}
		}
	}
	if within < 1000 {
		t.Errorf("only %d features within d", within)
	}
}
