package ccdtest

import (
	"math"
	"math/rand/v2"

	"ccd/core/geom"
)

// pythagorean are rotations times 5 and 15, with which dyadic lengths stay dyadic.
var pythagorean = [...]Frame{
	{{3, 4, 0}, {-4, 3, 0}, {0, 0, 5}},
	{{0, 0, 5}, {3, 4, 0}, {-4, 3, 0}},
	{{10, 11, 2}, {-5, 2, 14}, {10, -10, 5}},
}

// Resting draws a pair that rests on another, or nearly: the points of the first primitive at the
// height d over those of the second, some of them higher, at one end of the step or throughout, and
// all of them slide. Planes are those of coordinates, of rotations that are exact, or any, in which
// heights are d up to rounding. Paths are of the degree, in blocks of control points.
func Resting(r *rand.Rand, k geom.Kind, degree int) (control []float64, d float64) {
	height := [...]float64{0.25, 1e-3, 3, r.Float64()}[r.IntN(4)]
	return drawResting(r, k, degree, height, r.IntN(3) == 0, r.IntN(4) == 0)
}

// Coplanar draws a pair like Resting at a height that is 0 or rounding, in any plane.
func Coplanar(r *rand.Rand, k geom.Kind, degree int) (control []float64) {
	control, _ = drawResting(r, k, degree, [...]float64{0, 1e-16, -1e-16}[r.IntN(3)], true, false)
	return control
}

// drawResting draws a pair at a height, in a plane of coordinates, any, or one of exact rotations.
func drawResting(r *rand.Rand, k geom.Kind, degree int, height float64, turned, dyadic bool) (control []float64,
	d float64) {
	frame := NewFrame(r, turned)
	d = height
	scale := 1.0
	if dyadic {
		i := r.IntN(len(pythagorean))
		frame, scale, d = &pythagorean[i], [...]float64{5, 5, 15}[i], 0.25
	}
	length := func() float64 { return float64(r.IntN(33)-16) / 8 }
	if r.IntN(3) == 0 && scale == 1 {
		length = func() float64 { return 2 * (2*r.Float64() - 1) }
	}
	n, first := k.Points(), 1
	if k == geom.EdgeEdge {
		first = 2
	}
	slide := [3]float64{length(), length()}
	apart := r.IntN(3) == 0 // each point slides by itself
	parallel := k == geom.EdgeEdge && r.IntN(3) == 0
	bow := float64(r.IntN(3)-1) / 8
	points := make([][3]float64, n)
	for i := range points {
		points[i] = [3]float64{length(), length(), 0}
		if i < first {
			points[i][2] = d
		}
	}
	if parallel {
		f := length()
		for c := range 2 {
			points[3][c] = points[2][c] + float64(f*(points[1][c]-points[0][c]))
		}
	}
	if !apart && r.IntN(2) == 0 { // a point of the one is over a point of the other, or between two
		i, j, h, at := r.IntN(first), first+r.IntN(n-first), first+r.IntN(n-first), float64(r.IntN(9))/8
		for c := range 2 {
			by := float64(0.5*(points[j][c]+points[h][c])) - points[i][c] - float64(at*slide[c])
			for a := range first {
				points[a][c] += by
			}
		}
	}
	lift, when := make([]float64, n), r.IntN(4)
	for i := range lift {
		if r.IntN(4) == 0 {
			lift[i] = [...]float64{0.5, 2, r.Float64()}[r.IntN(3)]
			if scale != 1 {
				lift[i] = 0.5
			}
			if i >= first {
				lift[i] = -lift[i]
			}
		}
	}
	jitter := r.IntN(6) == 0
	for block := range degree + 1 {
		t := float64(block) / float64(degree)
		inner := block > 0 && block < degree
		for i := range points {
			p := points[i]
			if i < first || apart {
				for c := range 2 {
					p[c] += float64(t * slide[c])
					if apart && block > 0 {
						p[c] += length() / 4
					}
				}
			}
			if when > 1 || when == 1 && block == degree || when == 0 && block == 0 {
				p[2] += lift[i]
			}
			if inner {
				p[0] += bow
				p[2] += bow // all points alike: no change of a distance
			}
			x := frame.At(p[0], p[1], p[2])
			if jitter && r.IntN(2) == 0 {
				x[r.IntN(3)] *= 1 + float64(r.IntN(3)-1)*0x1p-52
			}
			control = append(control, x[:]...)
		}
	}
	return control, d * scale
}

// RestingCase is Resting of degree 1 as a case.
func RestingCase(r *rand.Rand, k geom.Kind) Case {
	c := Case{Family: "resting", Kind: k, TMax: 1}
	c.Q, c.D = Resting(r, k, 1)
	switch r.IntN(8) {
	case 0:
		c.TMax = r.Float64()
	case 1:
		c.D = math.Nextafter(c.D, float64(8*r.IntN(2)))
	}
	return c
}
