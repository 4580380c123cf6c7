package simd

import "math"

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
	e := float32(abs32(z)*vertexRounding) + m.Grow
	return z - e, -z - e
}

func abs32(x float32) float32 { return math.Float32frombits(math.Float32bits(x) &^ (1 << 31)) }
