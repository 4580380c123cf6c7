package robot

import (
	"math"
	"math/big"

	"gonum.org/v1/gonum/spatial/r3"
)

// holds reports whether a point that is not on the surface is inside of a closed shape: its winding
// number around the point is not 0.
//
// The winding number is the sum of the signs of the triangles that a ray from the point passes
// through, if the ray meets no edge. With a, b, c the corners of a triangle less the point and r
// the direction of the ray, the line along r passes through the triangle if det(r, a, b), det(r,
// b, c) and det(r, c, a) have one sign, and the ray does if det(a, b, c) has that sign too.
func (s *solid) holds(p r3.Vec) bool {
	if sum, ok := s.crossings(p, r3.Vec{X: 1}, true); ok {
		return sum != 0
	}
	// Directions (1, k, k^2): a plane through the point holds two of them at most, so one of them
	// meets no edge, however many triangles there are.
	for k := range 2*len(s.faces)*3 + 8 {
		f := float64(k + 2)
		if sum, ok := s.crossings(p, r3.Vec{X: 1, Y: f, Z: f * f}, false); ok {
			return sum != 0
		}
	}
	return false
}

// crossings returns the sum of signs along a ray, false if the ray may meet an edge. A ray along
// the first axis meets no triangle that the other coordinates exclude.
func (s *solid) crossings(p, r r3.Vec, axis bool) (sum int, ok bool) {
	for _, f := range s.faces {
		a, b, c := s.x[f[0]], s.x[f[1]], s.x[f[2]]
		if axis && (min(a.Y, b.Y, c.Y) > p.Y || max(a.Y, b.Y, c.Y) < p.Y || min(a.Z, b.Z, c.Z) > p.Z ||
			max(a.Z, b.Z, c.Z) < p.Z || max(a.X, b.X, c.X) < p.X) {
			continue
		}
		one, sure := crossing(a, b, c, p, r)
		if !sure {
			return 0, false
		}
		sum += one
	}
	return sum, true
}

// crossing returns what a triangle adds to the winding number, false if the ray may meet an edge.
func crossing(a, b, c, p, r r3.Vec) (int, bool) {
	sides := [3]int{sideOf(r, a, b, p), sideOf(r, b, c, p), sideOf(r, c, a, p)}
	low, high := min(sides[0], sides[1], sides[2]), max(sides[0], sides[1], sides[2])
	switch {
	case low < 0 && high > 0:
		return 0, true
	case low == 0 || high == 0:
		return 0, false
	}
	if front := determinant(a, b, c, p); front == sides[0] {
		return front, true
	}
	return 0, true
}

// sideOf returns the sign of det(r, a - p, b - p).
func sideOf(r, a, b, p r3.Vec) int {
	if s, ok := signOf(r, r3.Sub(a, p), r3.Sub(b, p)); ok {
		return s
	}
	return exactSign(ratVec(r), ratLess(a, p), ratLess(b, p))
}

// determinant returns the sign of det(a - p, b - p, c - p).
func determinant(a, b, c, p r3.Vec) int {
	if s, ok := signOf(r3.Sub(a, p), r3.Sub(b, p), r3.Sub(c, p)); ok {
		return s
	}
	return exactSign(ratLess(a, p), ratLess(b, p), ratLess(c, p))
}

// signOf returns the sign of det(a, b, c) of three differences of doubles if it is certain. Each of
// its six products passes through three differences, two products and three sums at most: it errs
// by less than 9u of its size, and what underflows is below 1e-300 times the lengths.
func signOf(a, b, c r3.Vec) (int, bool) {
	det, size := 0.0, 0.0
	add := func(x, y1, z2, y2, z1 float64) {
		p, q := float64(y1*z2), float64(y2*z1)
		det += float64(x * (p - q))
		size += float64(math.Abs(x) * (math.Abs(p) + math.Abs(q)))
	}
	add(a.X, b.Y, c.Z, b.Z, c.Y)
	add(a.Y, b.Z, c.X, b.X, c.Z)
	add(a.Z, b.X, c.Y, b.Y, c.X)
	if bound := float64(16*unit*size) + 1e-200; math.Abs(det) <= bound || !(size < math.Inf(1)) {
		return 0, false
	}
	if det > 0 {
		return 1, true
	}
	return -1, true
}

type ratVector [3]*big.Rat

func ratVec(v r3.Vec) ratVector {
	return ratVector{new(big.Rat).SetFloat64(v.X), new(big.Rat).SetFloat64(v.Y), new(big.Rat).SetFloat64(v.Z)}
}

func ratLess(a, b r3.Vec) ratVector {
	x, y := ratVec(a), ratVec(b)
	for i := range x {
		x[i].Sub(x[i], y[i])
	}
	return x
}

func exactSign(a, b, c ratVector) int {
	sum := new(big.Rat)
	for i := range 3 {
		k, l := (i+1)%3, (i+2)%3
		p := new(big.Rat).Mul(b[k], c[l])
		p.Sub(p, new(big.Rat).Mul(b[l], c[k]))
		sum.Add(sum, p.Mul(p, a[i]))
	}
	return sum.Sign()
}
