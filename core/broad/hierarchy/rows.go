package hierarchy

import (
	"math"

	"ccd/core/bound"
	"ccd/core/num"
)

// rowLen is the number of floats of a row, which is the box of a vertex or a node: lo x y z, 0, -hi
// x y z, 0.
const rowLen = 8

// A rowMap makes floats of the bounds of boxes: the M of law 1.
type rowMap struct {
	center [3]float64
	scale  float64 // positive
	grow   float64 // by how much boxes are inflated
}

// largestFloat bounds the floats of rows: far below where sums of two overflow.
const largestFloat = 0x1p100

// newRowMap returns the map of boxes inflated by grow, of coordinates of at most some magnitude; ok
// is false where floats might overflow. The scale of a record space is such that they do not.
func newRowMap(space *bound.RecordSpace, grow, largest float64) (m rowMap, ok bool) {
	m = rowMap{scale: space.Scale, grow: grow}
	for k, a := range space.Axis {
		m.center[a] = space.C[0][k]
	}
	ok = space.Map == nil && m.scale > 0 && m.scale <= math.MaxFloat64
	for _, c := range m.center {
		ok = ok && m.scale*(largest+grow+math.Abs(c)) <= largestFloat
	}
	return m, ok
}

// rows writes the rows of the vertices from to to-1 of a step, whose records are {x0 y0 z0 0 x1 y1
// z1 0}.
func (m *rowMap) rows(rec []float64, from, to int, out []float32) {
	for v := from; v < to; v++ {
		r, row := (*[8]float64)(rec[8*v:]), (*[rowLen]float32)(out[rowLen*v:])
		for k := range 3 {
			lo, hi := min(r[k], r[4+k]), max(r[k], r[4+k])
			if m.grow != 0 {
				lo, hi = num.AddDown(lo, -m.grow), num.AddUp(hi, m.grow)
			}
			row[k], row[4+k] = m.float(k, lo), -m.float(k, hi)
		}
		row[3], row[7] = 0, 0
	}
}

// float is M: each of its three operations rounds to nearest, so it never decreases.
func (m *rowMap) float(axis int, x float64) float32 {
	return float32(float64(m.scale * float64(x-m.center[axis])))
}
