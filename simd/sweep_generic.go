package simd

import "math"

// The three sweeps: a list with itself, and the two halves of SweepAcross.
const (
	sweepSelf = iota
	sweepBA
	sweepAB
)

// sweepGeneric compares each query of q with the targets of t that begin within it.
func sweepGeneric(q, t *SweepList, mode int, s *SweepState, out [][2]int32) int {
	minX, minY, minZ, maxY, maxZ := t.Box[0], t.Box[1], t.Box[2], t.Box[4], t.Box[5]
	n := 0
	for ; s.i < q.N; s.i, s.j = s.i+1, 0 {
		i := s.i
		y0, z0, x1, y1, z1 := q.Box[1][i], q.Box[2][i], q.Box[3][i], q.Box[4][i], q.Box[5][i]
		// The least minima a target may have: none where the query's own minimum is at home.
		homeY, homeZ := t.HomeY, t.HomeZ
		if y0 >= homeY {
			homeY = -math.MaxFloat32
		}
		if z0 >= homeZ {
			homeZ = -math.MaxFloat32
		}
		j := s.j
		if j == 0 {
			j = s.begin(q.Box[0][i], minX, mode)
		}
		for ; minX[j] <= x1; j++ {
			if minY[j] > y1 || maxY[j] < y0 || minZ[j] > z1 || maxZ[j] < z0 || minY[j] < homeY || minZ[j] < homeZ ||
				shareVertex(q, t, mode, i, j) {
				continue
			}
			if n > len(out)-SweepPad {
				s.j = j
				return n
			}
			if mode == sweepBA {
				out[n] = [2]int32{int32(j), int32(i)}
			} else {
				out[n] = [2]int32{int32(i), int32(j)}
			}
			n++
		}
	}
	return n
}

// begin is the first target of query s.i, which begins at x0.
func (s *SweepState) begin(x0 float32, minX []float32, mode int) int {
	if mode == sweepSelf {
		return s.i + 1
	}
	for minX[s.first] < x0 || mode == sweepAB && minX[s.first] == x0 {
		s.first++
	}
	return s.first
}

func shareVertex(q, t *SweepList, mode, i, j int) bool {
	if mode == sweepSelf {
		a, b, c, d := q.Vert[0][i], q.Vert[1][i], t.Vert[0][j], t.Vert[1][j]
		return a == c || a == d || b == c || b == d
	}
	if mode == sweepBA {
		q, t, i, j = t, q, j, i
	}
	v := q.Vert[0][i]
	return v == t.Vert[0][j] || v == t.Vert[1][j] || v == t.Vert[2][j]
}
