package simd

// listRounding is the fraction of a bound's magnitude by which ListSelf reduces it to decide whether a pair is in doubt.
const listRounding = 0x1p-20

// ListSelf is SweepSelf, but for what it writes: pairs of the primitives' numbers l.IDs, the smaller one first. Pairs
// that overlap only because boxes in single precision are a little too large may be in doubt: those are written to
// doubt, not to out. A pair is in doubt unless on every axis the minimum of either target lies within the reduced maximum of
// the query, and the maximum beyond its reduced minimum:
//
//	minX[j] <= maxX[i] - (|maxX[i]| listRounding + Slack)  and  maxX[j] >= minX[i] + (|minX[i]| listRounding + Slack)
//
// It returns the numbers of pairs in both, and stops when either cannot hold another SweepPad pairs.
func ListSelf(l *SweepList, s *SweepState, out, doubt [][2]int32) (n, doubts int) {
	if s.Done() {
		return 0, 0
	}
	s.doubts = 0
	switch level {
	case avx512:
		n = listSelf512(address(l), address(l), address(s), out, doubt)
	case avx2:
		n = listSelf256(address(l), address(l), address(s), out, doubt)
	default:
		n = listGeneric(l, l, sweepSelf, s, out, doubt)
	}
	if s.i >= l.N {
		s.phase = -1
	}
	return n, s.doubts
}

// ListAcross is SweepAcross with the output of ListSelf, but for the order in a pair: the primitive of a comes first.
func ListAcross(a, b *SweepList, s *SweepState, out, doubt [][2]int32) (n, doubts int) {
	s.doubts = 0
	if s.phase == 0 {
		switch level {
		case avx512:
			n = listBA512(address(b), address(a), address(s), out, doubt)
		case avx2:
			n = listBA256(address(b), address(a), address(s), out, doubt)
		default:
			n = listGeneric(b, a, sweepBA, s, out, doubt)
		}
		if s.i < b.N {
			return n, s.doubts
		}
		*s = SweepState{phase: 1, doubts: s.doubts}
	}
	if s.Done() {
		return n, s.doubts
	}
	out = out[n:]
	switch level {
	case avx512:
		n += listAB512(address(a), address(b), address(s), out, doubt)
	case avx2:
		n += listAB256(address(a), address(b), address(s), out, doubt)
	default:
		n += listGeneric(a, b, sweepAB, s, out, doubt)
	}
	if s.i >= a.N {
		s.phase = -1
	}
	return n, s.doubts
}
