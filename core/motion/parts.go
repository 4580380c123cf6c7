package motion

import (
	"math"

	"ccd/core/geom"
	"ccd/core/num"
)

// Each piece can be cut into 2^h parts of equal length. Part number i of all pieces is i mod 2^h of
// piece i / 2^h. A part is exact: halves of halves of a piece, whatever the doubles at its ends.
// The parts of a step cover it, ends included.

// MaxHalvings is the largest number of halvings of a piece.
const MaxHalvings = 4

// Part is the interval of time of a part of the step.
type Part struct {
	From   float64 // a lower bound of the times of the part
	length float64 // a lower bound of the part's length
}

// PartOf returns the times of part number i.
//
// The part begins at tau + (tau' - tau) x, x = i mod 2^h / 2^h: the difference and the product are
// rounded down, and so is the sum of terms that are no larger.
func PartOf(m *Motion, i, halvings int) Part {
	j, x := i>>halvings, float64(i&(1<<halvings-1))/float64(int(1)<<halvings)
	h := num.SubDown(m.times[j+1], m.times[j])
	p := Part{From: m.times[j], length: max(0, num.MulDown(h, 1/float64(int(1)<<halvings)))}
	if x > 0 {
		p.From = max(m.times[j], num.AddDown(m.times[j], max(0, num.MulDown(h, x))))
	}
	return p
}

// At converts the time t of the step to the part's own time, which runs from 0 to 1, and rounds up:
// 0 if t is before the part, 1 if it is after.
func (p *Part) At(t float64) float64 {
	if !(t > p.From) {
		return 0
	}
	if late := num.SubUp(t, p.From); late < p.length {
		return min(1, num.DivUp(late, p.length))
	}
	return 1
}

// LoadPart computes part number i of the vertices from to to-1. Each of these may be nil: mid is
// the midlines, in the part's own time; deviation, by vertex and axis, the largest distance of a
// path from them, radii left out; control the control points, vertex by vertex, which may be off by
// PartError.
//
// As in Midlines, what deviates from a line has the distances of the control points at l / k for
// Bernstein coefficients. With M the largest magnitude of a control point of the piece and u =
// 2^-53: a halving averages k times, u M each, together 20u M; l / k errs by u, b - a by 2u M,
// their product by 6u M in all, the sum with a by 3u M more, the difference from the control point
// by 4u M: 13u M; its bound by 3u M (bow); both ends are moved by at most 2M, 3u M, and the moved
// difference errs by 4u M. That makes 43u M, where 64u M are taken, and 2^-1000 for what
// underflows.
func (m *Motion) LoadPart(i, halvings, from, to int, mid *geom.Trajectories, deviation, control []float64) {
	k, block := m.degree, 3*m.n
	all := m.control[block*(k+1)*(i>>halvings):][:block*(k+1)]
	var c [MaxDegree + 1]float64
	for v := from; v < to; v++ {
		for axis := range 3 {
			x, most := 3*v+axis, 0.0
			for l := range k + 1 {
				c[l] = all[block*l+x]
				most = max(most, math.Abs(c[l]))
			}
			for bit := halvings - 1; bit >= 0; bit-- {
				keepHalf(&c, k, i>>bit&1)
			}
			if control != nil {
				for l := range k + 1 {
					control[3*((k+1)*v+l)+axis] = c[l]
				}
			}
			if mid != nil {
				a, b, d := midline(&c, k, m.Refines())
				rec := mid.Rec[8*v+axis : 8*v+axis+5]
				rec[0], rec[4] = a, b
				deviation[x] = num.Up(d + (float64(0x1p-47*most) + 0x1p-1000))
			}
		}
	}
}

// PartError bounds how far a component of the control points of LoadPart is from its true value:
// with M the largest magnitude of any, and as derived there, by 20u M, where 32u M are taken.
// Without halvings they are exact.
func PartError(m *Motion) float64 {
	most := 0.0
	for _, x := range m.control {
		most = max(most, math.Abs(x))
	}
	return float64(0x1p-48*most) + 0x1p-1000
}

// keepHalf replaces the control points of a path of degree k by those of its first half (0) or its
// second.
func keepHalf(c *[MaxDegree + 1]float64, k, half int) {
	switch {
	case k == 2 && half == 0:
		x, y := mean(c[0], c[1]), mean(c[1], c[2])
		c[1], c[2] = x, mean(x, y)
	case k == 2:
		x, y := mean(c[0], c[1]), mean(c[1], c[2])
		c[0], c[1] = mean(x, y), y
	case k == 3:
		x, y, z := mean(c[0], c[1]), mean(c[1], c[2]), mean(c[2], c[3])
		p, q := mean(x, y), mean(y, z)
		if half == 0 {
			c[1], c[2], c[3] = x, p, mean(p, q)
		} else {
			c[0], c[1], c[2] = mean(p, q), q, z
		}
	default:
		for level := 1; level <= k; level++ {
			if half == 0 {
				for l := k; l >= level; l-- {
					c[l] = mean(c[l-1], c[l])
				}
				continue
			}
			for l := range k + 1 - level {
				c[l] = mean(c[l], c[l+1])
			}
		}
	}
}

// mean returns (a + b) / 2.
func mean(a, b float64) float64 { return float64(0.5 * (a + b)) }

// TypicalBend returns the mean over some vertices of how far their paths leave the midlines of the
// pieces. Only speed depends on it.
func TypicalBend(m *Motion) float64 {
	sum, n := 0.0, 0
	var points [MaxDegree + 1]float64
	for v := 0; v < m.n; v += 1 + m.n/256 {
		bend := 0.0
		for j := range m.Pieces() {
			for k := range 3 {
				for l := range m.degree + 1 {
					points[l] = m.at(j, l, v)[k]
				}
				_, _, d := midline(&points, m.degree, m.Refines())
				bend = max(bend, d)
			}
		}
		sum += bend
		n++
	}
	return sum / float64(n)
}

// midline returns the chord of control points, moved into the middle of what deviates from it, and
// the largest deviation: that of the path, or of the control points where paths are enclosed anew.
//
// What deviates from the chord is a polynomial whose Bernstein coefficients are the distances of
// the control points from it at l / k, since these times add up to t.
func midline(c *[MaxDegree + 1]float64, k int, anew bool) (a, b, deviation float64) {
	a, b = c[0], c[k]
	var d [MaxDegree + 1]float64
	at := &fractions[k]
	for l := 1; l < k; l++ {
		d[l] = c[l] - (a + float64(at[l]*(b-a)))
	}
	lo, hi := 0.0, 0.0
	if anew {
		for _, x := range d[1:k] {
			lo, hi = min(lo, x), max(hi, x)
		}
	} else {
		lo, hi = bow(&d, k)
	}
	return centered(a, b, lo, hi)
}

// centered moves a line from a to b into the middle of what deviates from it, from lo <= 0 to hi >=
// 0, and returns its ends and the largest deviation.
func centered(a, b, lo, hi float64) (x, y, deviation float64) {
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
