package box

// listRounding times the magnitude of a bound, plus the list's Slack, is how much ListSelf shrinks
// boxes on each side to decide whether a pair is in doubt.
const listRounding = 0x1p-20

// ListSelf works like SweepSelf, but compares the boxes over the whole motion and writes each pair
// as two primitive numbers of l.IDs, the smaller one first. Pairs that may overlap only because
// boxes in single precision are a little too large are in doubt: they are written to doubt, not to
// out. A pair is certain if on every axis target j overlaps the shrunk box of query i:
//
//	minX[j] <= maxX[i] - (|maxX[i]| listRounding + Slack)  and maxX[j] >= minX[i] + (|minX[i]|
//	                                                       listRounding + Slack)
//
// ListSelf returns the numbers of pairs in out and in doubt. It stops when one of them cannot hold
// another SweepPad pairs; call it again with the same state until the state is done.
func ListSelf(l *SweepList, s *SweepState, out, doubt [][2]int32) (n, doubts int) {
	if s.Done() {
		return 0, 0
	}
	s.doubts = 0
	n = listSelf(l, l, s, out, doubt)
	if s.i >= l.N {
		s.phase = -1
	}
	return n, s.doubts
}

// ListAcross does the same for the pairs of two lists. The primitive of a comes first in each pair.
func ListAcross(a, b *SweepList, s *SweepState, out, doubt [][2]int32) (n, doubts int) {
	s.doubts = 0
	if s.phase == 0 { // queries of b, targets of a; phase 1 is the reverse
		n = listBA(b, a, s, out, doubt)
		if s.i < b.N {
			return n, s.doubts
		}
		*s = SweepState{phase: 1, doubts: s.doubts}
	}
	if s.Done() {
		return n, s.doubts
	}
	out = out[n:]
	n += listAB(a, b, s, out, doubt)
	if s.i >= a.N {
		s.phase = -1
	}
	return n, s.doubts
}
