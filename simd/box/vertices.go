package box

import (
	"math"

	"ccd/simd/internal/vec"
)

// VertexMap is how VertexRecords maps coordinates into records; see package bound, which derives it.
type VertexMap struct {
	C     [8]float64 // what is subtracted: x y z 0 at t = 0, then at t = 1
	Scale float64    // a power of two, by which the difference is multiplied
	T     float64    // the end of the motion: points at t = 1 are taken back to T
	Grow  float32    // what a box grows on every side, beside a part of the coordinate for rounding
	_     float32
	Order [8]int32 // the axes in the records' order, again with 4 added, and twice 3
}

// vertexRounding is the part of a record's float by which the box grows.
const vertexRounding = 0x1p-22

// VertexRecords makes the records (see Kinetic) of vertices from their coordinates {x0 y0 z0 0 x1 y1 z1 0}.
//
//	for v := range len(rec) / 8 {
//		for k := range 3 {
//			x0, x1 := rec[8*v+axis[k]], rec[8*v+4+axis[k]]
//			x1 = T < 1 ? fma(T, x1-x0, x0) : x1
//			for s, x := range {x0, x1} {
//				z := float32((x - C[s][axis[k]]) * Scale)
//				e := |z| * vertexRounding + Grow
//				out[16*v+3*s+k], out[16*v+6+3*s+k] = z-e, -z-e
//			}
//		}
//	}
func VertexRecords(rec []float64, m *VertexMap, out []float32) {
	if len(rec) > 0 {
		vertexRecords(rec, m, out[:2*len(rec)])
	}
}

func vertexRecordsGeneric(rec []float64, m *VertexMap, out []float32) {
	for v := range len(rec) / 8 {
		x, r := (*[8]float64)(rec[8*v:]), (*[16]float32)(out[16*v:])
		for k := range 3 {
			a := m.Order[k]
			x0, x1 := x[a], x[4+a]
			if m.T < 1 {
				x1 = math.FMA(m.T, x1-x0, x0)
			}
			r[k], r[6+k] = m.span(x0, m.C[a])
			r[3+k], r[9+k] = m.span(x1, m.C[4+a])
		}
		r[12], r[13], r[14], r[15] = 0, 0, 0, 0
	}
}

// span is lo and -hi of one coordinate.
func (m *VertexMap) span(x, c float64) (lo, minusHi float32) {
	z := float32((x - c) * m.Scale)
	e := float32(vec.Abs32(z)*vertexRounding) + m.Grow
	return z - e, -z - e
}
