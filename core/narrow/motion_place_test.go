package narrow_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"ccd/core/exact/curved"
	"ccd/core/geom"
	"ccd/core/kernel"
	"ccd/core/motion"
	"ccd/core/narrow"
)

// Contacts that kernels place have the bits of SolveMotion, wherever they are in the step: the
// times here are no contacts, so distances are of any size.
func TestMotionPlacesHaveTheBitsOfPlacePiece(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 32))
	rounds := 60
	if testing.Short() {
		rounds = 15
	}
	placed, all := 0, 0
	for round := range rounds {
		for _, kind := range []geom.Kind{geom.VertexFace, geom.EdgeEdge} {
			for degree := 2; degree <= 3; degree++ {
				const n = 70 // more than kernels place at a time
				stride := 3 * (degree + 1)
				c := kernel.Curves{Degree: degree, Rec: make([]float64, 4*n*stride+1)}
				for v := range 4 * n {
					x := c.Rec[stride*v:][:stride]
					for i := range x {
						x[i] = math.Ldexp(rng.Float64()-0.5, (round%5)*rng.IntN(10))
						if i >= 3 && (round%3 == 1 || rng.IntN(9) == 0) {
							x[i] = x[i%3] + math.Ldexp(x[i], -rng.IntN(60)) // moves little
						}
						if i >= 3 && (v%7 < 3 || rng.IntN(9) == 0) && round%2 == 0 {
							x[i] = x[i%3] // rests
						}
						if round%4 == 3 {
							x[i] = math.Round(8 * x[i])
						}
					}
				}
				index, toi, state := make([][4]int32, n), make([]float64, n), make([]uint8, n)
				for i := range index {
					index[i] = [4]int32{int32(4 * i), int32(4*i + 1), int32(4*i + 2), int32(4*i + 3)}
					toi[i] = math.Ldexp(rng.Float64(), -rng.IntN(3)*rng.IntN(20))
					state[i] = kernel.Contact
				}
				var finder curved.CurveFinder
				if round%2 == 1 { // contacts, in place of any times
					finder.Find(&c, kind, index, 1, toi, state)
				} else {
					finder.Find(&c, kind, index, 1, make([]float64, n), make([]uint8, n))
				}
				s, o := narrow.NewSolver(), narrow.DefaultOptions()
				finder.Place(&c, kind, index, toi, state, func(i int, got *geom.Impact) {
					all++
					if got == nil {
						return
					}
					placed++
					m := must(t)(motion.New(4, degree, nil, pathsOf(&c, index[i]), nil))
					var want geom.Impact
					s.PlacePiece(m, kind, m.Control(), &o, toi[i], &want)
					if bitsOf(got) != bitsOf(&want) {
						t.Fatalf("round %d, %v, degree %d, at %v: %+v, PlacePiece %+v",
							round, kind, degree, toi[i], got, want)
					}
				})
			}
		}
	}
	if t.Logf("kernels place %d of %d", placed, all); placed < all/3 || all < 1000 {
		t.Errorf("kernels place only %d of %d", placed, all)
	}
}

// pathsOf returns the control points of four vertices, index by index.
func pathsOf(c *kernel.Curves, at [4]int32) (control []float64) {
	for l := range c.Degree + 1 {
		for _, v := range at {
			control = append(control, c.Rec[3*((c.Degree+1)*int(v)+l):][:3]...)
		}
	}
	return control
}

// bitsOf tells zeros of different signs apart.
func bitsOf(im *geom.Impact) (b [12]uint64) {
	for i, x := range []float64{im.TOILo, im.TOIHi, im.U, im.V, im.Width, im.Point[0], im.Point[1], im.Point[2],
		im.Normal[0], im.Normal[1], im.Normal[2]} {
		b[i] = math.Float64bits(x)
	}
	b[11] = uint64(im.Verdict)<<32 | uint64(im.Flags)
	return b
}
