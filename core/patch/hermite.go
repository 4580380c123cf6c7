package patch

import (
	"fmt"
	"math"

	"ccd/core/geom"
	"ccd/core/num"
	"ccd/core/status"
)

// Hermite makes the bicubic Bezier patch of a bicubic Hermite element, as shells use them: at each of the corners (0,0),
// (0,1), (1,0), (1,1) of the unit square the position and the derivatives by u, by v and by both, 4 x 4 x 3 doubles at
// either end of the step. The patch carries a bound on what the divisions by three lost.
//
// Along a curve with ends p, q and derivatives m, n the control points are p, p + m/3, q - n/3, q. Applied along u to
// positions and to v-derivatives, then along v.
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
	at := func(corner, what int) (c control) {
		copy(c.x[:3], h0[12*corner+3*what:])
		copy(c.x[3:], h1[12*corner+3*what:])
		return c
	}
	var pos, dv [4][2]control // along u by v end
	for j := range 2 {
		along(&pos, j, at(j, 0), at(j, 1), at(2+j, 0), at(2+j, 1))
		along(&dv, j, at(j, 2), at(j, 3), at(2+j, 2), at(2+j, 3))
	}
	var grid [16]control
	for i := range 4 {
		grid[4*i] = pos[i][0]
		grid[4*i+1] = third(pos[i][0], dv[i][0], 1)
		grid[4*i+2] = third(pos[i][1], dv[i][1], -1)
		grid[4*i+3] = pos[i][1]
	}
	return gather(Form{Quad, 3, 3}, grid[:], 4, 0, 0, false), nil
}

// along writes the Bezier points of one Hermite curve to column j of out.
func along(out *[4][2]control, j int, p, m, q, n control) {
	out[0][j], out[1][j], out[2][j], out[3][j] = p, third(p, m, 1), third(q, n, -1), q
}

// third is p + sign m/3. The quotient errs by U of itself and an underflow, unless it is exact; the sum by what an
// error-free transform says; m's own error counts a third. The factor covers the roundings of the bound.
func third(p, m control, sign float64) control {
	c := p
	worst := 0.0
	for k := range c.x {
		q := m.x[k] / 3
		lost := 0.0
		if math.FMA(-3, q, m.x[k]) != 0 || (q != 0 && math.Abs(q) < 0x1p-960) {
			lost = float64(0x1p-53*math.Abs(q)) + 0x1p-1074
		}
		var e float64
		c.x[k], e = num.TwoSum(p.x[k], sign*q)
		worst = max(worst, lost+math.Abs(e))
	}
	c.err = (p.err + m.err/3 + worst) * (1 + 0x1p-20)
	return c
}
