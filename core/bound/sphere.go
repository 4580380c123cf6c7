package bound

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
	"ccd/core/num"
)

// Sphere is a ball: all points within Radius of Center.
type Sphere struct {
	Center r3.Vec
	Radius float64
}

// Enclose returns a sphere that certainly contains all points. Up to rounding, its radius is the
// least possible.
//
// It uses the pivoting scheme of Gartner (1999). The support is the set of at most four points that
// determine the sphere. While a point is outside, the farthest one joins the support, and the new
// support is found among the subsets of these five points. Rounding errors in the support are
// harmless: the final radius is the greatest distance from the center, rounded up.
func Enclose(points []r3.Vec) Sphere {
	if len(points) == 0 {
		return Sphere{}
	}
	support := append(make([]r3.Vec, 0, 5), points[0])
	center, radius2 := points[0], 0.0
	for range maxPivots {
		far, most := -1, radius2*(1+0x1p-40)
		for i, p := range points {
			if d := r3.Sub(p, center); geom.Dot(d, d) > most {
				far, most = i, geom.Dot(d, d)
			}
		}
		if far < 0 {
			break
		}
		s, c, q := smallestSupport(append(support, points[far]))
		if !(q > radius2) {
			break // rounding prevents progress
		}
		support, center, radius2 = append(support[:0], s...), c, q
	}
	return Sphere{center, Reach(points, center)}
}

// maxPivots stops a search that rounding keeps from converging. A few dozen pivots are enough for
// thousands of points.
const maxPivots = 200

// Reach returns an upper bound on the distances of the points from center, the greatest one up to
// rounding. Coordinates must be below 1e150 in magnitude.
//
// With u = 2^-53, differences err by u, and squares and sums by 3u more. The root halves the error
// of the sum, 5u, and adds u: below 4u. The factor 1 + 2^-49 allows 16u. Squares that underflow
// lose less than 2^-1070 together, whose root is below 2^-530.
func Reach(points []r3.Vec, center r3.Vec) float64 {
	most := 0.0
	for _, p := range points {
		d := r3.Sub(p, center)
		most = max(most, geom.Dot(d, d))
	}
	return num.AddUp(num.MulUp(math.Sqrt(most), 1+0x1p-49), 0x1p-530)
}

// smallestSupport returns the support of the smallest sphere around at most five points, the last
// of which is known to be in it.
func smallestSupport(p []r3.Vec) (support []r3.Vec, center r3.Vec, radius2 float64) {
	last := len(p) - 1
	radius2 = math.Inf(1)
	var chosen [4]r3.Vec
	for set := range 1 << last {
		var some [5]r3.Vec
		s := append(some[:0], p[last])
		for i := range last {
			if set>>i&1 == 1 {
				s = append(s, p[i])
			}
		}
		if len(s) > 4 {
			continue
		}
		c, ok := circumcenter(s)
		if !ok {
			continue
		}
		q := 0.0
		for _, x := range p {
			d := r3.Sub(x, c)
			q = max(q, geom.Dot(d, d))
		}
		if q < radius2 {
			support = append(chosen[:0], s...)
			center, radius2 = c, q
		}
	}
	return support, center, radius2
}

// circumcenter returns the point of the affine hull of s that is equally far from all points of s.
// ok is false if it is not finite, as for points that nearly lie in a smaller space.
func circumcenter(s []r3.Vec) (c r3.Vec, ok bool) {
	o := s[0]
	switch len(s) {
	case 1:
		return o, true
	case 2:
		return r3.Add(o, geom.Scale(0.5, r3.Sub(s[1], o))), true
	}
	a, b := r3.Sub(s[1], o), r3.Sub(s[2], o)
	n := geom.Cross(a, b)
	aa, bb := geom.Dot(a, a), geom.Dot(b, b)
	if len(s) == 3 {
		// ((aa b - bb a) x n) / (2 |n|^2)
		c = geom.Scale(1/(2*geom.Dot(n, n)), geom.Cross(r3.Sub(geom.Scale(aa, b), geom.Scale(bb, a)), n))
	} else {
		d := r3.Sub(s[3], o)
		sum := r3.Add(r3.Add(geom.Scale(aa, geom.Cross(b, d)), geom.Scale(bb, geom.Cross(d, a))),
			geom.Scale(geom.Dot(d, d), n))
		c = geom.Scale(1/(2*geom.Dot(n, d)), sum)
	}
	return r3.Add(o, c), geom.MaxAbs(c) <= math.MaxFloat64
}
