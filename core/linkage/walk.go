package linkage

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"ccd/core/status"
)

// walk follows a path of all variables with Newton's method.
type walk struct {
	*tree
	variables, degree int
	control           []float64 // degree + 1 rows of all variables for each edge
	steps             int       // Newton's method was begun so often on this edge.
}

// edge returns the control values of an edge.
func (w *walk) edge(i int) []float64 {
	size := (w.degree + 1) * w.variables
	return w.control[i*size : (i+1)*size]
}

// drives returns the values of the drives at a place, by de Casteljau's algorithm.
func (w *walk) drives(edge int, s float64) (x []float64) {
	rows := w.edge(edge)
	for _, v := range w.columns[w.count:] {
		var d [6]float64
		for i := range w.degree + 1 {
			d[i] = rows[i*w.variables+v]
		}
		for last := w.degree; last > 0; last-- {
			for i := range last {
				d[i] += float64(s * (d[i+1] - d[i]))
			}
		}
		x = append(x, d[0])
	}
	return x
}

// where names a place for an error.
func (w *walk) where(edge int, s float64) string {
	var drives []string
	for i, x := range w.drives(edge, s) {
		drives = append(drives, fmt.Sprintf("variable %d at %.6g", w.columns[w.count+i], x))
	}
	return strings.TrimSuffix(fmt.Sprintf("loops: edge %d, s = %.6g, %s", edge, s, strings.Join(drives, ", ")), ", ")
}

const advice = "no proof near a singular configuration; choose another drive there, or end the path before it"

// residual is the left sides of the equations at y and x, and their derivatives by all columns, a
// row for each equation.
func (t *tree) residual(y, x []float64) (side []float64, slope [][]float64) {
	q := make([]series, 0, len(t.columns))
	for _, v := range append(slices.Clone(y), x...) {
		q = append(q, constant(v, 0))
	}
	for _, s := range t.sides(1, q) {
		side = append(side, s.mid[0])
		slope = append(slope, make([]float64, len(q)))
	}
	for k, column := range t.slopes(q, len(q)) {
		for i := range column {
			slope[i][k] = column[i].mid[0]
		}
	}
	return side, slope
}

// solve solves the equations for the variables that follow, with these slopes.
func (t *tree) solve(slope [][]float64, side []float64) ([]float64, bool) {
	a := make([][]float64, t.count)
	for i := range a {
		a[i] = append(slices.Clone(slope[i][:t.count]), side[i])
	}
	if !eliminate(a, t.count) {
		return nil, false
	}
	x := make([]float64, t.count)
	for i := range a {
		x[i] = a[i][t.count]
	}
	return x, true
}

// weights is how far each variable that follows moves its joints: in radians, or in parts of the
// largest length of the chain. So the unit of length does not matter to Newton's method.
func (t *tree) weights(y, x []float64) []float64 {
	size := t.size
	for i, slides := range t.slides {
		v := y
		if i >= t.count {
			v, i = x, i-t.count
		}
		size = max(size, float64(slides*math.Abs(v[i])))
	}
	if size == 0 {
		size = 1
	}
	weights := make([]float64, t.count)
	for i := range weights {
		weights[i] = max(t.turns[i], t.slides[i]/size)
	}
	return weights
}

// newton finds the variables that follow near y. It fails if Newton's method does not settle within
// a distance, by their weights; without one, its steps are damped.
func (t *tree) newton(y, x []float64, most float64) ([]float64, bool) {
	start, steps := y, 12
	if math.IsInf(most, 1) {
		steps = 50
	}
	for range steps {
		side, slope := t.residual(y, x)
		step, ok := t.solve(slope, side)
		if !ok {
			return nil, false
		}
		if math.IsInf(most, 1) {
			t.damp(y, x, step, length(side))
		}
		moved, size, change := 0.0, 0.0, 0.0
		y = slices.Clone(y)
		for i, weight := range t.weights(y, x) {
			y[i] -= step[i]
			moved = max(moved, float64(weight*math.Abs(y[i]-start[i])))
			size, change = max(size, float64(weight*math.Abs(y[i]))), max(change, float64(weight*math.Abs(step[i])))
		}
		if !(moved <= most) || math.IsInf(moved, 0) || math.IsNaN(moved) {
			return nil, false
		}
		if change <= 1e-13*(1+size) {
			return y, true
		}
	}
	return nil, false
}

// damp halves a step until it brings the constraints nearer to 0.
func (t *tree) damp(y, x, step []float64, size float64) {
	for range 20 {
		moved := slices.Clone(y)
		for i := range moved {
			moved[i] -= step[i]
		}
		if side, _ := t.residual(moved, x); length(side) <= size {
			return
		}
		for i := range step {
			step[i] /= 2
		}
	}
}

func length(v []float64) (l float64) {
	for _, x := range v {
		l = math.Hypot(l, x)
	}
	return l
}

// next is the variables that follow at s1, from those y at s0; in halves where Newton's method goes
// far.
func (w *walk) next(edge int, s0 float64, y []float64, s1 float64, depth int) ([]float64, error) {
	if w.steps++; w.steps > 4*mostPieces { // pieces of which none has a proof
		return nil, tooLong(edge, s0)
	}
	x0, x1 := w.drives(edge, s0), w.drives(edge, s1)
	_, slope := w.residual(y, x0)
	side := make([]float64, w.count)
	for i := range side {
		for k := range x0 {
			side[i] += float64(slope[i][w.count+k] * (x1[k] - x0[k]))
		}
	}
	guess, moved := slices.Clone(y), 0.0
	if step, ok := w.solve(slope, side); ok {
		for i, weight := range w.weights(y, x0) {
			guess[i] -= step[i]
			moved = max(moved, float64(weight*math.Abs(step[i])))
		}
	}
	if moved < 1 {
		if found, ok := w.newton(guess, x1, max(moved/2, 1e-9)); ok {
			return found, nil
		}
	}
	if depth > 40 {
		return nil, status.Errorf(status.ErrArgument, "%s: the loops cannot be closed beyond it: %s", w.where(edge, s0),
			advice)
	}
	middle := (s0 + s1) / 2
	half, err := w.next(edge, s0, y, middle, depth+1)
	if err != nil {
		return nil, err
	}
	return w.next(edge, middle, half, s1, depth+1)
}

// bend is the first two derivatives by s of the variables that follow.
func (w *walk) bend(edge int, s float64, y []float64) (rate, second []float64) {
	q := make([]series, len(w.columns))
	for i := range y {
		q[i] = constant(y[i], 0)
	}
	rows := w.edge(edge)
	for i, v := range w.columns[w.count:] {
		var d [6]float64
		for k := range w.degree + 1 {
			d[k] = rows[k*w.variables+v]
		}
		at := &q[w.count+i]
		for k := 0; k <= min(2, w.degree); k++ {
			at.mid[k] = valueOf(d[:w.degree+1-k], s)
			for m := range w.degree - k {
				d[m] = float64(float64(w.degree-k) * (d[m+1] - d[m]) / float64(k+1))
			}
		}
	}
	_, slope := w.residual(y, w.drives(edge, s))
	for k := 1; k <= 2; k++ {
		side := make([]float64, w.count)
		for i, row := range w.sides(k+1, q) {
			side[i] = row.mid[k]
		}
		step, ok := w.solve(slope, side)
		for i := range y {
			if ok {
				q[i].mid[k] = -step[i]
			}
		}
	}
	for i := range y {
		rate, second = append(rate, q[i].mid[1]), append(second, 2*q[i].mid[2])
	}
	return rate, second
}

// valueOf is the value of a polynomial in Bernstein's form.
func valueOf(control []float64, s float64) float64 {
	var d [6]float64
	copy(d[:], control)
	for last := len(control) - 1; last > 0; last-- {
		for i := range last {
			d[i] += float64(s * (d[i+1] - d[i]))
		}
	}
	return d[0]
}
