package linkage

import (
	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
	"ccd/core/robot"
)

// matrix and vector hold series.
type (
	matrix [3][3]series
	vector [3]series
)

func constantVector(v r3.Vec) vector {
	return vector{constant(v.X, 0), constant(v.Y, 0), constant(v.Z, 0)}
}

func constantMatrix(m *geom.Mat, off float64) (c matrix) {
	for i, row := range [3]r3.Vec{m.X, m.Y, m.Z} {
		for k, x := range [3]float64{row.X, row.Y, row.Z} {
			c[i][k] = constant(x, off)
		}
	}
	return c
}

// sum adds products of series, of which many are 0.
func sum(n int, s *series, a, b *series) {
	if a.isZero() || b.isZero() {
		return
	}
	product := times(n, a, b)
	if s.isZero() {
		*s = product
		return
	}
	*s = plus(n, s, &product)
}

func (m *matrix) product(n int, b *matrix) (c matrix) {
	for i := range 3 {
		for k := range 3 {
			for j := range 3 {
				sum(n, &c[i][k], &m[i][j], &b[j][k])
			}
		}
	}
	return c
}

func (m *matrix) apply(n int, v *vector) (c vector) {
	for i := range 3 {
		for j := range 3 {
			sum(n, &c[i], &m[i][j], &v[j])
		}
	}
	return c
}

func (m *matrix) applyTransposed(n int, v *vector) (c vector) {
	for i := range 3 {
		for j := range 3 {
			sum(n, &c[i], &m[j][i], &v[j])
		}
	}
	return c
}

func (v *vector) plus(n int, w *vector) (c vector) {
	for i := range c {
		c[i] = plus(n, &v[i], &w[i])
	}
	return c
}

func (v *vector) minus(n int, w *vector) (c vector) {
	for i := range c {
		c[i] = minus(n, &v[i], &w[i])
	}
	return c
}

// turned is the rotation about an axis of length 1: I + sin A + (1 - cos) A^2, with the matrix A of
// the cross product.
func turned(n int, angle *series, axis r3.Vec) matrix {
	sin, cos := sincos(n, angle)
	one := constant(1, 0)
	rest := minus(n, &one, &cos)
	a := skew(axis)
	square := a.product(n, &a)
	m := constantMatrix(&identity, 0)
	for i := range 3 {
		for k := range 3 {
			sum(n, &m[i][k], &sin, &a[i][k])
			sum(n, &m[i][k], &rest, &square[i][k])
		}
	}
	return m
}

// skew is the matrix of the cross product with an axis.
func skew(axis r3.Vec) (a matrix) {
	a[0][1], a[0][2] = constant(-axis.Z, axisOff), constant(axis.Y, axisOff)
	a[1][0], a[1][2] = constant(axis.Z, axisOff), constant(-axis.X, axisOff)
	a[2][0], a[2][1] = constant(-axis.Y, axisOff), constant(axis.X, axisOff)
	return a
}

// pose is the rotation and the position of the link at the end of a way, where the way begins.
func pose(n int, way []turn, q []series) (r matrix, t vector) {
	r = constantMatrix(&identity, 0)
	for i := range way {
		j := &way[i]
		position := constantVector(j.position)
		step := r.apply(n, &position)
		t = t.plus(n, &step)
		if !j.exact {
			turn := constantMatrix(&j.rotation, frameOff)
			r = r.product(n, &turn)
		}
		if j.kind == robot.Fixed {
			continue
		}
		value, offset := scaled(n, &q[j.column], j.factor), constant(j.offset, 0)
		value = plus(n, &value, &offset)
		if j.kind == robot.Revolute {
			turn := turned(n, &value, j.axis)
			r = r.product(n, &turn)
			continue
		}
		along := vector{constant(j.axis.X, axisOff), constant(j.axis.Y, axisOff), constant(j.axis.Z, axisOff)}
		for k := range along {
			along[k] = times(n, &along[k], &value)
		}
		step = r.apply(n, &along)
		t = t.plus(n, &step)
	}
	return r, t
}

// sides is the left sides of the equations, for series of the variables.
func (t *tree) sides(n int, q []series) (found []series) {
	for i := range t.loops {
		l := &t.loops[i]
		ra, ta := pose(n, l.a, q)
		rb, tb := pose(n, l.b, q)
		pa, pb := constantVector(l.PointA), constantVector(l.PointB)
		at := ra.apply(n, &pa)
		at = at.plus(n, &ta)
		at = at.minus(n, &tb)
		x := rb.applyTransposed(n, &at)
		x = x.minus(n, &pb)
		for _, across := range l.Across {
			row, side := constantVector(across), series{}
			for k := range x {
				sum(n, &side, &row[k], &x[k])
			}
			found = append(found, side)
		}
	}
	return found
}

// slopes is the derivatives of the left sides by the first `columns` variables, where the variables
// have the constant coefficients of q: column by column.
func (t *tree) slopes(q []series, columns int) (found [][]series) {
	at := make([]series, len(q))
	for i := range q {
		at[i] = constant(q[i].mid[0], q[i].rad[0])
	}
	for k := range columns {
		at[k].mid[1] = 1
		column := t.sides(2, at)
		at[k].mid[1] = 0
		for i := range column {
			column[i] = constant(column[i].mid[1], column[i].rad[1])
		}
		found = append(found, column)
	}
	return found
}
