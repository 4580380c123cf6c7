package motion

import (
	"math"

	"ccd/core/geom"
	"ccd/core/num"
)

// Midlines returns a segment for each vertex, from x0 to x1 as t runs from 0 to until, and the
// largest deviation of its path from it on each axis, radii left out: at any t in [0, until] no
// component of the polynomials is farther from the segment. The segments may cover a little more
// time, all the same: they are those of [0, T], T >= until.
//
// On piece j, the line L at the times xi_l = tau_j + (tau_j+1 - tau_j) l / k has the values of its
// own control points, for the weights B_l(s) sum up l / k to s. So what deviates from it has the
// Bernstein coefficients c_l - L(xi_l). It is bounded by their range, and of one piece by that of
// the polynomial (bow), unless paths are enclosed anew: then all control points are within the
// deviation. The last piece is cut at T, and its control points are those of the part before, by de
// Casteljau's algorithm. Times are relative to T.
//
// Each difference is computed in doubles and increased by its error. With M the largest magnitude
// of x0, x1 and c, and u = 2^-53: de Casteljau's algorithm takes a difference of at most 2M, a
// product and a sum k times, 5k u M <= 25u M; xi in [0, 1] errs by 9u (see until); x1 - x0 errs by
// 2u M; the product with it, of at most 2M, by (18 + 2 + 2) u M, the sum with x0, of at most 3M
// (1 + 22u), by 3u M more, the difference from c by 4u M: less than 55u M, where 64u M are taken,
// and 2^-1000 for what underflows. Of one piece 25u M and the 23u M of LoadPart behind its
// halvings.
func (m *Motion) Midlines(until float64) (x0, x1, deviation []float64) {
	x0, x1, deviation = make([]float64, 3*m.n), make([]float64, 3*m.n), make([]float64, 3*m.n)
	p := m.until(until)
	if len(p.xi) == m.degree+1 {
		midlinesOfPiece(m, p.s, x0, x1, deviation)
		return x0, x1, deviation
	}
	c, block := make([]float64, len(p.xi)), 3*m.n
	for i := range x0 {
		most := 0.0
		for l := range c {
			c[l] = m.control[block*l+i]
			most = max(most, math.Abs(c[l]))
		}
		if p.s < 1 {
			firstPart(c[len(c)-1-m.degree:], p.s)
		}
		a, b := c[0], c[len(c)-1]
		lo, hi := 0.0, 0.0
		for l, t := range p.xi {
			d := c[l] - (a + float64(t*(b-a)))
			lo, hi = min(lo, d), max(hi, d)
		}
		shift := float64(0.5 * (lo + hi))
		a, b = within(a+shift), within(b+shift)
		off := 0.0
		for l, t := range p.xi {
			off = max(off, math.Abs(c[l]-(a+float64(t*(b-a)))))
		}
		most = max(most, math.Abs(a), math.Abs(b))
		x0[i], x1[i] = a, b
		deviation[i] = num.Up(off + (float64(0x1p-47*most) + 0x1p-1000))
	}
	return x0, x1, deviation
}

// midlinesOfPiece is Midlines up to a time s of the first piece, in its own time.
func midlinesOfPiece(m *Motion, s float64, x0, x1, deviation []float64) {
	var c [MaxDegree + 1]float64
	for i := range x0 {
		most := 0.0
		for l := range m.degree + 1 {
			c[l] = m.control[3*m.n*l+i]
			most = max(most, math.Abs(c[l]))
		}
		if s < 1 {
			firstPart(c[:m.degree+1], s)
		}
		a, b, d := midline(&c, m.degree, m.Refines())
		x0[i], x1[i] = a, b
		deviation[i] = num.Up(d + (float64(0x1p-47*most) + 0x1p-1000))
	}
}

// firstPart replaces control points by those of the part [0, s].
func firstPart(c []float64, s float64) {
	for level := 1; level < len(c); level++ {
		for j := len(c) - 1; j >= level; j-- {
			c[j] = c[j-1] + float64(s*(c[j]-c[j-1]))
		}
	}
}

// within brings a coordinate back below the limit.
func within(x float64) float64 { return max(-geom.MaxCoordinate, min(x, geom.MaxCoordinate)) }

// beginning is a motion up to a time T: some pieces, of which the last is cut at s in its own time.
type beginning struct {
	s  float64
	xi []float64 // times of the control points of lines, piece by piece, as fractions of T
}

// leastUntil is the least T of a beginning, so that quotients by it keep their bits.
const leastUntil = 0x1p-900

// until returns the beginning up to T >= t, t >= 0.
//
// T is tau_j + s h exactly, h = tau_j+1 - tau_j and s a double that is rounded up. In doubles it
// errs by 3u of itself: a difference, a product and a sum, of positive terms. A time tau_i +
// (tau_i+1 - tau_i) l / k takes a difference, a quotient, a product and a sum, 4u, and 5u with s;
// the quotient of the two 5 + 3 + 1 = 9u. A piece that begins at 0 is alone: then xi is l / k.
func (m *Motion) until(t float64) beginning {
	t = max(t, leastUntil)
	j := 0
	for j+1 < m.Pieces() && m.times[j+1] < t {
		j++
	}
	b := beginning{s: 1, xi: make([]float64, 0, (j+1)*(m.degree+1))}
	if t < m.times[j+1] {
		b.s = min(1, num.DivUp(num.SubUp(t, m.times[j]), num.SubDown(m.times[j+1], m.times[j])))
	}
	end := m.times[j] + float64(b.s*(m.times[j+1]-m.times[j]))
	for i := range j + 1 {
		h := m.times[i+1] - m.times[i]
		if i == j {
			h = float64(b.s * h)
		}
		for l := range m.degree + 1 {
			x := float64(l) / float64(m.degree)
			if j > 0 {
				x = min(1, (m.times[i]+float64(h*x))/end)
			}
			b.xi = append(b.xi, x)
		}
	}
	b.xi[len(b.xi)-1] = 1
	return b
}

// HasRadii reports whether a radius is above 0.
func (m *Motion) HasRadii() bool { return m.radius != nil }

// ControlOf returns the coordinates of the control points of vertex i of a motion on all pieces.
func ControlOf(m *Motion, i int32) (x []float64) {
	for p := 3 * int(i); p < len(m.control); p += 3 * m.n {
		x = append(x, m.control[p:p+3]...)
	}
	return x
}

// LargestRadius returns the largest radius of vertex i on any piece.
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
