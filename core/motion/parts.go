package motion

import (
	"math"

	"ccd/core/geom"
	"ccd/core/num"
)

// Part is the midlines of a part of the step, of equal length with its neighbours in the piece.
type Part struct {
	From     float64           // no time of the part is before it
	Midlines geom.Trajectories // in the part's own time, from 0 to 1
}

// MaxHalvings is the largest number of halvings of Parts.
const MaxHalvings = 4

// Parts cuts each piece into 2^halvings parts of equal length, and returns the midlines of each, and by vertex the largest distance of a component
// of its path from that of a midline, on any part, radii left out. A part is exact: halves of halves of a piece, whatever the doubles at its ends.
//
// As in Midlines, a path is off its line by at most its control points' largest distance from the line at l / k. With M the largest magnitude of a control
// point of the piece and u = 2^-53: a halving averages k times, u M each, together 20u M; l / k errs by u, b - a by 2u M, their product by 6u M in all,
// the sum with a by 3u M more, the difference from the control point by 4u M: 13u M; both ends are moved by at most 2M, 3u M, and the moved difference errs by
// 4u M. That makes 40u M, where 64u M are taken, and 2^-1000 for what underflows.
func (m *Motion) Parts(halvings int) (parts []Part, deviation []float64) {
	count, k, block := 1<<halvings, m.degree, 3*m.n
	deviation = make([]float64, m.n)
	parts = make([]Part, m.Pieces()*count)
	for i := range parts {
		j, h := i/count, float64(i%count)/float64(count)
		parts[i].From = m.times[j]
		if h > 0 {
			parts[i].From = max(m.times[j], num.Down(num.Down(m.times[j]+float64(num.Down(m.times[j+1]-m.times[j])*h))))
		}
		parts[i].Midlines.Reserve(m.n)
	}
	var points [(MaxDegree + 1) << MaxHalvings]float64
	for j := range m.Pieces() {
		from := m.control[block*(k+1)*j:]
		for i := range block {
			most := 0.0
			for l := range k + 1 {
				points[l] = from[block*l+i]
				most = max(most, math.Abs(points[l]))
			}
			for h := range halvings {
				for p := 1<<h - 1; p >= 0; p-- {
					halve(points[(k+1)*p:], points[2*(k+1)*p:], k)
				}
			}
			at, off := 8*(i/3)+i%3, 0.0
			for p := range count {
				a, b, d := midline(points[(k+1)*p:][:k+1])
				rec := parts[j*count+p].Midlines.Rec[at : at+5]
				rec[0], rec[4] = a, b
				off = max(off, d)
			}
			deviation[i/3] = max(deviation[i/3], num.Up(off+(float64(0x1p-47*most)+0x1p-1000)))
		}
	}
	return parts, deviation
}

// TypicalBend is the mean over some vertices of how far their paths leave the midlines of the pieces. Only speed depends on it.
func (m *Motion) TypicalBend() float64 {
	sum, n := 0.0, 0
	var points [MaxDegree + 1]float64
	for v := 0; v < m.n; v += 1 + m.n/256 {
		bend := 0.0
		for j := range m.Pieces() {
			for k := range 3 {
				for l := range m.degree + 1 {
					points[l] = m.at(j, l, v)[k]
				}
				_, _, d := midline(points[:m.degree+1])
				bend = max(bend, d)
			}
		}
		sum += bend
		n++
	}
	return sum / float64(n)
}

// halve writes the control points of both halves of a path of degree k, one after the other, to out, which may begin where p does.
func halve(p, out []float64, k int) {
	var x [MaxDegree + 1]float64
	copy(x[:k+1], p)
	for level := range k + 1 {
		out[level], out[2*k+1-level] = x[0], x[k-level]
		for i := range k - level {
			x[i] = 0.5 * (x[i] + x[i+1])
		}
	}
}

// midline is the chord of control points, moved into the middle of what deviates from it, and the largest deviation.
func midline(c []float64) (a, b, deviation float64) {
	k := len(c) - 1
	a, b = c[0], c[k]
	lo, hi := 0.0, 0.0
	for l := 1; l < k; l++ {
		d := c[l] - (a + float64(fractions[k][l]*(b-a)))
		lo, hi = min(lo, d), max(hi, d)
	}
	shift := float64(0.5 * (lo + hi))
	if math.Abs(a+shift) > geom.MaxCoordinate || math.Abs(b+shift) > geom.MaxCoordinate {
		shift = 0
	}
	return a + shift, b + shift, max(hi-shift, shift-lo)
}

// fractions are the quotients l / k, by k and l.
var fractions = func() (q [MaxDegree + 1][MaxDegree + 1]float64) {
	for k := 1; k <= MaxDegree; k++ {
		for l := range k + 1 {
			q[k][l] = float64(l) / float64(k)
		}
	}
	return q
}()
