package simd

import "math"

// The sweeps: a list with itself, and the two halves of SweepAcross and of SweepEF.
const (
	passSelf = iota
	passBA
	passAB
	passFE
	passEF
)

// swapped reports whether the queries are the second of a pair.
func swapped(mode int) bool { return mode == passBA || mode == passFE }

// sweepGeneric compares each query of q with the targets of t that begin within it, at both ends of the motion.
func sweepGeneric(q, t *SweepList, mode int, s *SweepState, out [][2]int32) int {
	minX := t.Ends[:t.Stride]
	rest := t.AtRest || mode >= passFE
	n := 0
	for ; s.i < q.N; s.i, s.j = s.i+1, 0 {
		i := s.i
		x := q.at(i)
		leastY, leastZ := t.least(x[1], x[2])
		j := s.j
		if j == 0 {
			j = s.begin(x[0], minX, mode)
		}
		for ; minX[j] <= x[15]; j++ {
			y := t.at(j)
			if apartAtEnds(&x, &y, rest) || y[1] < leastY || y[2] < leastZ || shareVertex(q, t, mode, i, j) {
				continue
			}
			if n > len(out)-SweepPad {
				s.j = j
				return n
			}
			out[n] = [2]int32{int32(i), int32(j)}
			if swapped(mode) {
				out[n] = [2]int32{int32(j), int32(i)}
			}
			n++
		}
		if mode == passSelf {
			s.seen += j - i - 1
		} else {
			s.seen += j - s.first
		}
	}
	return n
}

// at is entry i of all columns of Ends.
func (l *SweepList) at(i int) (x [EndColumns]float32) {
	for k := range x {
		x[k] = l.Ends[k*l.Stride+i]
	}
	return x
}

// least are the minima that a target must reach beside a query that begins at y and z: any where that is at home.
func (l *SweepList) least(y, z float32) (leastY, leastZ float32) {
	leastY, leastZ = l.HomeY, l.HomeZ
	if y >= leastY {
		leastY = -math.MaxFloat32
	}
	if z >= leastZ {
		leastZ = -math.MaxFloat32
	}
	return leastY, leastZ
}

// apartAtEnds reports whether the boxes of two entries are apart. (A variable for the function would move the entries to the heap.)
func apartAtEnds(x, y *[EndColumns]float32, rest bool) bool {
	if rest {
		return apartAtRest(x, y)
	}
	return apartInMotion(x, y)
}

// apartInMotion reports whether on some axis one box lies above the other at both ends.
func apartInMotion(x, y *[EndColumns]float32) bool {
	for k := 3; k < 15; k += 4 {
		if y[k] > x[k+2] && y[k+1] > x[k+3] || x[k] > y[k+2] && x[k+1] > y[k+3] {
			return true
		}
	}
	return false
}

// apartAtRest is apartInMotion for boxes at rest, one of which begins within the other along x.
func apartAtRest(x, y *[EndColumns]float32) bool {
	return y[1] > x[5] || x[1] > y[5] || y[2] > x[9] || x[2] > y[9]
}

// listGeneric compares each query of q with the targets of t that begin within it, over the whole motion, and parts the
// pairs.
func listGeneric(q, t *SweepList, mode int, s *SweepState, out, doubt [][2]int32) int {
	minX, minY, minZ, maxY, maxZ := t.Box[0], t.Box[1], t.Box[2], t.Box[4], t.Box[5]
	n := 0
	for ; s.i < q.N; s.i, s.j = s.i+1, 0 {
		i := s.i
		y0, z0, x1, y1, z1 := q.Box[1][i], q.Box[2][i], q.Box[3][i], q.Box[4][i], q.Box[5][i]
		homeY, homeZ := t.least(y0, z0)
		j := s.j
		if j == 0 {
			j = s.begin(q.Box[0][i], minX, mode)
		}
		for ; minX[j] <= x1; j++ {
			if minY[j] > y1 || maxY[j] < y0 || minZ[j] > z1 || maxZ[j] < z0 || minY[j] < homeY || minZ[j] < homeZ ||
				shareVertex(q, t, mode, i, j) {
				continue
			}
			if n > len(out)-SweepPad || s.doubts > len(doubt)-SweepPad {
				s.j = j
				return n
			}
			pair := [2]int32{q.IDs[i], t.IDs[j]}
			if mode == passBA || mode == passSelf && pair[0] > pair[1] {
				pair[0], pair[1] = pair[1], pair[0]
			}
			if inDoubt(q, t, i, j) {
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
	if mode == passSelf {
		return s.i + 1
	}
	for minX[s.first] < x0 || !swapped(mode) && minX[s.first] == x0 {
		s.first++
	}
	return s.first
}

func shareVertex(q, t *SweepList, mode, i, j int) bool {
	if mode == passSelf {
		a, b, c, d := q.Vert[0][i], q.Vert[1][i], t.Vert[0][j], t.Vert[1][j]
		return a == c || a == d || b == c || b == d
	}
	if swapped(mode) {
		q, t, i, j = t, q, j, i
	}
	v, w := q.Vert[0][i], q.Vert[0][i]
	if mode >= passFE {
		w = q.Vert[1][i]
	}
	x, y, z := t.Vert[0][j], t.Vert[1][j], t.Vert[2][j]
	return v == x || v == y || v == z || w == x || w == y || w == z
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
