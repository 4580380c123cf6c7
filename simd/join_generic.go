package simd

import "math"

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
