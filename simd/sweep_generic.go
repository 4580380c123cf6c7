package simd

import "math"

// The three sweeps: a list with itself, and the two halves of SweepAcross.
const (
	sweepSelf = iota
	sweepBA
	sweepAB
)

// sweepGeneric compares each query of q with the targets of t that begin within it. It writes what
// SweepSelf and SweepAcross do, or with a room for doubts what ListSelf and ListAcross do.
func sweepGeneric(q, t *SweepList, mode int, s *SweepState, out, doubt [][2]int32) int {
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
			if n > len(out)-SweepPad || doubt != nil && s.doubts > len(doubt)-SweepPad {
				s.j = j
				return n
			}
			pair := [2]int32{int32(i), int32(j)}
			if doubt != nil {
				pair = [2]int32{q.IDs[i], t.IDs[j]}
			}
			if mode == sweepBA || doubt != nil && mode == sweepSelf && pair[0] > pair[1] {
				pair[0], pair[1] = pair[1], pair[0]
			}
			if doubt != nil && inDoubt(q, t, i, j) {
				doubt[s.doubts] = pair
				s.doubts++
				continue
			}
			out[n] = pair
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

func inDoubt(q, t *SweepList, i, j int) bool {
	for k := range 3 {
		lo, hi := q.Box[k][i], q.Box[3+k][i]
		in, out := float32(abs32(lo)*listRounding)+q.Slack, float32(abs32(hi)*listRounding)+q.Slack
		if !(t.Box[k][j] <= hi-out && t.Box[3+k][j] >= lo+in) {
			return true
		}
	}
	return false
}
