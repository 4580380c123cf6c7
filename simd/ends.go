package simd

// JoinEnds makes the columns of l.Ends, those of boxes at rest where l.AtRest is set, from the records of the primitives' vertices (see Kinetic), for SweepSelf,
// SweepAcross and SweepEF. Primitive id has the width vertices verts[width*id:]; with width 1 it is vertex id, and verts is not read.
// Vertices go to l.Vert, the last one repeated up to three. l must hold len(ids) + SweepPad entries; N is set, and the
// padding.
func JoinEnds(rec []float32, verts []int32, width int, ids []int32, l *SweepList) {
	l.N = len(ids)
	if len(ids) > 0 {
		switch {
		case l.AtRest && width == 1:
			joinRestV(rec, verts, ids, l)
		case l.AtRest && width == 2:
			joinRestE(rec, verts, ids, l)
		case l.AtRest:
			joinRestF(rec, verts, ids, l)
		case width == 1:
			joinEndsV(rec, verts, ids, l)
		case width == 2:
			joinEndsE(rec, verts, ids, l)
		default:
			joinEndsF(rec, verts, ids, l)
		}
	}
	for i := l.N; i < l.N+SweepPad; i++ {
		l.Ends[i] = inf32
	}
}
