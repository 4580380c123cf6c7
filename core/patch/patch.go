package patch

import (
	"fmt"
	"math"

	"ccd/core/geom"
	"ccd/core/status"
)

// Patch is one moving primitive. Its fields are fixed once it is made; patches may share storage.
type Patch struct {
	Form   Form
	X0, X1 []float64 // control points at t=0 and t=1, n x 3
	W      []float64 // positive weights, or nil: all equal

	// Err bounds the error of a coordinate of a control point at either end, and WErr the relative
	// error of a weight. They are zero for patches given by control points, and else bound the
	// rounding of the conversion (NURBS, Hermite). The solver widens its bounds by them.
	Err, WErr float64

	trimming *trimming // nil, or which part of the patch counts
}

// New makes a patch of the given control points, which it keeps; w may be nil. Errors name the
// argument and the index.
func New(f Form, x0, x1, w []float64) (*Patch, error) {
	p := &Patch{Form: f, X0: x0, X1: x1, W: w}
	if err := p.Check(); err != nil {
		return nil, err
	}
	return p, nil
}

// MaxWeightRatio is the largest quotient of two weights of a patch. Beyond it, the bounds on
// averages would be too wide to be useful.
const MaxWeightRatio = 0x1p100

// Check reports the first thing that is wrong: the form, a count, a coordinate, a weight.
func (p *Patch) Check() error {
	if err := p.Form.Check(); err != nil {
		return err
	}
	n := p.Form.Points()
	if err := checkPoints(n, p.X0, p.X1); err != nil {
		return err
	}
	if !(p.Err >= 0 && p.Err <= geom.MaxCoordinate) {
		return status.Errorf(status.ErrArgument, "bound %v on the error of control points", p.Err)
	}
	if !(p.WErr >= 0 && p.WErr < 0x1p-20) {
		return status.Errorf(status.ErrArgument, "bound %v on the error of weights: must be below 2^-20", p.WErr)
	}
	return checkWeights(n, p.W)
}

func checkPoints(n int, x0, x1 []float64) error {
	for e, x := range [2][]float64{x0, x1} {
		if len(x) != 3*n {
			return status.Errorf(status.ErrArgument, "x%d has %d coordinates, not 3 x %d", e, len(x), n)
		}
		for i, v := range x {
			if !(math.Abs(v) <= geom.MaxCoordinate) {
				return fmt.Errorf("x%d[%d][%d] is %v: %w", e, i/3, i%3, v, status.ErrNonFinite)
			}
		}
	}
	return nil
}

func checkWeights(n int, w []float64) error {
	if w == nil {
		return nil
	}
	if len(w) != n {
		return status.Errorf(status.ErrArgument, "%d weights for %d control points", len(w), n)
	}
	lo, hi := math.Inf(1), 0.0
	for i, v := range w {
		switch {
		case math.IsNaN(v) || math.IsInf(v, 0):
			return fmt.Errorf("weights[%d] is %v: %w", i, v, status.ErrNonFinite)
		case !(v > 0):
			return status.Errorf(status.ErrArgument, "weights[%d] is %v: must be positive", i, v)
		case v < 1/geom.MaxCoordinate || v > geom.MaxCoordinate:
			return status.Errorf(status.ErrArgument, "weights[%d] is %v: must be in [1e-150, 1e150]", i, v)
		}
		if lo, hi = min(lo, v), max(hi, v); hi/lo > MaxWeightRatio {
			return status.Errorf(status.ErrArgument, "weights[%d] is %v: beside %v and %v, more than 2^100 apart",
				i, v, lo, hi)
		}
	}
	return nil
}

// At evaluates the patch at the parameters u, v and the time t by the rational de Casteljau scheme,
// rounded. It is the reference implementation of eval.go, for callers and tests; no result of a
// query depends on it.
func (p *Patch) At(u, v, t float64) [3]float64 {
	n := p.Form.Points()
	x, w := make([][3]float64, n), make([]float64, n)
	for i := range n {
		for k := range 3 {
			x[i][k] = float64((1-t)*p.X0[3*i+k]) + float64(t*p.X1[3*i+k])
		}
		w[i] = 1
		if p.W != nil {
			w[i] = p.W[i]
		}
	}
	if p.Form.Shape == Triangle {
		return triangleAt(x, w, p.Form, u, v)
	}
	m := p.Form.V + 1
	for i := 0; i <= p.Form.U; i++ {
		x[i], w[i] = curveAt(x[i*m:(i+1)*m], w[i*m:(i+1)*m], v)
	}
	x[0], w[0] = curveAt(x[:p.Form.U+1], w[:p.Form.U+1], u)
	return x[0]
}

// curveAt returns the point at s of the curve whose control points the row has. It overwrites the
// row, unless that has one point.
func curveAt(x [][3]float64, w []float64, s float64) ([3]float64, float64) {
	for n := len(x) - 1; n > 0; n-- {
		for i := range n {
			a, b := float64((1-s)*w[i]), float64(s*w[i+1])
			w[i] = a + b
			for k := range 3 {
				x[i][k] = (float64(a*x[i][k]) + float64(b*x[i+1][k])) / w[i]
			}
		}
	}
	return x[0], w[0]
}

func triangleAt(x [][3]float64, w []float64, f Form, u, v float64) [3]float64 {
	g := f
	for n := f.U; n > 0; n-- {
		g.U, g.V = n-1, n-1
		full := Form{Triangle, n, n}
		y, z := make([][3]float64, g.Points()), make([]float64, g.Points())
		for j := 0; j < n; j++ {
			for i := 0; i < n-j; i++ {
				a, b, c := full.Index(i, j), full.Index(i+1, j), full.Index(i, j+1)
				at := g.Index(i, j)
				wa, wb, wc := float64(remainder(u, v)*w[a]), float64(u*w[b]), float64(v*w[c])
				z[at] = wa + wb + wc
				for k := range 3 {
					y[at][k] = (float64(wa*x[a][k]) + float64(wb*x[b][k]) + float64(wc*x[c][k])) / z[at]
				}
			}
		}
		x, w = y, z
	}
	return x[0]
}
