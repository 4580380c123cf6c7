package motion

import (
	"math"

	"ccd/core/geom"
	"ccd/core/num"
)

// Midlines returns a segment for each vertex, from x0 to x1 as t runs from 0 to 1, and the largest deviation of its path from it on each axis, radii left
// out: at any t no component of the polynomials is farther from the segment.
//
// On piece j, the line L at the times xi_l = tau_j + (tau_j+1 - tau_j) l / k has the values of its own control points, for the weights
// B_l(s) sum up l / k to s. So a path is off by at most its control points' largest |c_l - L(xi_l)|.
//
// Each difference is computed in doubles and increased by its error. With M the largest magnitude of x0, x1 and c, and u = 2^-53: xi in [0, 1] takes a
// difference, a quotient, a product and a sum, 4u together; x1 - x0 errs by 2u M; the product with it, of at most 2M, by (8 + 2 + 2) u M, the sum with x0,
// of at most 3M (1 + 12u), by 3u M more, the difference from c by 4u M: less than 20u M, where 32u M are taken, and 2^-1000 for what underflows.
func (m *Motion) Midlines() (x0, x1, deviation []float64) {
	x0, x1, deviation = make([]float64, 3*m.n), make([]float64, 3*m.n), make([]float64, 3*m.n)
	xi := m.controlTimes()
	for i := range m.n {
		for k := range 3 {
			at := func(c int) float64 { return m.control[3*(c*m.n+i)+k] }
			a, b := at(0), at(len(xi)-1)
			lo, hi := 0.0, 0.0
			for c, t := range xi {
				d := at(c) - (a + float64(t*(b-a)))
				lo, hi = min(lo, d), max(hi, d)
			}
			shift := float64(0.5 * (lo + hi))
			a, b = within(a+shift), within(b+shift)
			off, most := 0.0, max(math.Abs(a), math.Abs(b))
			for c, t := range xi {
				x := at(c)
				off = max(off, math.Abs(x-(a+float64(t*(b-a)))))
				most = max(most, math.Abs(x))
			}
			x0[3*i+k], x1[3*i+k] = a, b
			deviation[3*i+k] = num.Up(off + (float64(0x1p-48*most) + 0x1p-1000))
		}
	}
	return x0, x1, deviation
}

// within brings a coordinate back below the limit.
func within(x float64) float64 { return max(-geom.MaxCoordinate, min(x, geom.MaxCoordinate)) }

// controlTimes are the times of the control points on lines, piece by piece.
func (m *Motion) controlTimes() []float64 {
	xi := make([]float64, 0, m.Pieces()*(m.degree+1))
	for j := range m.Pieces() {
		for l := range m.degree + 1 {
			t := m.times[j] + float64((m.times[j+1]-m.times[j])*(float64(l)/float64(m.degree)))
			if l == m.degree {
				t = m.times[j+1]
			}
			xi = append(xi, t)
		}
	}
	return xi
}

// HasRadii reports whether a radius is above 0.
func (m *Motion) HasRadii() bool { return m.radius != nil }

// LargestRadius is the largest radius of vertex i on any piece.
func (m *Motion) LargestRadius(i int) float64 {
	if m.radius == nil {
		return 0
	}
	most := 0.0
	for j := range m.Pieces() {
		most = max(most, m.radius[j*m.n+i])
	}
	return most
}
