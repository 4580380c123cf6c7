package simd

import "unsafe"

// SweepPad is how many entries a SweepList holds beyond N: kernels read whole registers.
const SweepPad = 16

// SweepList is boxes sorted by their minimum along x, in columns of N + SweepPad entries; the padding of Box[0] is
// +Inf.
type SweepList struct {
	Box  [6][]float32 // min x, y, z, max x, y, z
	Vert [3][]int32   // vertices of the primitives
	N    int
	// HomeY and HomeZ are the least y and z of the cell that the list belongs to: a pair is at home, and found, where the
	// larger of its two minima reaches both. Lists of one cell agree on them.
	HomeY, HomeZ float32
	// For ListSelf and ListAcross: the primitives' numbers, and how much a box may be too large beside the rounding of its
	// floats.
	IDs   []int32
	Slack float32
}

// SweepState is where a sweep goes on when its output was full; the zero value starts one.
type SweepState struct {
	i, j, first int // the query, its next target or 0, and where targets begin that later queries may meet
	phase       int // 0 and 1: the two halves of SweepAcross; -1: done
	doubts      int // pairs that ListSelf and ListAcross have found in doubt in this call
}

// Done tells whether the sweep has found all its pairs.
func (s *SweepState) Done() bool { return s.phase < 0 }

// SweepSelf writes pairs (i, j), i < j, of overlapping boxes of a list to out and returns how many. It stops when out
// has no room for another SweepPad pairs; call it again with the same state until the state is done.
//
//	for i := range l.N {
//		for j := i+1; minX[j] <= maxX[i]; j++ {
//			y := max(minY[i], minY[j]) >= HomeY && minY[j] <= maxY[i] && maxY[j] >= minY[i]   // and so for z
//			if y && z && "Vert[0] and Vert[1] of i and j are four different numbers" { emit(i, j) }
//		}
//	}
//
// Comparisons round nothing, so all levels find the same pairs in the same order.
func SweepSelf(l *SweepList, s *SweepState, out [][2]int32) int {
	if s.Done() {
		return 0
	}
	n := 0
	switch level {
	case avx512:
		n = sweepSelf512(address(l), address(l), address(s), out)
	case avx2:
		n = sweepSelf256(address(l), address(l), address(s), out)
	default:
		n = sweepGeneric(l, l, sweepSelf, s, out, nil)
	}
	if s.i >= l.N {
		s.phase = -1
	}
	return n
}

// SweepAcross is SweepSelf for the pairs (i, j) of a box i of a and a box j of b, where boxes of a have one vertex,
// Vert[0], and those of b three. First each box of b is compared with the boxes of a that begin within it, and then
// each of a with those of b that begin within it but not where it does.
//
//	for j := range b.N { for i := the first with a.minX[i] >= b.minX[j]; a.minX[i] <= b.maxX[j]; i++ { ... } }
//	for i := range a.N { for j := the first with b.minX[j] >  a.minX[i]; b.minX[j] <= a.maxX[i]; j++ { ... } }
func SweepAcross(a, b *SweepList, s *SweepState, out [][2]int32) int {
	n := 0
	if s.phase == 0 {
		switch level {
		case avx512:
			n = sweepBA512(address(b), address(a), address(s), out)
		case avx2:
			n = sweepBA256(address(b), address(a), address(s), out)
		default:
			n = sweepGeneric(b, a, sweepBA, s, out, nil)
		}
		if s.i < b.N {
			return n
		}
		*s = SweepState{phase: 1}
	}
	if s.Done() {
		return n
	}
	out = out[n:]
	m := 0
	switch level {
	case avx512:
		m = sweepAB512(address(a), address(b), address(s), out)
	case avx2:
		m = sweepAB256(address(a), address(b), address(s), out)
	default:
		m = sweepGeneric(a, b, sweepAB, s, out, nil)
	}
	if s.i >= a.N {
		s.phase = -1
	}
	return n + m
}

// address hands a struct to assembly, which knows the offsets of its fields; see _gen/sweep.go.
func address[T any](p *T) *byte { return (*byte)(unsafe.Pointer(p)) }
