package box

import (
	"math"

	"ccd/simd/internal/level"
	"ccd/simd/internal/vec"
)

// SweepPad is the number of entries of a SweepList beyond N: kernels read whole registers.
const SweepPad = 16

// SweepList holds boxes sorted by their minimum along x. ListSelf and ListAcross read Box, the
// boxes over a whole motion, in columns of N + SweepPad entries; the padding of Box[0] is +Inf.
// SweepSelf, SweepAcross and SweepEF read Ends.
type SweepList struct {
	Box  [6][]float32 // min x, y, z, max x, y, z
	Vert [3][]int32   // vertices of the primitives, N + SweepPad entries
	N    int
	// HomeY and HomeZ are the least y and z of the cell that the list belongs to. A pair is found
	// only in its home cell, where the larger of its two minima is at least both. All lists of a
	// cell have the same values.
	HomeY, HomeZ float32
	// For ListSelf and ListAcross: the primitives' numbers, and how much a box may be too large in
	// addition to the rounding of its floats.
	IDs   []int32
	Slack float32
	// Ends is EndColumns columns, from one to the next Stride floats, a multiple of SweepPad and at
	// least N + SweepPad; it lies on a 64-byte line. Columns 0 to 2 are the boxes' minima x, y, z
	// over the motion, the padding of x +Inf; 3 to 6 the minimum at the first and the last end
	// along y, and the maximum at both; 7 to 10 and 11 to 14 the same along z and x; and 15 the
	// maximum x.
	Ends   []float32
	Stride int
	// AtRest says that both ends of the motion are the same. JoinEnds then writes, and sweeps read,
	// only the columns of the minima, 5, 9 and EndMax.
	AtRest bool
}

// EndColumns is the number of columns of SweepList.Ends, EndMax the column of the maximum x.
const (
	EndColumns = 16
	EndMax     = 15
)

// SweepState is where a sweep continues after its output was full; the zero value starts a sweep.
type SweepState struct {
	// The query or the first of a block, its next target or 0, and the first target that later
	// queries may overlap.
	i, j, first int
	phase       int  // 0 and 1: the two halves of SweepAcross; -1: done
	doubts      int  // pairs that ListSelf and ListAcross have found in doubt in this call
	seen        int  // see Seen
	chosen      bool // whether blocks is that of this pass
	blocks      bool // queries are compared in blocks, which is faster where few targets begin within a query
}

// fewTargets is the number of targets within a query from which on comparing a query with eight or
// sixteen targets at once is faster than eight queries with one target. (Tests change it.)
var fewTargets = 48

// choose sets blocks for a new pass with the queries of q and the targets of t: whether few targets
// begin within most of some intervals that are as long as a query and begin with a target.
func (s *SweepState) choose(q, t *SweepList) {
	if s.chosen {
		return
	}
	s.chosen = true
	if level.Now == level.Generic || q.N == 0 {
		return
	}
	const samples = 4
	many := 0
	for k := range samples {
		i, j := q.N*(2*k+1)/(2*samples), t.N*(2*k+1)/(2*samples)
		if j+fewTargets < t.N && t.Ends[j+fewTargets]-t.Ends[j] <= q.Ends[EndMax*q.Stride+i]-q.Ends[i] {
			many++
		}
	}
	s.blocks = many < samples/2
}

// Done reports whether the sweep has found all its pairs.
func (s *SweepState) Done() bool { return s.phase < 0 }

// Seen returns the number of targets that SweepSelf, SweepAcross and SweepEF have compared with
// queries: those that begin within them.
func (s *SweepState) Seen() int { return s.seen }

// SweepSelf writes the pairs (i, j), i < j, of boxes of a list that no axis separates to out, in
// any order, and returns their number. It stops when out cannot hold another SweepPad pairs; call
// it again with the same state until the state is done.
//
//	for i := range l.N {
//		for j := i+1; minX[j] <= maxX[i]; j++ {
//			home := max(minY[i], minY[j]) >= HomeY && max(minZ[i], minZ[j]) >= HomeZ
//			apart := "on x, y or z one of the two lies above the other at both ends of the motion"
//			four := "Vert[0] and Vert[1] of i and j are four different numbers"
//			if home && !apart && four { emit(i, j) }
//		}
//	}
//
// Comparisons round nothing, so all levels find the same pairs. At rest x needs no test: one box
// begins within the other.
func SweepSelf(l *SweepList, s *SweepState, out [][2]int32) int {
	if s.Done() {
		return 0
	}
	s.choose(l, l)
	n := sweepSelf(l, l, s, out)
	if s.i >= l.N {
		s.phase = -1
	}
	return n
}

// SweepAcross is SweepSelf for the pairs (i, j) of a box i of a and a box j of b, where boxes of a
// have one vertex, Vert[0], and those of b three. First each box of b is compared with the boxes of
// a that begin within it, and then each of a with those of b that begin within it but not where it
// does.
//
//	for j := range b.N {
//		for i := the first with a.minX[i] >= b.minX[j]; a.minX[i] <= b.maxX[j]; i++ { ... }
//	}
//	for i := range a.N {
//		for j := the first with b.minX[j] > a.minX[i]; b.minX[j] <= a.maxX[i]; j++ { ... }
//	}
func SweepAcross(a, b *SweepList, s *SweepState, out [][2]int32) int {
	n := 0
	if s.phase == 0 {
		s.choose(b, a)
		n = sweepBA(b, a, s, out)
		if s.i < b.N {
			return n
		}
		*s = SweepState{phase: 1, seen: s.seen}
	}
	if s.Done() {
		return n
	}
	s.choose(a, b)
	out = out[n:]
	m := sweepAB(a, b, s, out)
	if s.i >= a.N {
		s.phase = -1
	}
	return n + m
}

// SweepEF is SweepAcross for the edges a and the faces b at rest, whether or not the lists say so.
// Neither of an edge's vertices, Vert[0] and Vert[1], may be one of the face's three.
func SweepEF(a, b *SweepList, s *SweepState, out [][2]int32) int {
	n := 0
	if s.phase == 0 {
		s.choose(b, a)
		n = sweepFE(b, a, s, out)
		if s.i < b.N {
			return n
		}
		*s = SweepState{phase: 1, seen: s.seen}
	}
	if s.Done() {
		return n
	}
	s.choose(a, b)
	out = out[n:]
	m := sweepEF(a, b, s, out)
	if s.i >= a.N {
		s.phase = -1
	}
	return n + m
}

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

// sweepGeneric compares each query of q with the targets of t that begin within it, at both ends of
// the motion.
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

// least are the minima that a target must reach beside a query that begins at y and z: any where
// that is at home.
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

// apartAtEnds reports whether the boxes of two entries are apart. (A variable for the function
// would move the entries to the heap.)
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

// listGeneric compares each query of q with the targets of t that begin within it, over the whole
// motion, and parts the pairs.
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
		in, out := float32(vec.Abs32(lo)*listRounding)+q.Slack, float32(vec.Abs32(hi)*listRounding)+q.Slack
		if !(t.Box[k][j] <= hi-out && t.Box[3+k][j] >= lo+in) {
			return true
		}
	}
	return false
}
