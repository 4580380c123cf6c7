package hierarchy

import (
	"math"

	"ccd/core/bound"
	"ccd/core/num"
	"ccd/simd/box"
)

// rowLen is the number of floats of a row, which is the box of a vertex or a node: lo x y z, 0, -hi
// x y z, 0.
const rowLen = 8

// largestFloat bounds the floats of rows: far below where sums of two overflow.
const largestFloat = 0x1p100

// newRowMap returns the map of law 1 for boxes inflated by grow, of coordinates of at most some
// magnitude; ok is false where floats might overflow. The scale of a record space is such that they
// do not.
func newRowMap(space *bound.RecordSpace, grow, largest float64) (m box.RowMap, ok bool) {
	m = box.RowMap{Scale: space.Scale, Grow: grow}
	for k, a := range space.Axis {
		m.C[a] = space.C[0][k]
	}
	ok = space.Map == nil && m.Scale > 0 && m.Scale <= math.MaxFloat64
	for _, c := range m.C {
		ok = ok && m.Scale*(largest+grow+math.Abs(c)) <= largestFloat
	}
	return m, ok
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

// distinct reports whether the bounds along an axis are few, and different ones have different
// floats. rec has the records {x0 y0 z0 0 x1 y1 z1 0} of the vertices, rows their rows.
func distinct(axis int, rec []float64, rows []float32, grow float64, seen *seenNumbers) bool {
	*seen = seenNumbers{}
	for v := 0; v < len(rec); v += 8 {
		lo, hi := min(rec[v+axis], rec[v+4+axis]), max(rec[v+axis], rec[v+4+axis])
		if grow != 0 {
			lo, hi = num.AddDown(lo, -grow), num.AddUp(hi, grow)
		}
		if !seen.add(rows[v+axis], lo) || !seen.add(-rows[v+4+axis], hi) {
			return false
		}
	}
	return true
}

// closed makes the upper bounds of rows along an axis the next float: see law 1.
func closed(axis int, rows []float32) {
	for i := 4 + axis; i < len(rows); i += rowLen {
		rows[i] = math.Nextafter32(rows[i], float32(math.Inf(-1)))
	}
}
