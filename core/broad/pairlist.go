package broad

import (
	"sync"

	"ccd/simd/box"
)

// pairList holds pairs in the order in which they were found, in chunks, so that it grows without
// copying. A sweep writes into the chunks directly.
type pairList struct {
	chunks []*listChunk
}

// listChunk is a chunk of a list.
type listChunk struct {
	n     int
	pairs [1 << 15][2]int32
}

// chunkPool keeps chunks between calls until the garbage collector takes them: fresh memory costs
// as much as the sweep.
var chunkPool = sync.Pool{New: func() any { return new(listChunk) }}

// reserve returns space for leastRoom pairs or more; commit then adds the first n of them to the
// list.
func (l *pairList) reserve() [][2]int32 {
	if n := len(l.chunks); n > 0 {
		if p := l.chunks[n-1]; p.n <= len(p.pairs)-leastRoom {
			return p.pairs[p.n:]
		}
	}
	p := chunkPool.Get().(*listChunk)
	p.n = 0
	l.chunks = append(l.chunks, p)
	return p.pairs[:]
}

// leastRoom is more pairs than a register holds, and than a record of the hierarchy (box.Expand).
const leastRoom = 5 * box.SweepPad

// pairBytes is the memory of a candidate until it is returned: as found, as sorted, and its key
// during the sort.
const pairBytes = 8 + 8 + 4

func (l *pairList) commit(n int) { l.chunks[len(l.chunks)-1].n += n }

// length returns the number of pairs.
func (l *pairList) length() (n int) {
	for _, p := range l.chunks {
		n += p.n
	}
	return n
}

// free returns the chunks to the pool.
func (l *pairList) free() {
	for _, p := range l.chunks {
		chunkPool.Put(p)
	}
	l.chunks = nil
}
