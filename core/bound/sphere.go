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

// Enclose is the smallest sphere around points, as near as doubles tell: it surely holds all of them, and its radius is
// the least up to rounding.
//
// It is the pivoting scheme of Gartner (1999): the point farthest outside enters the support, the at most four points that
// carry the sphere, until none is outside. Which points carry five is found by trying their subsets. The support is a hint,
// no proof: the radius is at last the greatest distance from the centre, rounded up.
func Enclose(points []r3.Vec) Sphere {
	if len(points) == 0 {
		return Sphere{}
	}
	support := append(make([]r3.Vec, 0, 5), points[0])
	center, square := points[0], 0.0
	for range maxPivots {
		far, most := -1, square*(1+0x1p-40)
		for i, p := range points {
			if d := r3.Sub(p, center); geom.Dot(d, d) > most {
				far, most = i, geom.Dot(d, d)
			}
		}
		if far < 0 {
			break
		}
		s, c, q := carriers(append(support, points[far]))
		if !(q > square) {
			break // rounding: no progress
		}
		support, center, square = append(support[:0], s...), c, q
	}
	return Sphere{center, Reach(points, center)}
}

// maxPivots ends the search where rounding would not; a few dozen pivots serve thousands of points.
const maxPivots = 200

// Reach is the greatest distance of the points from the center, rounded up, for magnitudes below 1e150. Components are
// differences that round by u, squares and sums by 3u more, the root by u/2 more than half of that: below 4u, and the factor
// takes 16u. Squares that underflow lose less than 2^-1070 together, whose root is below the summand.
func Reach(points []r3.Vec, center r3.Vec) float64 {
	most := 0.0
	for _, p := range points {
		d := r3.Sub(p, center)
		most = max(most, geom.Dot(d, d))
	}
	return num.AddUp(num.MulUp(math.Sqrt(most), 1+0x1p-49), 0x1p-530)
}

// carriers chooses, of at most five points of which the last is new, those on the smallest sphere around all.
func carriers(p []r3.Vec) (support []r3.Vec, center r3.Vec, square float64) {
	last := len(p) - 1
	square = math.Inf(1)
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
		if q < square {
			support = append(chosen[:0], s...)
			center, square = c, q
		}
	}
	return support, center, square
}

// circumcenter is the point of the affine hull of s that is equally far from all of s, if rounding leaves one.
func circumcenter(s []r3.Vec) (r3.Vec, bool) {
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
	var c r3.Vec
	if len(s) == 3 {
		// ((aa b - bb a) x n) / 2 |n|^2
		c = geom.Scale(1/(2*geom.Dot(n, n)), geom.Cross(r3.Sub(geom.Scale(aa, b), geom.Scale(bb, a)), n))
	} else {
		d := r3.Sub(s[3], o)
		sum := r3.Add(r3.Add(geom.Scale(aa, geom.Cross(b, d)), geom.Scale(bb, geom.Cross(d, a))), geom.Scale(geom.Dot(d, d), n))
		c = geom.Scale(1/(2*geom.Dot(n, d)), sum)
	}
	return r3.Add(o, c), geom.MaxAbs(c) <= math.MaxFloat64
}
