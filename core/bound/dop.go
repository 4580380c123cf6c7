package bound

import (
	"math"

	"ccd/core/num"
)

// DOP is a kind of discrete oriented polytope: what lies between two planes along each of its
// directions, which are the first of the axes, the diagonals of the sides of a cube, and its four
// diagonals. DOPs are slices of Len floats: the least coordinate along every direction, then minus
// the greatest, so that one minimum joins either.
type DOP int

// DOP16 is that of [Tang2011], DOP18 that of Klosowski et al. 1998.
const (
	DOP6  DOP = 3
	DOP16 DOP = 8
	DOP18 DOP = 9
	DOP26 DOP = 13
)

// directions of all DOPs.
var directions = [DOP26][3]float64{
	{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 0}, {1, 0, 1}, {0, 1, 1}, {1, -1, 0}, {1, 0, -1}, {0, 1, -1},
	{1, 1, 1}, {1, 1, -1}, {1, -1, 1}, {-1, 1, 1},
}

// Len is the number of floats of one.
func (k DOP) Len() int { return 2 * int(k) }

// Clear makes d empty.
func (k DOP) Clear(d []float64) {
	for i := range d[:k.Len()] {
		d[i] = math.Inf(1)
	}
}

// Add widens d to hold the box of all points within r >= 0 of p in the max norm.
//
// The box reaches |s|_1 r along a direction s, whose entries are 0, 1 and -1. Every sum is rounded
// outwards, so d holds it in real arithmetic: for coordinates and radii up to 1e150 nothing
// overflows.
func (k DOP) Add(d []float64, p *[3]float64, r float64) {
	for i := range directions[:k] {
		s := &directions[i]
		d[i] = min(d[i], least(s, p, r))
		d[int(k)+i] = min(d[int(k)+i], least(&[3]float64{-s[0], -s[1], -s[2]}, p, r))
	}
}

// least is a lower bound on s.q for q within r of p.
func least(s, p *[3]float64, r float64) float64 {
	sum := 0.0
	for k, c := range s {
		if c != 0 {
			sum = num.AddDown(sum, float64(c*p[k])) // the product is exact, and so is a sum with nothing
			if r != 0 {
				sum = num.AddDown(sum, -r)
			}
		}
	}
	return sum
}

// Join widens d to hold e.
func (k DOP) Join(d, e []float64) {
	e = e[:k.Len()]
	for i, x := range d[:k.Len()] {
		d[i] = min(x, e[i])
	}
}

// Meet reports whether no direction separates d and e.
func (k DOP) Meet(d, e []float64) bool {
	n := int(k)
	for i := range n {
		if d[i] > -e[n+i] || e[i] > -d[n+i] {
			return false
		}
	}
	return true
}
