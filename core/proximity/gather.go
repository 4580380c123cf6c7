package proximity

import (
	"slices"
	"sync"
	"unsafe"

	"ccd/core/engine"
	"ccd/core/geom"
)

const (
	nearBytes = int(unsafe.Sizeof(NearPair{}))
	keyBytes  = int(unsafe.Sizeof(nearKey{}))
	sortBytes = int(unsafe.Sizeof(sortKey{}))
)

// nearList holds the near pairs of one kind that a worker found, and their primitives beside them: to be put in order only the latter, a
// thirteenth of the memory, are read.
type nearList struct {
	pairs engine.List[NearPair]
	keys  engine.List[nearKey]
}

// nearKey is the two primitives of a near pair.
type nearKey struct{ a, b int32 }

// add appends a pair, unless the budget does not allow it.
func (l *nearList) add(n *NearPair, b *engine.Budget) {
	if l.pairs.Add(n, b, 2*nearBytes+sortBytes) {
		l.keys.Add(&nearKey{int32(n.A), int32(n.B)}, b, keyBytes)
	}
}

func (l *nearList) clear() {
	l.pairs.Clear(0)
	l.keys.Clear(0)
}

// nearBytes returns the memory of a worker's near pairs.
func (w *worker) nearBytes() (n int) {
	for k := range w.near {
		n += nearBytes*w.near[k].pairs.Cap() + keyBytes*w.near[k].keys.Cap()
	}
	return n
}

// sortKey is the position of a near pair in a worker's list, and its b.
type sortKey struct {
	b, worker int32
	at        int
}

// nearOrder is the working memory of gather.
type nearOrder struct {
	starts []int
	keys   []sortKey
}

func (o *nearOrder) bytes() int64 { return int64(8*cap(o.starts) + sortBytes*cap(o.keys)) }

// gather merges the pairs of all workers, in order: for each kind a counting sort by a, and then a sort of the few pairs of each a
// by b. It sorts keys, which have a sixth of a pair's size.
func (s *scan) gather() []NearPair {
	total := 0
	for _, w := range s.workers {
		for k := range w.near {
			total += w.near[k].pairs.Len()
		}
	}
	all := s.list(total)
	for _, k := range geom.StepKinds {
		for _, p := range s.sorted(k) {
			all = append(all, *s.workers[p.worker].near[k-1].pairs.At(p.at))
		}
	}
	return all
}

// given is a pool of the memory of results that callers gave back with Reuse. The garbage collector empties it.
var given sync.Pool

// mostGiven is the size of the largest result whose memory is kept.
const mostGiven = 1 << 26 / nearBytes

// Reuse gives the memory of a result of Near to later calls. The caller may not use the slice, nor any part of it, again.
func Reuse(list []NearPair) {
	if n := cap(list); n > 0 && n <= mostGiven {
		given.Put(&list)
	}
}

// list returns an empty slice with room for n pairs: memory that was given back, if it has no more than twice the room. With a limit only new
// memory is used, as room beyond n would count.
func (s *scan) list(n int) []NearPair {
	if s.o.MemoryLimit == 0 {
		if l, ok := given.Get().(*[]NearPair); ok && n <= cap(*l) && cap(*l) <= 2*n {
			return (*l)[:0]
		}
	}
	return make([]NearPair, 0, n)
}

// sorted returns the keys of the pairs of a kind, in order.
func (s *scan) sorted(k geom.Kind) []sortKey {
	n := 0
	for _, w := range s.workers {
		n += w.near[k-1].keys.Len()
	}
	if n == 0 {
		return nil
	}
	o, most := &s.order, s.m.Count(k.Info().Shapes[0])+1
	o.starts, o.keys = slices.Grow(o.starts[:0], most)[:most], slices.Grow(o.keys[:0], n)[:n]
	start, keys := o.starts, o.keys
	clear(start)
	for _, w := range s.workers {
		l := &w.near[k-1].keys
		for c := 0; len(l.Chunk(c)) > 0; c++ {
			for _, p := range l.Chunk(c) {
				start[p.a+1]++
			}
		}
	}
	sum := 0
	for a, n := range start {
		sum += n
		start[a] = sum
	}
	for who, w := range s.workers {
		l, at := &w.near[k-1].keys, 0
		for c := 0; len(l.Chunk(c)) > 0; c++ {
			for _, p := range l.Chunk(c) {
				keys[start[p.a]] = sortKey{p.b, int32(who), at}
				start[p.a]++ // at last the end of a's keys, where those of a+1 begin
				at++
			}
		}
	}
	from := 0
	for _, to := range start {
		if to > from+1 {
			byB(keys[from:to])
		}
		from = to
	}
	return keys
}

// byB sorts keys by b: by insertion where they are few, as nearly always.
func byB(keys []sortKey) {
	if len(keys) > 12 {
		slices.SortFunc(keys, func(x, y sortKey) int { return int(x.b) - int(y.b) })
		return
	}
	for i := 1; i < len(keys); i++ {
		x, j := keys[i], i
		for ; j > 0 && keys[j-1].b > x.b; j-- {
			keys[j] = keys[j-1]
		}
		keys[j] = x
	}
}
