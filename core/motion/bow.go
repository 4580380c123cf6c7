package motion

// bow bounds a polynomial of degree k on [0, 1] that is 0 at both ends, from its Bernstein
// coefficients d.
//
// Any point of it is a convex combination of the control points of the part that it is on, by de
// Casteljau's algorithm at multiples of 1/2 or 1/4: it is between the least and the largest of
// these.
//
//   - Degree 2: those of the halves are 0, d_1 / 2, d_1 / 2, d_1 / 2, 0. The value in the middle is
//     d_1 / 2, so the bound is the range.
//   - Degree 3: those of the quarters are p d_1 + q d_2 for the weights of bowWeights, with p and q
//     exchanged too, and others that are means of two of them. The bound is at most 12 % wider than
//     the range, 5.5 % where the signs of d_1 and d_2 agree (a scan of all d_2 / d_1).
//   - Higher degrees: those of the whole. Halves of them take more time to compute than they save.
//
// With |d| <= 2M and u = 2^-53 a bound errs by at most 3u M: two products and a sum of at most
// 1.5M.
func bow(d *[MaxDegree + 1]float64, k int) (lo, hi float64) {
	switch k {
	case 1:
		return 0, 0
	case 2:
		x := float64(0.5 * d[1])
		return min(x, 0), max(x, 0)
	case 3:
		for _, w := range &bowWeights {
			x, y := float64(w[0]*d[1])+float64(w[1]*d[2]), float64(w[1]*d[1])+float64(w[0]*d[2])
			lo, hi = min(lo, x, y), max(hi, x, y)
		}
		return lo, hi
	}
	for _, x := range d[1:k] {
		lo, hi = min(lo, x), max(hi, x)
	}
	return lo, hi
}

// bowWeights are the weights of d_1 and d_2 in the control points of the first two quarters of a
// polynomial of degree 3: (1/4, 0), (3/8, 1/16), then the mean of this and the next, (15/32, 7/32),
// (7/16, 5/16), and the mean of the last and its mirror image.
var bowWeights = [...][2]float64{{1.0 / 4, 0}, {3.0 / 8, 1.0 / 16}, {15.0 / 32, 7.0 / 32}, {7.0 / 16, 5.0 / 16}}
