package simd

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
		p := diagonals(line(rec, i))
		for _, j := range b {
			r := diagonals(line(rec, j))
			for k := range above {
				above[k] = above[k] && r[k] > p[k]+gap && r[6+k] > p[6+k]+gap
			}
		}
	}
	return above[0] || above[1] || above[2] || above[3] || above[4] || above[5]
}

// diagonals are a vertex's coordinates along the six directions, at both ends.
func diagonals(p *[8]float64) (d [12]float64) {
	for end := range 2 {
		x, y, z := p[4*end], p[4*end+1], p[4*end+2]
		copy(d[6*end:], []float64{x + y, y + z, z + x, x - y, y - z, z - x})
	}
	return d
}
