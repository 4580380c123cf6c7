package narrow

import "ccd/core/geom"

// Batch answers the queries of a motion whose vertices idx lists (Kind.Points of the four count), in their order, under the
// same options. It emits the answers that are not Separate: i is the position in idx, im holds until emit returns.
// Each answer has the bits of the single call.
func (s *Solver) Batch(kind geom.Kind, m *geom.Motion, idx [][4]int32, o *Options, emit func(i int, im *geom.Impact)) {
	var q [24]float64
	var im geom.Impact
	n := kind.Len()
	for i := range idx {
		m.Query(kind, &idx[i], &q)
		s.Solve(kind, q[:n], o, &im)
		if im.Verdict != geom.Separate {
			emit(i, &im)
		}
	}
}
