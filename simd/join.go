package simd

// JoinRecords makes the boxes of primitives from the records of their vertices (see Kinetic), for a sweep. Primitive
// id has the width vertices verts[width*id:]; with width 1 it is vertex id, and verts is not read. For the i-th of ids
// it writes the record, the minimum of the vertices' records, to out[16*i:], the box over both ends to l.Box, and the
// vertices to l.Vert (the last one repeated up to three). l must hold len(ids) + SweepPad entries; N is set, and the
// padding.
func JoinRecords(rec []float32, verts []int32, width int, ids []int32, out []float32, l *SweepList) {
	l.N = len(ids)
	for i := l.N; i < l.N+SweepPad; i++ {
		l.Box[0][i] = inf32
	}
	if len(ids) == 0 {
		return
	}
	switch width {
	case 1:
		joinRecordsV(rec, verts, ids, out, l)
	case 2:
		joinRecordsE(rec, verts, ids, out, l)
	default:
		joinRecordsF(rec, verts, ids, out, l)
	}
}
