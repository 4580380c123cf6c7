package motion

import (
	"fmt"
	"math"

	"ccd/core/num"
)

// curve describes the motion of bodies; the paths are those of their points.
type curve interface {
	// frame encloses where body b brings its points at t in f[0], and as many derivatives as f has
	// room for after it, 1 or 2. All of f is 0 before.
	frame(b int, t float64, f []frame)
	// bound bounds the length of the derivative of this order, 4 or 6, of the path of point i over
	// the step.
	bound(i, order int) float64
}

// frame encloses an affine map: a vector d goes to the sum of d[k] column[k], and origin.
type frame struct {
	column [3]vector
	origin vector
}

// The divisors of the remainders: 2^4 4! and 2^6 6!.
const (
	cubicRemainder   = 384
	quinticRemainder = 46080
)

// remainder bounds, from above, how far a path is from its Hermite pieces of this degree for times
// of the length h, for each unit of the derivative of order degree + 1: with the positions and
// velocities, and of degree 5 the accelerations, at both ends.
//
// A function g of which these 2m = degree + 1 values are interpolated is off by g^(2m)(xi) (t -
// t0)^m (t1 - t)^m / (2m)!, at most max |g^(2m)| (h/2)^(2m) / (2m)!: max |g^(4)| h^4 / 384, or max
// |g^(6)| h^6 / 46080. For a path that holds along each direction, so for the length.
func remainder(degree int, h float64) float64 {
	h2 := num.MulUp(h, h)
	power, divisor := num.MulUp(h2, h2), float64(cubicRemainder)
	if degree == 5 {
		power, divisor = num.MulUp(power, h2), quinticRemainder
	}
	return num.DivUp(power, divisor)
}

// hermiteFrames encloses the control points of the points of a body for t in [t0, t1], each as a
// map of points: those of a Hermite piece are linear in the positions and derivatives at its ends.
func hermiteFrames(c curve, b, degree int, t0, t1 float64) (p [MaxDegree + 1]frame) {
	h := num.Point(t1).Sub(num.Point(t0))
	var from, to [3]frame
	count := (degree + 1) / 2
	c.frame(b, t0, from[:count])
	c.frame(b, t1, to[:count])
	for k := range 4 {
		var x, y [3]vector
		for order := range count {
			x[order], y[order] = *from[order].part(k), *to[order].part(k)
		}
		if count == 2 {
			for l, v := range hermite(h, x[0], x[1], y[0], y[1]) {
				*p[l].part(k) = v
			}
			continue
		}
		for l, v := range quintic(h, x, y) {
			*p[l].part(k) = v
		}
	}
	return p
}

// part returns a column, or the origin for k = 3.
func (f *frame) part(k int) *vector {
	if k == 3 {
		return &f.origin
	}
	return &f.column[k]
}

// quintic returns the control points of a path of degree 5 with the positions, velocities and
// accelerations a and b at the ends of a time h.
//
// The derivatives of a Bezier curve at its beginning are 5 (c1 - c0) / h and 20 (c2 - 2 c1 + c0) /
// h^2, so c1 = x + h v / 5 and c2 = x + 2 h v / 5 + h^2 a / 20; at its end h is negative.
func quintic(h num.Interval, a, b [3]vector) (p [6]vector) {
	h2 := h.Sqr()
	end := func(d [3]vector, h num.Interval) (c [3]vector) {
		for k := range 3 {
			w := d[1][k].Mul(h).Div(num.Point(5))
			c[0][k], c[1][k] = d[0][k], d[0][k].Add(w)
			c[2][k] = d[0][k].Add(w.Add(w)).Add(d[2][k].Mul(h2).Div(num.Point(20)))
		}
		return c
	}
	from, to := end(a, h), end(b, num.Point(0).Sub(h))
	return [6]vector{from[0], from[1], from[2], to[2], to[1], to[0]}
}

// mostNumbers is how many control numbers are computed from bodies at most, 16 GiB: more than a
// process has, and the runtime would end it.
const mostNumbers = 1 << 31

// fromCurve returns the motion of n points of bodies in pieces of this degree, 3 or 5, or 3 if it
// is 0: pieces pieces of the same length, or so many that no part turns by more than a radian in
// one if that is 0. turn bounds the angle of the whole step. The source has its curve, points and
// bodies.
func fromCurve(n, degree, pieces int, turn float64, s *source) (*Motion, error) {
	switch degree {
	case 0:
		degree = 3
	case 3, 5:
	default:
		return nil, fmt.Errorf("degree is %d: must be 3 or 5, or 0 for 3", degree)
	}
	if pieces < 0 || pieces > MaxPieces {
		return nil, fmt.Errorf("pieces is %d: must be 0 to %d", pieces, MaxPieces)
	}
	if pieces == 0 {
		pieces = max(1, int(min(math.Ceil(turn), MaxPieces)))
	}
	if numbers := 3 * float64(pieces) * float64(degree+1) * float64(n); numbers > mostNumbers {
		return nil, fmt.Errorf("%d vertices on %d pieces, for a turn of %.3g radians, have %.3g control numbers: "+
			"at most 2^31; give fewer pieces, or a part of the step", n, pieces, turn, numbers)
	}
	times := make([]float64, pieces+1)
	for j := range times {
		times[j] = float64(j) / float64(pieces)
	}
	s.finish(n, degree)
	parts := newParts(s, s.bodies)
	b := newBuilder(n, degree, pieces)
	var control [3 * (MaxDegree + 1)]float64
	for j := range pieces {
		for i := range n {
			r := parts.enclose(i, times[j], times[j+1], control[:])
			b.put(j, i, control[:], r)
		}
	}
	m, err := b.motion(times)
	if err != nil {
		return nil, err
	}
	m.source = s
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
		if s != 0 && math.Abs(s) < 0x1p-1000 { // Ldexp may have rounded s.
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

// turned encloses d turned about the unit vector u by an angle: d cos + (u x d) sin + u (u.d) (1 -
// cos).
func turned(d, u vector, angle num.Interval) vector {
	if angle == (num.Interval{}) {
		return d
	}
	sin, cos := angle.Sincos()
	along := u.dot(d).Mul(num.Point(1).Sub(cos))
	return d.times(cos).plus(u.cross(d).times(sin)).plus(u.times(along))
}
