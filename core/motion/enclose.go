package motion

import (
	"fmt"
	"math"

	"ccd/core/geom"
	"ccd/core/num"
	"ccd/core/status"
)

// vector is three intervals.
type vector [3]num.Interval

func point(x [3]float64) (v vector) {
	for k := range v {
		v[k] = num.Point(x[k])
	}
	return v
}

func (a vector) plus(b vector) (r vector) {
	for k := range r {
		r[k] = a[k].Add(b[k])
	}
	return r
}

func (a vector) minus(b vector) (r vector) {
	for k := range r {
		r[k] = a[k].Sub(b[k])
	}
	return r
}

func (a vector) times(s num.Interval) (r vector) {
	for k := range r {
		r[k] = a[k].Mul(s)
	}
	return r
}

func (a vector) dot(b vector) num.Interval {
	return a[0].Mul(b[0]).Add(a[1].Mul(b[1])).Add(a[2].Mul(b[2]))
}

func (a vector) cross(b vector) (r vector) {
	for k := range r {
		i, j := (k+1)%3, (k+2)%3
		r[k] = a[i].Mul(b[j]).Sub(a[j].Mul(b[i]))
	}
	return r
}

// norm encloses the length.
func (a vector) norm() num.Interval {
	return a[0].Sqr().Add(a[1].Sqr()).Add(a[2].Sqr()).Sqrt()
}

// deviation bounds, on each axis, how far a point is from the double that stands for it.
type deviation [3]float64

// settle writes doubles in the middle of the intervals into c, and returns how far the intervals
// reach from them. An interval of one double has deviation 0.
func (a vector) settle(c []float64) (e deviation) {
	for k, x := range a {
		m := x.Lo
		if x.Hi != x.Lo {
			m = min(max(x.Lo+float64(0.5*(x.Hi-x.Lo)), x.Lo), x.Hi)
		}
		m += 0 // The sum removes a negative zero.
		c[k] = m
		e[k] = max(num.SubUp(x.Hi, m), num.SubUp(m, x.Lo))
	}
	return e
}

// length bounds the Euclidean length from above.
func (e deviation) length() float64 {
	switch {
	case e[1] == 0 && e[2] == 0:
		return e[0]
	case e[0] == 0 && e[2] == 0:
		return e[1]
	case e[0] == 0 && e[1] == 0:
		return e[2]
	}
	return num.SqrtUp(num.AddUp(num.AddUp(num.MulUp(e[0], e[0]), num.MulUp(e[1], e[1])), num.MulUp(e[2], e[2])))
}

// settleAll writes the control points of one vertex and returns the radius that their rounding
// needs: a point of the path is a convex combination of the control points with the same weights,
// so it is off by no more than the largest deviation of one of them.
func settleAll(p []vector, control []float64) (radius float64) {
	for l := range p {
		radius = max(radius, p[l].settle(control[3*l:3*l+3]).length())
	}
	return radius
}

// builder collects a motion vertex by vertex.
type builder struct {
	n, degree int
	control   []float64
	radius    []float64
	// made names, for errors, the number that coordinate k of control point l of vertex i on piece
	// j is made of; nil: it is made of many.
	made func(j, l, i, k int) string
}

func newBuilder(n, degree, pieces int) *builder {
	return &builder{n: n, degree: degree, control: make([]float64, 3*pieces*(degree+1)*n),
		radius: make([]float64, pieces*n)}
}

// set writes the control points of vertex i on piece j.
func (b *builder) set(j, i int, p []vector) {
	var c [3 * (MaxDegree + 1)]float64
	b.put(j, i, c[:], settleAll(p, c[:]))
}

func (b *builder) put(j, i int, c []float64, radius float64) {
	for l := range b.degree + 1 {
		copy(b.control[3*((j*(b.degree+1)+l)*b.n+i):], c[3*l:3*l+3])
	}
	b.radius[j*b.n+i] = radius
}

// motion validates what was collected. A sum that is out of range is named by the caller's
// arguments.
func (b *builder) motion(times []float64) (*Motion, error) {
	for at, x := range b.control {
		if math.Abs(x) <= geom.MaxCoordinate {
			continue
		}
		row := at / 3 / b.n
		j, l, i := row/(b.degree+1), row%(b.degree+1), at/3%b.n
		name := fmt.Sprintf("x[%d]: a control point of its path", i)
		if b.made != nil {
			name = b.made(j, l, i, at%3)
		}
		return nil, fmt.Errorf("%s is %v: %w", name, x, status.ErrNonFinite)
	}
	return New(b.n, b.degree, times, b.control, b.radius)
}
