package motion

import (
	"fmt"
	"math"

	"ccd/core/geom"
	"ccd/core/num"
	"ccd/core/status"
)

// checkPoints returns an error unless x has n points of finite coordinates.
func checkPoints(name string, x []float64, n int) error {
	if len(x) != 3*n {
		return fmt.Errorf("%s has %d numbers: %d points take %d", name, len(x), n, 3*n)
	}
	for i, c := range x {
		if !(math.Abs(c) <= geom.MaxCoordinate) {
			return fmt.Errorf("%s[%d][%d] is %v: %w", name, i/3, i%3, c, status.ErrNonFinite)
		}
	}
	return nil
}

// checkBlocks is checkPoints for so many blocks of n points.
func checkBlocks(name string, x []float64, blocks, n int) error {
	if len(x) != 3*blocks*n {
		return checkPoints(name, x, blocks*n)
	}
	for j := range blocks {
		if err := checkPoints(fmt.Sprintf("%s[%d]", name, j), x[3*j*n:3*(j+1)*n], n); err != nil {
			return err
		}
	}
	return nil
}

func pointAt(x []float64, i int) vector { return point([3]float64{x[3*i], x[3*i+1], x[3*i+2]}) }

// Accelerated returns the motion x + t v + t^2 a / 2 of n points, for t in [0, 1]: v and a are
// those of the whole step. Its degree is 2; what rounding takes from its control points x, x + v/2,
// x + v + a/2 is in the radii, which are 0 where these are doubles.
func Accelerated(n int, x, v, a []float64) (*Motion, error) {
	for _, arg := range []struct {
		name string
		x    []float64
	}{{"x", x}, {"v", v}, {"a", a}} {
		if err := checkPoints(arg.name, arg.x, n); err != nil {
			return nil, err
		}
	}
	b := newBuilder(n, 2, 1)
	b.made = func(_, l, i, k int) string {
		if l == 1 {
			return fmt.Sprintf("x[%[1]d][%[2]d] + v[%[1]d][%[2]d] / 2", i, k)
		}
		return fmt.Sprintf("x[%[1]d][%[2]d] + v[%[1]d][%[2]d] + a[%[1]d][%[2]d] / 2", i, k)
	}
	half := num.Point(0.5)
	for i := range n {
		x, v, a := pointAt(x, i), pointAt(v, i), pointAt(a, i)
		b.set(0, i, []vector{x, x.plus(v.times(half)), x.plus(v).plus(a.times(half))})
	}
	return b.motion(nil)
}

// Hermite returns the motion of n points with positions x and velocities v at the times, cubic
// between two of them: x and v have len(times) blocks of n points. Velocities are lengths per step:
// t goes from 0 to 1. The control points x_j + h v_j / 3 are rounded; the radii hold what that
// takes.
func Hermite(n int, times, x, v []float64) (*Motion, error) {
	var m Motion
	if err := m.setTimes(times); err != nil {
		return nil, err
	}
	count := len(m.times)
	if err := checkBlocks("x", x, count, n); err != nil {
		return nil, err
	}
	if err := checkBlocks("v", v, count, n); err != nil {
		return nil, err
	}
	b := newBuilder(n, 3, count-1)
	b.made = func(j, l, i, k int) string {
		sign, at := "+", j
		if l == 2 {
			sign, at = "-", j+1
		}
		return fmt.Sprintf("x[%[1]d][%[2]d][%[3]d] %[4]s (times[%[5]d] - times[%[6]d]) v[%[1]d][%[2]d][%[3]d] / 3",
			at, i, k, sign, j+1, j)
	}
	for j := range count - 1 {
		h := num.Point(m.times[j+1]).Sub(num.Point(m.times[j]))
		for i := range n {
			p := hermite(h, pointAt(x, j*n+i), pointAt(v, j*n+i), pointAt(x, (j+1)*n+i), pointAt(v, (j+1)*n+i))
			b.set(j, i, p[:])
		}
	}
	return b.motion(m.times)
}

// hermite returns the control points of a cubic with positions and velocities at both ends of a
// time h.
func hermite(h num.Interval, x0, v0, x1, v1 vector) [4]vector {
	way := func(v vector) (w vector) {
		for k := range w {
			w[k] = v[k].Mul(h).Div(num.Point(3))
		}
		return w
	}
	return [4]vector{x0, x0.plus(way(v0)), x1.minus(way(v1)), x1}
}

// BSpline returns the motion of n points on B-splines in time: control has len(knots) - degree - 1
// blocks of n points. The knots ascend, at most degree of them are equal inside; knots[degree] is 0
// and knots[len(knots)-degree-1] is 1. The pieces are those between different knots in [0, 1],
// written with Bezier control points, whose rounding the radii hold.
func BSpline(n, degree int, knots, control []float64) (*Motion, error) {
	if degree < 1 || degree > MaxDegree {
		return nil, fmt.Errorf("degree is %d: must be 1 to %d", degree, MaxDegree)
	}
	count := len(knots) - degree - 1
	if count < degree+1 {
		return nil, fmt.Errorf("knots has %d entries: degree %d takes at least %d", len(knots), degree, 2*degree+2)
	}
	if err := checkKnots(degree, knots); err != nil {
		return nil, err
	}
	if err := checkBlocks("control", control, count, n); err != nil {
		return nil, err
	}
	times := []float64{0}
	var spans []int
	for k := degree; k < count; k++ {
		if knots[k+1] > knots[k] {
			spans = append(spans, k)
			times = append(times, knots[k+1])
		}
	}
	b := newBuilder(n, degree, len(spans))
	p := make([]vector, degree+1)
	for j, k := range spans {
		for i := range n {
			for l := range p {
				p[l] = blossom(degree, knots, k, l, func(c int) vector { return pointAt(control, c*n+i) })
			}
			b.set(j, i, p)
		}
	}
	return b.motion(times)
}

func checkKnots(degree int, knots []float64) error {
	first, last := degree, len(knots)-degree-1
	for i, x := range knots {
		if math.IsNaN(x) || math.IsInf(x, 0) || math.Abs(x) > 1e9 {
			return fmt.Errorf("knots[%d] is %v: must be finite and at most 1e9", i, x)
		}
		if i > 0 && x < knots[i-1] {
			return fmt.Errorf("knots[%d] is %v: below knots[%d] = %v", i, x, i-1, knots[i-1])
		}
	}
	if knots[first] != 0 {
		return fmt.Errorf("knots[%d] is %v: must be 0, where the step begins", first, knots[first])
	}
	if knots[last] != 1 {
		return fmt.Errorf("knots[%d] is %v: must be 1, where the step ends", last, knots[last])
	}
	for i := first + 1; i+degree < last; i++ {
		if knots[i] == knots[i+degree] {
			return fmt.Errorf("knots[%d] to knots[%d] are %v: at most %d may be equal inside, for more would be a jump",
				i, i+degree, knots[i], degree)
		}
	}
	return nil
}

// blossom is Bezier control point l of the piece between knots[k] and knots[k+1]: the polar form at
// degree - l times the one and l times the other, by de Boor's algorithm. All its quotients are in
// [0, 1].
func blossom(degree int, knots []float64, k, l int, control func(c int) vector) vector {
	var d [MaxDegree + 1]vector
	for j := range degree + 1 {
		d[j] = control(k - degree + j)
	}
	for r := 1; r <= degree; r++ {
		x := knots[k]
		if r > degree-l {
			x = knots[k+1]
		}
		for j := degree; j >= r; j-- {
			from, to := knots[k-degree+j], knots[k+1+j-r]
			switch x {
			case from:
				d[j] = d[j-1]
			case to:
			default:
				w := num.Point(x).Sub(num.Point(from)).Div(num.Point(to).Sub(num.Point(from)))
				d[j] = d[j-1].times(num.Point(1).Sub(w)).plus(d[j].times(w))
			}
		}
	}
	return d[degree]
}

// Affine returns the motion A(t) x + b(t) of n points of an affine body: matrix has degree + 1
// control matrices of 9 numbers, by rows, and offset degree + 1 control points of b. Control point
// l of a point is A_l x + b_l, rounded; the radii hold what that takes.
func Affine(n, degree int, x, matrix, offset []float64) (*Motion, error) {
	if degree < 1 || degree > MaxDegree {
		return nil, fmt.Errorf("degree is %d: must be 1 to %d", degree, MaxDegree)
	}
	if err := checkPoints("x", x, n); err != nil {
		return nil, err
	}
	if err := checkBlocks("matrix", matrix, degree+1, 3); err != nil {
		return nil, err
	}
	if err := checkPoints("offset", offset, degree+1); err != nil {
		return nil, err
	}
	for i, c := range x {
		if math.Abs(c) > maxMagnitude {
			return nil, fmt.Errorf("x[%d][%d] is %v: at most %v", i/3, i%3, c, maxMagnitude)
		}
	}
	for i, c := range matrix {
		if math.Abs(c) > maxMagnitude {
			return nil, fmt.Errorf("matrix[%d][%d][%d] is %v: at most %v", i/9, i/3%3, i%3, c, maxMagnitude)
		}
	}
	b := newBuilder(n, degree, 1)
	p := make([]vector, degree+1)
	for i := range n {
		at := pointAt(x, i)
		for l := range p {
			for k := range 3 {
				p[l][k] = pointAt(matrix, 3*l+k).dot(at).Add(num.Point(offset[3*l+k]))
			}
		}
		b.set(0, i, p)
	}
	return b.motion(nil)
}

// maxMagnitude bounds factors, so that no product overflows.
const maxMagnitude = 1e60
