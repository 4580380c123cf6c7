package motion

import (
	"math"

	"ccd/core/num"
)

// placement is a frame in doubles, with a bound on its error. It maps a vector d to linear d +
// origin.
//
// Let C, c be a frame within intervals, C', c' the doubles in their middle, |C - C'| <= E in the
// Frobenius norm, |c - c'| <= own, N >= |C'|, and d' a double with |d - d'| <= f. With u = 2^-53,
// each row of C' d' takes three products and two sums: it errs by 3u of the sum of the magnitudes
// of its products, so all three by 3u N |d'| in length. The sum with c' is taken with its error, e.
// Together
//
//	|C d + c - y| <= (E + 3u N) |d'| + (N + E) f + own + |e|.
//
// The code takes 4u N for 3u N and (1 + 2^-46) times the whole, which is more than E f, terms of
// second order and the rounding of the bound: 12 operations with terms that are not negative. A
// product that underflows errs by 2^-1075: nine of them by less than what is left of 4u N |d'|, for
// N >= 1 and |d'| >= 2^-1000 or d' = 0, where nothing underflows.
//
// Where C is C' and each of its rows has no entry but one 1 or -1, nothing is rounded in C' d', and
// off is 0: points of bodies that do not turn have radius 0 where nothing else is rounded.
type placement struct {
	linear [9]float64 // a 3 x 3 matrix, row by row
	origin [3]float64
	off    float64 // multiplies the length of d
	size   float64 // N
	own    float64
}

// slack covers 128 roundings of a bound.
const slack = 1 + 0x1p-46

func newPlacement(f *frame) (p placement) {
	e, n := 0.0, 0.0
	for k := range 3 {
		var x [3]float64
		off := f.column[k].settle(x[:])
		for row := range 3 {
			p.linear[3*row+k] = x[row]
			e = num.AddUp(e, num.MulUp(off[row], off[row]))
			n = num.AddUp(n, num.MulUp(x[row], x[row]))
		}
	}
	p.size = max(1, num.SqrtUp(n))
	if e != 0 || !p.permutes() {
		p.off = num.AddUp(num.SqrtUp(e), num.MulUp(0x1p-51, p.size))
	}
	p.own = f.origin.settle(p.origin[:]).length()
	return p
}

// permutes reports whether each row has no entry but one 1 or -1.
func (p *placement) permutes() bool {
	for row := range 3 {
		entries := 0
		for _, x := range p.linear[3*row : 3*row+3] {
			switch {
			case x == 0:
			case math.Abs(x) == 1:
				entries++
			default:
				return false
			}
		}
		if entries != 1 {
			return false
		}
	}
	return true
}

// place writes the image of an arm to y, and returns a bound on its error.
func (p *placement) place(a *arm, y *[3]float64) (off float64) {
	off = float64(p.off*a.length) + float64(p.size*a.off) + p.own
	m, d := &p.linear, &a.d
	for k := range 3 {
		s := float64(m[3*k]*d[0]) + float64(m[3*k+1]*d[1]) + float64(m[3*k+2]*d[2])
		v, e := num.TwoSum(s, p.origin[k])
		y[k] = v + 0 // The sum removes a negative zero.
		off += math.Abs(e)
	}
	return off * slack
}
