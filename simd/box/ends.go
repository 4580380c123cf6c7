package box

// JoinEnds makes the columns of l.Ends, those of boxes at rest where l.AtRest is set, from the records of the primitives' vertices (see Kinetic), for SweepSelf,
// SweepAcross and SweepEF. Primitive id has the width vertices verts[width*id:]; with width 1 it is vertex id, and verts is not read.
// Vertices go to l.Vert, the last one repeated up to three. l must hold len(ids) + SweepPad entries; N is set, and the
// padding.
func JoinEnds(rec []float32, verts []int32, width int, ids []int32, l *SweepList) {
	l.N = len(ids)
	switch {
	case len(ids) == 0:
	case l.AtRest:
		joinRest(width, rec, verts, ids, l)
	default:
		joinEnds(width, rec, verts, ids, l)
	}
	for i := l.N; i < l.N+SweepPad; i++ {
		l.Ends[i] = inf32
	}
}

func joinEndsGeneric(rec []float32, verts []int32, width int, ids []int32, l *SweepList) {
	var r [16]float32
	for i, id := range ids {
		v := [3]int32{id, id, id}
		if width > 1 {
			for k := range v {
				v[k] = verts[width*int(id)+min(k, width-1)]
			}
		}
		r = *(*[16]float32)(rec[16*int(v[0]):])
		for _, w := range v[1:width] {
			for k, x := range (*[16]float32)(rec[16*int(w):]) {
				r[k] = less32(x, r[k])
			}
		}
		column := func(k int, x float32) { l.Ends[k*l.Stride+i] = x }
		if l.AtRest {
			for k, max := range [3]int{EndMax, 5, 9} {
				column(k, r[k])
				column(max, -r[6+k])
				l.Vert[k][i] = v[k]
			}
			continue
		}
		for k := range 3 {
			lo0, lo1, hi0, hi1 := r[k], r[3+k], -r[6+k], -r[9+k]
			first := 3 + 4*((k+2)%3) // y, z, x
			column(k, less32(lo0, lo1))
			column(first, lo0)
			column(first+1, lo1)
			column(first+2, hi0)
			column(first+3, hi1)
			l.Vert[k][i] = v[k]
		}
		column(15, -less32(r[6], r[9]))
	}
}
