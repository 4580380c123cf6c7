package curved

import "ccd/core/geom"

// solvedPairs are the pairs that a call which wants all pairs leaves out of later sections.
type solvedPairs struct {
	once    bool    // whether pairs are solved once
	tried   pairSet // pairs that were solved in the sections before, of the same piece
	touched pairSet // pairs in contact on an earlier piece
}

// has reports whether a pair is left out.
func (s *solvedPairs) has(key uint64) bool { return s.once && (s.tried.has(key) || s.touched.has(key)) }

// solvedKeys are the keys of a worker's pairs of the current section, for solvedPairs.
type solvedKeys struct {
	tried, touched []uint64
}

// Bytes is the memory of the sets.
func (s *solvedPairs) bytes() int64 { return s.tried.bytes() + s.touched.bytes() }

// pairSet is a set of pairs: a hash table with open addressing.
type pairSet struct {
	keys []uint64 // 0: free
	n    int
}

// keyOf is a number of the pair, not 0: kinds are 1 to 4, indices below 2^31, and no point is
// paired with itself.
func keyOf(k geom.Kind, pair [2]int32) uint64 {
	return (uint64(k-1)<<62 | uint64(pair[0])<<31 | uint64(pair[1])) + 1
}

// slot is where a key is, or would be.
func (s *pairSet) slot(key uint64) int {
	mask := uint64(len(s.keys) - 1)
	for i := key * 0x9e3779b97f4a7c15 >> 20 & mask; ; i = (i + 1) & mask {
		if s.keys[i] == key || s.keys[i] == 0 {
			return int(i)
		}
	}
}

// has reports whether a pair is in the set.
func (s *pairSet) has(key uint64) bool { return s.n > 0 && s.keys[s.slot(key)] == key }

// add adds keys that are not in the set.
func (s *pairSet) add(keys []uint64) {
	if 2*(s.n+len(keys)) > len(s.keys) {
		old, size := s.keys, 1024
		for size < 4*(s.n+len(keys)) {
			size *= 2
		}
		s.keys = make([]uint64, size)
		for _, key := range old {
			if key != 0 {
				s.keys[s.slot(key)] = key
			}
		}
	}
	for _, key := range keys {
		s.keys[s.slot(key)] = key
	}
	s.n += len(keys)
}

// Bytes is the memory of the set.
func (s *pairSet) bytes() int64 { return int64(8 * cap(s.keys)) }

// clear empties the set and keeps its memory.
func (s *pairSet) clear() {
	if s.n > 0 {
		clear(s.keys)
		s.n = 0
	}
}

// forgetSolved begins anew with what workers know of the midlines, and of the pairs that they have
// solved.
func (p *Path) forgetSolved() {
	for _, w := range p.workers {
		w.seen, w.tested, w.passed = 0, 0, 0
		w.keys = solvedKeys{w.keys.tried[:0], w.keys.touched[:0]}
	}
}
