package box

import "math"

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
	if len(ids) > 0 {
		joinRecords(width, rec, verts, ids, out, l)
	}
}

var inf32 = float32(math.Inf(1))

func joinRecordsGeneric(rec []float32, verts []int32, width int, ids []int32, out []float32, l *SweepList) {
	for i, id := range ids {
		v := [3]int32{id, id, id}
		if width > 1 {
			for k := range v {
				v[k] = verts[width*int(id)+min(k, width-1)]
			}
		}
		r := (*[16]float32)(out[16*i:])
		*r = *(*[16]float32)(rec[16*int(v[0]):])
		for _, w := range v[1:width] {
			for k, x := range (*[16]float32)(rec[16*int(w):]) {
				if x < r[k] {
					r[k] = x
				}
			}
		}
		for k := range 3 {
			l.Box[k][i] = less32(r[k], r[3+k])
			l.Box[3+k][i] = -less32(r[6+k], r[9+k])
			l.Vert[k][i] = v[k]
		}
	}
}

func less32(a, b float32) float32 {
	if a < b {
		return a
	}
	return b
}
