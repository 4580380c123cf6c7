package box

// RowMap is how StepRows maps coordinates into the floats of rows.
type RowMap struct {
	C     [3]float64 // what is subtracted
	Scale float64    // positive: what the difference is multiplied by
	Grow  float64    // what a box grows on every side, at least 0
}

// StepRows fills the rows (see Leaves) of the boxes of vertices over a step from their coordinates
// {x0 y0 z0 0 x1 y1 z1 0}. With M(x) = float32((x - C) * Scale), each operation rounded to nearest,
//
//	rows[8*v+k], rows[8*v+4+k] = M(min(x0, x1) - Grow), -M(max(x0, x1) + Grow)
//
// where the sums with Grow are the nearest doubles that are not inside the true box. M never
// decreases, so boxes whose floats are apart are apart. Coordinates and floats are finite.
func StepRows(rec []float64, m *RowMap, rows []float32) {
	if len(rec) > 0 {
		stepRows(rec, m, rows[:len(rec)])
	}
}

// EndRows fills the rows of the boxes of vertices at one end of a step, 0 or 1, in the same way: it
// takes x0 or x1 for both bounds.
func EndRows(rec []float64, end int, m *RowMap, rows []float32) {
	if len(rec) > 0 {
		endRows(rec[4*end:], m, rows[:len(rec)])
	}
}

// endRowsGeneric takes records that begin at the end that counts; the last is cut short then.
func endRowsGeneric(rec []float64, m *RowMap, rows []float32) {
	for v := range len(rows) / rowLen {
		r, row := (*[3]float64)(rec[8*v:]), (*[rowLen]float32)(rows[rowLen*v:])
		for k, x := range r {
			lo, hi := x, x
			if m.Grow != 0 {
				lo, hi = -sumUp(-x, m.Grow), sumUp(x, m.Grow)
			}
			row[k], row[rowHi+k] = m.float(k, lo), -m.float(k, hi)
		}
		row[3], row[rowHi+3] = 0, 0
	}
}

func stepRowsGeneric(rec []float64, m *RowMap, rows []float32) {
	for v := range len(rec) / 8 {
		r, row := (*[8]float64)(rec[8*v:]), (*[rowLen]float32)(rows[rowLen*v:])
		for k := range 3 {
			lo, hi := r[4+k], r[4+k]
			if r[k] < lo {
				lo = r[k]
			}
			if r[k] > hi {
				hi = r[k]
			}
			if m.Grow != 0 {
				lo, hi = -sumUp(-lo, m.Grow), sumUp(hi, m.Grow)
			}
			row[k], row[rowHi+k] = m.float(k, lo), -m.float(k, hi)
		}
		row[3], row[rowHi+3] = 0, 0
	}
}

func (m *RowMap) float(axis int, x float64) float32 {
	return float32(float64(float64(x-m.C[axis]) * m.Scale))
}
