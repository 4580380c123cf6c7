package narrow

import (
	"math"

	"ccd/core/exact"
	"ccd/core/geom"
	"ccd/core/num"
)

// placeShare is how far a point may be from its surface, over the largest coordinate of the pair
// and its radii: 2^9 units of rounding, which docs/proofs/least-distance.md adds up.
const placeShare = 0x1p-44

// PlaceLeast writes what is known of the place of the least distance d of a pair that does not
// touch, at its time: the nearest points of the primitives with these radii, and the unit vector
// between them. The point of F(u, v) that is nearest to 0 is unique, so the normal is that of all
// nearest points, and it is rounded once, however near the primitives are: it is found in integers
// where balls do not prove it. Law D6 of docs/numerics.md.
func PlaceLeast(q []float64, r [2]float64, d *geom.LeastDistance) {
	if !placeQuickly(d, q) {
		n := exact.NearestAt(d.Kind, q, d.T)
		d.U, d.V = n.Parameters()
		d.Normal = n.Direction()
	}
	if d.Kind.Info().Domain == geom.Triangle { // Rounding must not move (u, v) out of the domain.
		d.V = min(d.V, num.SubDown(1, d.U))
	}
	a, b := pointsAt(d.Kind, q, d.T, d.U, d.V)
	for k := range 3 {
		d.PointA[k] = a[k] - float64(r[0]*d.Normal[k])
		d.PointB[k] = b[k] + float64(r[1]*d.Normal[k])
	}
	d.Epsilon = PlaceError(q, r)
}

// PlaceTouching does the same for a pair that touches at its time, or whose surfaces overlap there:
// one point that both have. The distances from b's point, along the line to a's, that are within b
// end at its radius, and those within a begin at its own before a's point; the middle of what both
// have is taken. The normal is that of the contact. An edge and a face that cross keep the point
// that they share.
func PlaceTouching(q []float64, r [2]float64, d *geom.LeastDistance) {
	d.Epsilon = PlaceError(q, r)
	if d.Kind == geom.EdgeFace {
		return
	}
	a, b := pointsAt(d.Kind, q, d.T, d.U, d.V)
	far := math.Hypot(math.Hypot(a[0]-b[0], a[1]-b[1]), a[2]-b[2])
	share := 0.5
	if far > 0 {
		share = 0.5 * (max(0, 1-r[0]/far) + min(1, r[1]/far))
	}
	for k := range 3 {
		d.PointA[k] = b[k] + float64(share*(a[k]-b[k]))
	}
	d.PointB = d.PointA
}

// pointsAt returns the points with the parameters u and v at the time t.
func pointsAt(kind geom.Kind, q []float64, t, u, v float64) (a, b [3]float64) {
	info := kind.Info()
	n, weights := info.Points, info.Weights(u, v)
	for i := range n {
		for k := range 3 {
			x, y := q[3*i+k], q[3*(n+i)+k]
			w := float64(weights[i] * (x + float64(t*(y-x))))
			if i < info.Split {
				a[k] += w
			} else {
				b[k] -= w
			}
		}
	}
	return a, b
}

// PlaceError returns Epsilon of a pair.
func PlaceError(q []float64, r [2]float64) float64 {
	top := max(r[0], r[1])
	for _, x := range q {
		top = max(top, math.Abs(x))
	}
	return math.Nextafter(placeShare*top, math.Inf(1))
}
