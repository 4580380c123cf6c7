package motion

import (
	"fmt"
	"math"

	"ccd/core/num"
)

// curve is paths with four derivatives that are known in intervals.
type curve interface {
	// state encloses the position of vertex i at t, and its velocity.
	state(i int, t float64) (x, v vector)
	// fourth bounds the length of the fourth derivative of vertex i over the step.
	fourth(i int) float64
}

// cubics encloses a curve by cubic Hermite pieces. |x - H| <= max |x””| h^4 / 384 holds for a function; for the path it holds along each
// direction, so for the length of x - H.
type cubics struct{ curve }

func (c cubics) enclose(i int, t0, t1 float64, control []float64) (radius float64) {
	h := num.Point(t1).Sub(num.Point(t0))
	x0, v0 := c.state(i, t0)
	x1, v1 := c.state(i, t1)
	p := hermite(h, x0, v0, x1, v1)
	radius = settleAll(p[:], control)
	if f := c.fourth(i); f > 0 {
		h2 := num.MulUp(h.Hi, h.Hi)
		radius = num.AddUp(radius, num.DivUp(num.MulUp(num.MulUp(h2, h2), f), 384))
	}
	return radius
}

// fromCurve is the motion of n vertices on a curve: pieces pieces of the same length, or so many that no part turns by more than a radian
// in one if that is 0. turn bounds the angle of the whole step.
func fromCurve(n, pieces int, turn float64, c curve) (*Motion, error) {
	if pieces < 0 || pieces > MaxPieces {
		return nil, fmt.Errorf("pieces is %d: must be 0 to %d", pieces, MaxPieces)
	}
	if pieces == 0 {
		pieces = max(1, int(min(math.Ceil(turn), MaxPieces)))
	}
	times := make([]float64, pieces+1)
	for j := range times {
		times[j] = float64(j) / float64(pieces)
	}
	source := cubics{c}
	b := newBuilder(n, 3, pieces)
	var control [12]float64
	for j := range pieces {
		for i := range n {
			r := source.enclose(i, times[j], times[j+1], control[:])
			b.put(j, i, control[:], r)
		}
	}
	m, err := b.motion(times)
	if err != nil {
		return nil, err
	}
	m.source = source
	return m, nil
}

// matrix encloses a rotation, by rows.
type matrix [3]vector

func (m *matrix) apply(x vector) vector { return vector{m[0].dot(x), m[1].dot(x), m[2].dot(x)} }

// rotation encloses the rotation of the quaternion q / |q|, q = (w, x, y, z) not 0.
func rotation(q [4]float64) (m matrix) {
	if q[1] == 0 && q[2] == 0 && q[3] == 0 {
		for k := range m {
			m[k][k] = num.Point(1)
		}
		return m
	}
	_, e := math.Frexp(max(math.Abs(q[0]), math.Abs(q[1]), math.Abs(q[2]), math.Abs(q[3])))
	var c [4]num.Interval
	for i := range c {
		s := math.Ldexp(q[i], -e)
		c[i] = num.Point(s)
		if s != 0 && math.Abs(s) < 0x1p-1000 { // Ldexp may have rounded
			c[i] = num.Interval{Lo: num.Down(s), Hi: num.Up(s)}
		}
	}
	square := func(i int) num.Interval { return c[i].Sqr() }
	n := square(0).Add(square(1)).Add(square(2)).Add(square(3))
	two := num.Point(2)
	for i := range 3 {
		j, k := (i+1)%3, (i+2)%3
		m[i][i] = square(0).Add(square(i + 1)).Sub(square(j + 1)).Sub(square(k + 1)).Div(n)
		xy, wz := c[i+1].Mul(c[j+1]), c[0].Mul(c[k+1])
		m[i][j] = xy.Sub(wz).Mul(two).Div(n)
		m[j][i] = xy.Add(wz).Mul(two).Div(n)
	}
	return m
}

// turned encloses d turned about the unit vector u by an angle: d cos + (u x d) sin + u (u.d) (1 - cos).
func turned(d, u vector, angle num.Interval) vector {
	if angle == (num.Interval{}) {
		return d
	}
	sin, cos := angle.Sincos()
	along := u.dot(d).Mul(num.Point(1).Sub(cos))
	return d.times(cos).plus(u.cross(d).times(sin)).plus(u.times(along))
}
