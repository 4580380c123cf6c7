package hierarchy

import (
	"math"
	"sync/atomic"

	"ccd/core/bound"
	"ccd/core/engine"
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

// merge adds the bounds of another table, as add does.
func (s *seenNumbers) merge(other *seenNumbers) bool {
	for i := range other.slot {
		if e := &other.slot[i]; e.used && !s.add(e.f, e.x) {
			return false
		}
	}
	return true
}

// closeThreads is the most threads that close rows: each has a table.
const closeThreads = 8

// closeRows closes the rows along the axes where different bounds have different floats, on a mesh
// of which earlier searches left many pairs to doubles: a lattice, for example.
func (s *Search) closeRows(threads int) error {
	if !s.order.doubtful.Load() || s.order.pause.Add(-1) > 0 {
		return nil
	}
	n := s.in.Motion.N
	parts := min(threads, closeThreads)
	for len(s.seen) < parts {
		s.seen = append(s.seen, new(seenNumbers))
	}
	part := func(i int) (rec []float64, rows []float32) {
		from, to := n*i/parts, n*(i+1)/parts
		return s.in.Motion.Rec[8*from : 8*to], s.rows[rowLen*from : rowLen*to]
	}
	some := false
	for axis := range 3 {
		var differ atomic.Bool
		err := engine.Each(parts, parts, func(_, i int) {
			if rec, rows := part(i); !distinct(axis, rec, rows, s.m.Grow, s.seen[i]) {
				differ.Store(true)
			}
		})
		if err != nil {
			return err
		}
		for _, seen := range s.seen[1:parts] {
			if differ.Load() {
				break
			}
			differ.Store(!s.seen[0].merge(seen))
		}
		if differ.Load() {
			continue
		}
		some = true
		err = engine.Each(parts, parts, func(_, i int) {
			_, rows := part(i)
			closed(axis, rows)
		})
		if err != nil {
			return err
		}
	}
	if !some {
		s.order.pause.Store(doubtPause)
	}
	return nil
}

// closed makes the upper bounds of rows along an axis the next float: see law 1.
func closed(axis int, rows []float32) {
	for i := 4 + axis; i < len(rows); i += rowLen {
		rows[i] = math.Nextafter32(rows[i], float32(math.Inf(-1)))
	}
}
