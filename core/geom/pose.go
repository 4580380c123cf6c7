package geom

import (
	"math"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
)

// Vectors are gonum's r3.Vec, rotations gonum's quat.Number. This file has its own products that
// enter a sum: gonum leaves the compiler free to fuse them, and a result must have the same bits on
// every target. r3.Add and r3.Sub have nothing to fuse and serve as they are.

// Dot returns the inner product (x + y) + z of the three products, each operation rounded.
func Dot(a, b r3.Vec) float64 {
	return float64(a.X*b.X) + float64(a.Y*b.Y) + float64(a.Z*b.Z)
}

// Cross returns the vector product, each operation rounded.
func Cross(a, b r3.Vec) r3.Vec {
	return r3.Vec{
		X: float64(a.Y*b.Z) - float64(a.Z*b.Y),
		Y: float64(a.Z*b.X) - float64(a.X*b.Z),
		Z: float64(a.X*b.Y) - float64(a.Y*b.X),
	}
}

// Scale returns s v, rounded before any further operation.
func Scale(s float64, v r3.Vec) r3.Vec {
	return r3.Vec{X: float64(s * v.X), Y: float64(s * v.Y), Z: float64(s * v.Z)}
}

// Norm returns the length of v, for magnitudes whose squares neither overflow nor underflow.
func Norm(v r3.Vec) float64 { return math.Sqrt(Dot(v, v)) }

// MaxAbs returns the greatest magnitude among the components.
func MaxAbs(v r3.Vec) float64 { return max(math.Abs(v.X), math.Abs(v.Y), math.Abs(v.Z)) }

// VecOf reads a vector from three doubles.
func VecOf(x []float64) r3.Vec { return r3.Vec{X: x[0], Y: x[1], Z: x[2]} }

// Components returns the coordinates of v.
func Components(v r3.Vec) [3]float64 { return [3]float64{v.X, v.Y, v.Z} }

// Unit returns v or -v scaled to length 1, whichever points the way of toward. ok is false where v
// is so short that its square is near underflow; v is returned as it is then.
func Unit(v, toward r3.Vec) (n r3.Vec, ok bool) {
	n2 := Dot(v, v)
	if !(n2 > 0x1p-900) {
		return v, false
	}
	return Scale(math.Copysign(1/math.Sqrt(n2), Dot(v, toward)), v), true
}

// Clamp returns x, or the end of [0, 1] that x is beyond.
func Clamp(x float64) float64 { return min(max(x, 0), 1) }

// LeastAxis returns the axis along which v has its least component.
func LeastAxis(v r3.Vec) r3.Vec {
	switch x, y, z := math.Abs(v.X), math.Abs(v.Y), math.Abs(v.Z); {
	case x <= y && x <= z:
		return r3.Vec{X: 1}
	case y <= z:
		return r3.Vec{Y: 1}
	}
	return r3.Vec{Z: 1}
}

// Mat is a 3 x 3 matrix by rows.
type Mat struct{ X, Y, Z r3.Vec }

// Apply returns the product of the matrix and v.
func (m *Mat) Apply(v r3.Vec) r3.Vec { return r3.Vec{X: Dot(m.X, v), Y: Dot(m.Y, v), Z: Dot(m.Z, v)} }

// ApplyTransposed returns the product of the transpose and v.
func (m *Mat) ApplyTransposed(v r3.Vec) r3.Vec {
	return r3.Vec{
		X: float64(m.X.X*v.X) + float64(m.Y.X*v.Y) + float64(m.Z.X*v.Z),
		Y: float64(m.X.Y*v.X) + float64(m.Y.Y*v.Y) + float64(m.Z.Y*v.Z),
		Z: float64(m.X.Z*v.X) + float64(m.Y.Z*v.Y) + float64(m.Z.Z*v.Z),
	}
}

// RotationBound bounds the error of every entry of Rotation. With N = w^2 + x^2 + y^2 + z^2,
// computed within 4u of itself: on the diagonal (w^2 + x^2) - (y^2 + z^2) errs by 2u N for its sums
// of squares and u N for the difference, the quotient by 5u more; off it |2xy| + |2wz| <= N, whose
// products and difference err by 2u N, the quotient by 5u more. 9u leaves one for second order.
// Scaling by a power of two beforehand is exact, up to components below 2^-1000 of the largest.
const RotationBound = 9 * 0x1p-53

// Rotation returns the matrix of the rotation q/|q|, for any finite q other than 0.
func Rotation(q quat.Number) Mat {
	_, e := math.Frexp(max(math.Abs(q.Real), math.Abs(q.Imag), math.Abs(q.Jmag), math.Abs(q.Kmag)))
	w, x, y, z := math.Ldexp(q.Real, -e), math.Ldexp(q.Imag, -e), math.Ldexp(q.Jmag, -e), math.Ldexp(q.Kmag, -e)
	ww, xx, yy, zz := float64(w*w), float64(x*x), float64(y*y), float64(z*z)
	n := (ww + xx) + (yy + zz)
	twice := func(a, b, c, d float64) float64 { return 2 * (float64(a*b) + float64(c*d)) / n }
	return Mat{
		r3.Vec{X: ((ww + xx) - (yy + zz)) / n, Y: twice(x, y, -w, z), Z: twice(x, z, w, y)},
		r3.Vec{X: twice(x, y, w, z), Y: ((ww + yy) - (xx + zz)) / n, Z: twice(y, z, -w, x)},
		r3.Vec{X: twice(x, z, -w, y), Y: twice(y, z, w, x), Z: ((ww + zz) - (xx + yy)) / n},
	}
}

// Pose places a body: its point p is at Position + R(Rotation) p, R(q) the rotation of q/|q|.
type Pose struct {
	Rotation quat.Number
	Position r3.Vec
}

// Apply places the point p.
func (p *Pose) Apply(v r3.Vec) r3.Vec {
	m := Rotation(p.Rotation)
	return r3.Add(p.Position, m.Apply(v))
}

// Product returns the quaternion a b: the rotation b, then a. Each operation is rounded.
func Product(a, b quat.Number) quat.Number {
	return quat.Number{
		Real: float64(a.Real*b.Real) - float64(a.Imag*b.Imag) - float64(a.Jmag*b.Jmag) - float64(a.Kmag*b.Kmag),
		Imag: float64(a.Real*b.Imag) + float64(a.Imag*b.Real) + float64(a.Jmag*b.Kmag) - float64(a.Kmag*b.Jmag),
		Jmag: float64(a.Real*b.Jmag) - float64(a.Imag*b.Kmag) + float64(a.Jmag*b.Real) + float64(a.Kmag*b.Imag),
		Kmag: float64(a.Real*b.Kmag) + float64(a.Imag*b.Jmag) - float64(a.Jmag*b.Imag) + float64(a.Kmag*b.Real),
	}
}
