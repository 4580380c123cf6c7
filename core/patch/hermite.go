package patch

import (
	"fmt"
	"math"

	"ccd/core/geom"
	"ccd/core/num"
	"ccd/core/status"
)

// Hermite converts a bicubic Hermite element, as used for shells, to a bicubic Bezier patch. h0 and
// h1 describe the element at the start and at the end of the step: for each of the corners (0,0),
// (0,1), (1,0), (1,1) of the unit square the position and the derivatives by u, by v and by both, 4
// x 4 x 3 doubles. The patch contains a bound on the rounding errors of the conversion.
//
// A curve with ends p, q and derivatives m, n has the control points p, p + m/3, q - n/3, q. This
// rule is applied along u, to the positions and the v-derivatives, and then along v.
func Hermite(h0, h1 []float64) (*Patch, error) {
	for e, h := range [2][]float64{h0, h1} {
		if len(h) != 48 {
			return nil, status.Errorf(status.ErrArgument, "h%d has %d numbers, not 48", e, len(h))
		}
		for i, v := range h {
			if !(math.Abs(v) <= geom.MaxCoordinate/4) { // so that no control point exceeds MaxCoordinate
				return nil, fmt.Errorf("h%d[%d] is %v: %w", e, i, v, status.ErrNonFinite)
			}
		}
	}
	const position, byU, byV, byBoth = 0, 1, 2, 3
	at := func(corner, quantity int) (c control) {
		copy(c.x[:3], h0[12*corner+3*quantity:])
		copy(c.x[3:], h1[12*corner+3*quantity:])
		return c
	}
	var pos, dv [4][2]control // indexed by the control point along u and the end along v
	for j := range 2 {
		along(&pos, j, at(j, position), at(j, byU), at(2+j, position), at(2+j, byU))
		along(&dv, j, at(j, byV), at(j, byBoth), at(2+j, byV), at(2+j, byBoth))
	}
	var grid [16]control
	for i := range 4 {
		grid[4*i] = pos[i][0]
		grid[4*i+1] = addThird(pos[i][0], dv[i][0], 1)
		grid[4*i+2] = addThird(pos[i][1], dv[i][1], -1)
		grid[4*i+3] = pos[i][1]
	}
	return gather(Form{Quad, 3, 3}, grid[:], 4, 0, 0, false), nil
}

// along writes the Bezier points of one Hermite curve to column j of out.
func along(out *[4][2]control, j int, p, m, q, n control) {
	out[0][j], out[1][j], out[2][j], out[3][j] = p, addThird(p, m, 1), addThird(q, n, -1), q
}

// addThird returns p + sign m/3 with its error bound. The quotient, unless it is exact, errs by at
// most 2^-53 of itself and an underflow. TwoSum gives the error of the sum. The errors of p and m
// add with the factors 1 and 1/3. The factor 1 + 2^-20 covers the roundings in the bound itself.
func addThird(p, m control, sign float64) control {
	c := p
	most := 0.0
	for k := range c.x {
		q := m.x[k] / 3
		quotientError := 0.0
		if math.FMA(-3, q, m.x[k]) != 0 || (q != 0 && math.Abs(q) < 0x1p-960) {
			quotientError = float64(0x1p-53*math.Abs(q)) + 0x1p-1074
		}
		var sumError float64
		c.x[k], sumError = num.TwoSum(p.x[k], sign*q)
		most = max(most, quotientError+math.Abs(sumError))
	}
	c.err = (p.err + m.err/3 + most) * (1 + 0x1p-20)
	return c
}
