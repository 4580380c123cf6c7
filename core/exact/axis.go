package exact

import "ccd/core/geom"

// apartOnAxis reports whether on some coordinate axis one primitive is strictly above the other at
// t = 0 and at t = 1. It is then above at all times, because coordinates move linearly. False
// proves nothing. Comparisons are exact.
func apartOnAxis(domain geom.Domain, q *[24]float64) bool {
	for k := range 3 {
		// a, b, c, d are the points' coordinates at t = 0, and e, f, g, h those at t = 1.
		a, b, c, d := q[k], q[3+k], q[6+k], q[9+k]
		e, f, g, h := q[12+k], q[15+k], q[18+k], q[21+k]
		if domain == geom.Square { // The edges are (a, b) and (c, d); otherwise the vertex is a.
			if a > c && a > d && b > c && b > d && e > g && e > h && f > g && f > h ||
				a < c && a < d && b < c && b < d && e < g && e < h && f < g && f < h {
				return true
			}
		} else if a > b && a > c && a > d && e > f && e > g && e > h ||
			a < b && a < c && a < d && e < f && e < g && e < h {
			return true
		}
	}
	return false
}
