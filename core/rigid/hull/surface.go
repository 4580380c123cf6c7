package hull

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
)

// Bounds reports whether triangles, which are closed, are the surface of the hull of points, of
// which its own triangles are given.
//
// A triangle whose plane has all corners on one side lies in the surface of the hull; that of the
// hull need not be looked at. So the winding number is one number w in all of the inside, and the
// volume, a sum of determinants, is w times that of the hull. Seen from a point of the hull all
// determinants have the sign of w if each part of the surface is covered |w| times; a sum that is
// at least half of the sum of magnitudes is not 0 by rounding.
func Bounds(p []r3.Vec, faces, own [][3]int32) bool {
	h := &hull{p: p}
	corners, known := CornerNumbers(own), make(map[[3]int32]bool, len(own))
	for _, f := range own {
		slices.Sort(f[:])
		known[f] = true
	}
	volume, all := 0.0, 0.0
	from := h.p[faces[0][0]]
	for _, f := range faces {
		least, most, key, others := 0, 0, f, corners
		if slices.Sort(key[:]); known[key] {
			others = nil
		}
		for _, c := range others {
			s := h.side(f[0], f[1], f[2], c)
			if least, most = min(least, s), max(most, s); least < 0 && most > 0 {
				return false
			}
		}
		a, b, c := r3.Sub(h.p[f[0]], from), r3.Sub(h.p[f[1]], from), r3.Sub(h.p[f[2]], from)
		det := geom.Dot(a, geom.Cross(b, c))
		volume, all = volume+det, all+math.Abs(det)
	}
	return all > 0 && math.Abs(volume) >= 0.5*all
}

// CornerNumbers returns the corners of triangles, each once, in ascending order.
func CornerNumbers(faces [][3]int32) (list []int32) {
	for i := range faces {
		list = append(list, faces[i][:]...)
	}
	slices.Sort(list)
	return slices.Compact(list)
}
