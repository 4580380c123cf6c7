package linear

import "ccd/simd/internal/query"

// DiagonalVF writes to out, in rising order, the positions of the vertex-face queries that none of
// the directions x+y, y+z, z+x, x-y, y-z, z-x separates at both ends of the motion, and returns how
// many there are.
//
//	for i, q := range idx {
//		apart := false
//		for every direction { // sums and differences rounded
//			apart = apart ||
//				v is above f0, f1 and f2 by more than gap, at both ends ||
//				v is below f0, f1 and f2 by more than gap, at both ends
//		}
//		if !apart { out[n] = i; n++ }
//	}
//
// With a gap of 0, a query left out is a proof that the primitives do not touch. Rounding is
// monotone: fl(x+y) > fl(x'+y') implies x+y > x'+y', so the comparison errs by nothing, whatever
// the coordinates. And d.p is linear in t and in the point of the primitive, so what lies above at
// both ends does so throughout. Otherwise, a > fl(b + gap) implies a > b + gap for the rounded sums
// a and b, which err by 2^-53 of their magnitudes; the caller's gap, not negative, has to allow for
// that. out must hold len(idx) entries.
func DiagonalVF(rec []float64, idx [][4]int32, gap float64, out []int32) int {
	return diagonalVF(rec, idx, gap, out[:len(idx)])
}

// DiagonalEE is DiagonalVF for edge-edge queries.
func DiagonalEE(rec []float64, idx [][4]int32, gap float64, out []int32) int {
	return diagonalEE(rec, idx, gap, out[:len(idx)])
}

// diagonalGeneric has the first primitive in the first split vertices of each query.
func diagonalGeneric(rec []float64, idx [][4]int32, split int, gap float64, out []int32) int {
	n := 0
	for i := range idx {
		q := &idx[i]
		if !diagonalApart(rec, q[:split], q[split:], gap) && !diagonalApart(rec, q[split:], q[:split], gap) {
			out[n] = int32(i)
			n++
		}
	}
	return n
}

// diagonalApart reports whether b lies above a by more than gap along a direction at both ends.
func diagonalApart(rec []float64, a, b []int32, gap float64) bool {
	above := [6]bool{true, true, true, true, true, true}
	for _, i := range a {
		p := diagonals(query.Line(rec, i))
		for _, j := range b {
			r := diagonals(query.Line(rec, j))
			for k := range above {
				above[k] = above[k] && r[k] > p[k]+gap && r[6+k] > p[6+k]+gap
			}
		}
	}
	return above[0] || above[1] || above[2] || above[3] || above[4] || above[5]
}

// diagonals returns a vertex's coordinates along the six directions, at both ends.
func diagonals(p *[8]float64) (d [12]float64) {
	for end := range 2 {
		x, y, z := p[4*end], p[4*end+1], p[4*end+2]
		copy(d[6*end:], []float64{x + y, y + z, z + x, x - y, y - z, z - x})
	}
	return d
}
