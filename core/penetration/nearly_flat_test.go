package penetration_test

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"ccd/core/ccdtest/long"
	"ccd/core/rigid"
)

// Faces whose corners are a few units in the last place off a plane: floats do not tell which
// corner is the farthest, and a way out that is as short as another corner allows is none.
func TestDepthOfNearlyFlatFaces(t *testing.T) {
	rnd := rand.New(rand.NewPCG(51, 82))
	for k := range long.Part(60, 6) {
		body := func(sign float64) []float64 {
			x := []float64{0, 0, -3 * sign}
			for i := range 4 {
				off := float64(rnd.IntN(4)) * 0x1p-52
				x = append(x, float64(i%2*2-1), float64(i/2*2-1), sign*(1-off))
			}
			return x
		}
		xa, xb := body(1), body(-1)
		a, b := must(rigid.HullBody(xa)), must(rigid.HullBody(xb))
		pa, pb := unturned(0, 0, 0), unturned(0.125, 0.25, [2]float64{1.9375, 2 - 0x1p-40}[k%2]) // deep, and not
		d := depth(t, a, pa, b, pb)
		ra, rb := ratPoseOf(&pa), ratPoseOf(&pb)
		w := truthOf(ra.all(vecs(xa)), rb.all(vecs(xb)))
		if !checkLaws(t, "nearly flat", &d, &w, new(big.Rat)) {
			t.Error("they do not overlap")
		}
	}
}
