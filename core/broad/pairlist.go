package broad

import (
	"sync"

	"ccd/simd"
)

// pairList is pairs in the order in which they were found, in pieces, so that growing copies nothing. A sweep writes
// straight into them.
type pairList struct {
	pieces []*piece
}

// piece is a part of a list.
type piece struct {
	n     int
	pairs [1 << 15][2]int32
}

// pieces keeps them between calls, as long as the garbage collector lets it: fresh memory costs as much as the sweep.
var pieces = sync.Pool{New: func() any { return new(piece) }}

// room is a place for more pairs than a register holds; keep then says how many were put there.
func (l *pairList) room() [][2]int32 {
	if n := len(l.pieces); n > 0 {
		if p := l.pieces[n-1]; p.n <= len(p.pairs)-4*simd.SweepPad {
			return p.pairs[p.n:]
		}
	}
	p := pieces.Get().(*piece)
	p.n = 0
	l.pieces = append(l.pieces, p)
	return p.pairs[:]
}

// pairBytes is what a candidate takes until it is handed out: as it is found, in order, and its key while it is put there.
const pairBytes = 8 + 8 + 4

func (l *pairList) keep(n int) { l.pieces[len(l.pieces)-1].n += n }

// length is the number of pairs.
func (l *pairList) length() (n int) {
	for _, p := range l.pieces {
		n += p.n
	}
	return n
}

// free gives the memory back.
func (l *pairList) free() {
	for _, p := range l.pieces {
		pieces.Put(p)
	}
	l.pieces = nil
}
