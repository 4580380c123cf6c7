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
			lo, hi := m.bounds(r[k], r[4+k])
			row[k], row[4+k] = m.float(k, lo), -m.float(k, hi)
		}
		row[3], row[7] = 0, 0
	}
}

// bounds returns the inflated bounds of what moves from x to y.
func (m *rowMap) bounds(x, y float64) (lo, hi float64) {
	lo, hi = min(x, y), max(x, y)
	if m.grow != 0 {
		lo, hi = num.AddDown(lo, -m.grow), num.AddUp(hi, m.grow)
	}
	return lo, hi
}

// float is M: each of its three operations rounds to nearest, so it never decreases.
func (m *rowMap) float(axis int, x float64) float32 {
	return float32(float64(m.scale * float64(x-m.center[axis])))
}

// fewNumbers is the number of different bounds along an axis up to which they are looked at.
const fewNumbers = 1 << 12

// seenNumbers is a table of bounds by their floats.
type seenNumbers struct {
	n    int
	slot [2 * fewNumbers]struct {
		used bool
		f    float32
		x    float64
	}
}

// add notes a bound and its float. It reports whether all bounds so far with that float are equal,
// and there are few of them.
func (s *seenNumbers) add(f float32, x float64) bool {
	f += 0 // 0 has one float
	for i := uint64(math.Float32bits(f)) * 0x9e3779b97f4a7c15 >> 51; ; i = (i + 1) % uint64(len(s.slot)) {
		e := &s.slot[i]
		if !e.used {
			e.used, e.f, e.x = true, f, x
			s.n++
			return s.n <= fewNumbers
		}
		if e.f == f {
			return e.x == x
		}
	}
}

// distinct reports whether different bounds along an axis have different floats, as far as it can
// tell by few numbers.
func (m *rowMap) distinct(axis int, rec []float64, seen *seenNumbers) bool {
	*seen = seenNumbers{}
	for v := 0; v < len(rec); v += 8 {
		lo, hi := m.bounds(rec[v+axis], rec[v+4+axis])
		if !seen.add(m.float(axis, lo), lo) || !seen.add(m.float(axis, hi), hi) {
			return false
		}
	}
	return true
}

// closed makes the upper bounds of rows along an axis the next float, so that boxes overlap where
// their bounds are equal: law 1 for distinct floats.
func closed(axis int, rows []float32) {
	for i := 4 + axis; i < len(rows); i += rowLen {
		rows[i] = math.Nextafter32(rows[i], float32(math.Inf(-1)))
	}
}
