package motion

import (
	"math"

	"ccd/core/geom"
	"ccd/core/num"
)

// A span is the consecutive pieces first to end-1.

// SpanOf returns the times of a span.
func SpanOf(m *Motion, first, end int) Part {
	return Part{From: m.times[first], length: max(0, num.SubDown(m.times[end], m.times[first]))}
}

// LoadSpan computes the midlines of a span for the vertices from to to-1, in the span's own time,
// and by vertex and axis the largest distance of a path from them, radii left out.
//
// As in Midlines, a path is off its line by at most its control points' largest distance from the
// line at their times xi. With M the largest magnitude of a control point of the span and u =
// 2^-53: xi in [0, 1] errs by 9u (spanTimes), b - a by 2u M, their product of at most 2M by 22u M
// in all, the sum with a by 3u M, the difference from the control point by 4u M: 29u M; both ends
// are moved by at most 2M, 3u M, and the moved difference errs by 4u M. That makes 36u M, where 64u
// M are taken, and 2^-1000 for what underflows. A span whose length has too few bits for its times
// has midlines that rest: then xi does not matter.
func (m *Motion) LoadSpan(first, end, from, to int, mid *geom.Trajectories, deviation []float64) {
	block, n := 3*m.n, 3*(to-from)
	rows := m.control[block*(m.degree+1)*first : block*(m.degree+1)*end]
	xi := spanTimes(m, first, end)
	a, b := rows[3*from:][:n], rows[len(rows)-block+3*from:][:n]
	if m.times[end]-m.times[first] < leastUntil {
		b = a
	}
	lo, hi, most := make([]float64, n), make([]float64, n), make([]float64, n)
	for row, t := range xi {
		for i, c := range rows[block*row+3*from:][:n] {
			d := c - (a[i] + float64(t*(b[i]-a[i])))
			lo[i], hi[i], most[i] = min(lo[i], d), max(hi[i], d), max(most[i], math.Abs(c))
		}
	}
	for i := range n {
		v, axis := from+i/3, i%3
		rec := mid.Rec[8*v+axis : 8*v+axis+5]
		x, y, d := centered(a[i], b[i], lo[i], hi[i])
		rec[0], rec[4] = x, y
		deviation[3*v+axis] = num.Up(d + (float64(0x1p-47*most[i]) + 0x1p-1000))
	}
}

// spanTimes returns the times xi of the control points of a span on its lines, in [0, 1], piece by
// piece.
//
// A time since the beginning of the span takes a difference and the part of a piece, of a
// difference, a quotient and a product, 3u; their sum, of positive terms, 4u of itself; the
// quotient by the length of the span 6u, where 9u are taken.
func spanTimes(m *Motion, first, end int) []float64 {
	xi := make([]float64, 0, (end-first)*(m.degree+1))
	length := m.times[end] - m.times[first]
	for j := first; j < end; j++ {
		since, h := m.times[j]-m.times[first], m.times[j+1]-m.times[j]
		for l := range m.degree + 1 {
			xi = append(xi, min(1, (since+float64(h*fractions[m.degree][l]))/length))
		}
	}
	xi[len(xi)-1] = 1
	return xi
}
