package poses

import (
	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
	"ccd/core/num"
)

// Box is an interval for each axis. It is not bound.Box because interval arithmetic is done with
// it: the coordinates of points on an Arc.
type Box [3]num.Interval

// Matrix is a matrix of intervals, by rows.
type Matrix [3]Box

// Inflate makes the box larger by r on every side.
func (b *Box) Inflate(r float64) {
	for k := range b {
		b[k] = num.Interval{Lo: num.SubDown(b[k].Lo, r), Hi: num.AddUp(b[k].Hi, r)}
	}
}

// PointBox returns the box that holds v alone.
func PointBox(v r3.Vec) Box { return Box{num.Point(v.X), num.Point(v.Y), num.Point(v.Z)} }

// Plus encloses the sum of two vectors.
func (b Box) Plus(c Box) Box { return Box{b[0].Add(c[0]), b[1].Add(c[1]), b[2].Add(c[2])} }

// Less encloses the difference of two vectors.
func (b Box) Less(c Box) Box { return Box{b[0].Sub(c[0]), b[1].Sub(c[1]), b[2].Sub(c[2])} }

// Scaled encloses the vector times a number.
func (b Box) Scaled(s num.Interval) Box { return Box{b[0].Mul(s), b[1].Mul(s), b[2].Mul(s)} }

// dot encloses the inner product of two vectors.
func (b Box) dot(c Box) num.Interval { return b[0].Mul(c[0]).Add(b[1].Mul(c[1])).Add(b[2].Mul(c[2])) }

// Most bounds the length of the vector.
func (b Box) Most() float64 { return num.SqrtUp(b[0].Sqr().Add(b[1].Sqr()).Add(b[2].Sqr()).Hi) }

// Lateral encloses the part of the vector across the unit in e.
func (b Box) Lateral(e Box) Box { return b.Less(e.Scaled(b.dot(e))) }

// MatrixAround encloses the matrices of which no entry differs by more than off from one of m.
func MatrixAround(m *geom.Mat, off float64) (out Matrix) {
	for i, row := range []r3.Vec{m.X, m.Y, m.Z} {
		for j, x := range geom.Components(row) {
			out[i][j] = num.Interval{Lo: num.SubDown(x, off), Hi: num.AddUp(x, off)}
		}
	}
	return out
}

// Rotation encloses the matrix of geom.Rotation.
func Rotation(q quat.Number) Matrix {
	const e = 2 * geom.RotationBound // The bound counts twice: once for itself, and once for the rounding of the ends.
	m := geom.Rotation(q)
	var out Matrix
	for i, row := range []r3.Vec{m.X, m.Y, m.Z} {
		for j, x := range geom.Components(row) {
			out[i][j] = num.Interval{Lo: x - e, Hi: x + e}
		}
	}
	return out
}

// Apply encloses the product of the matrix and a vector.
func (m *Matrix) Apply(b Box) Box {
	var out Box
	for i, row := range m {
		out[i] = row[0].Mul(b[0]).Add(row[1].Mul(b[1])).Add(row[2].Mul(b[2]))
	}
	return out
}

// Transposed returns the transpose.
func (m *Matrix) Transposed() (out Matrix) {
	for i := range 3 {
		for j := range 3 {
			out[i][j] = m[j][i]
		}
	}
	return out
}

// Times encloses the product of two matrices.
func (m *Matrix) Times(n *Matrix) (out Matrix) {
	by := n.Transposed()
	for j := range by {
		column := m.Apply(by[j])
		for i := range column {
			out[i][j] = column[i]
		}
	}
	return out
}

// LessTurn bounds the Frobenius norm of the matrix less the turn about z with that cosine and sine.
func (m *Matrix) LessTurn(cos, sin float64) float64 {
	turn := geom.Mat{X: r3.Vec{X: cos, Y: -sin}, Y: r3.Vec{X: sin, Y: cos}, Z: r3.Vec{Z: 1}}
	sum := num.Interval{}
	for i, row := range []r3.Vec{turn.X, turn.Y, turn.Z} {
		for j, x := range geom.Components(row) {
			sum = sum.Add(m[i][j].Sub(num.Point(x)).Sqr())
		}
	}
	return num.SqrtUp(sum.Hi)
}
