package step

import (
	"math"

	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/num"
)

// Size returns a safe step alpha: for every t in [0, alpha] all pairs keep more than the separation. alpha is TMax if no pair
// comes too near, and with NoZeroTOI it is 0 only if a pair is too near at t = 0, or before t = 2^-1073 (law 8 names the exception).
//
// Distances exceed the separation for t < TOILo and may equal it at TOILo, so alpha is the double before.
func Size(m *mesh.Mesh, x0, x1 []float64, o *Options) (float64, error) {
	im, err := Earliest(m, x0, x1, o)
	switch {
	case err != nil:
		return 0, err
	case im.Verdict != geom.Separate:
		return math.Max(0, num.Down(im.TOILo)), nil
	case o == nil:
		return 1, nil
	}
	return o.TMax, nil
}
