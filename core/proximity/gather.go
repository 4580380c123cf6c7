package proximity

import (
	"sync"
	"unsafe"

	"ccd/core/engine"
	"ccd/core/geom"
)

const nearBytes = int(unsafe.Sizeof(NearPair{}))

// nearList holds the near pairs of one kind that a worker found, and their primitives beside them:
// to be put in order only the latter, a thirteenth of the memory, are read.
type nearList struct {
	pairs engine.List[NearPair]
	keys  engine.List[pairKey]
}

// add appends a pair, unless the budget does not allow it.
func (l *nearList) add(n *NearPair, b *engine.Budget) {
	if l.pairs.Add(n, b, 2*nearBytes+sortBytes) {
		l.keys.Add(&pairKey{int32(n.A), int32(n.B)}, b, keyBytes)
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

// gather merges the pairs of all workers, in the order of (kind, a, b).
func (s *scan) gather() ([]NearPair, error) {
	total := 0
	for _, w := range s.workers {
		for k := range w.near {
			total += w.near[k].pairs.Len()
		}
	}
	all, n := s.list(total)[:total], 0
	s.Progress.List(total)
	for _, k := range geom.StepKinds {
		if n == total {
			break
		}
		out := all[n:]
		err := s.eachInOrder(k, func(at int, keys []sortKey) {
			for i := range keys {
				out[at+i] = *s.workers[keys[i].list()].near[k-1].pairs.At(keys[i].at())
			}
		})
		if err != nil {
			return nil, err
		}
		for _, w := range s.workers {
			n += w.near[k-1].keys.Len()
		}
	}
	return all, nil
}

// eachInOrder calls emit for the pairs of a kind that workers found, in parallel (inOrder).
func (s *scan) eachInOrder(k geom.Kind, emit func(at int, keys []sortKey)) error {
	var lists []*engine.List[pairKey]
	for _, w := range s.workers {
		lists = append(lists, &w.near[k-1].keys)
	}
	below := s.m.Count(k.Info().Shapes[0])
	return inOrder(&s.order, lists, func(x *pairKey) pairKey {
		return *x
	}, below, len(s.workers), func(at int, keys []sortKey) {
		if s.Progress.Pass(int64(len(keys))) { // If Pass returns false, finish returns the error.
			emit(at, keys)
		}
	})
}

// given is a pool of the memory of results that callers returned with Reuse. The garbage collector
// empties it.
var given sync.Pool

// mostGiven is the size of the largest result whose memory is kept.
const mostGiven = 1 << 26 / nearBytes

// Reuse gives the memory of a result of Near to later calls. The caller may not use the slice, nor
// any part of it, again.
func Reuse(list []NearPair) {
	if n := cap(list); n > 0 && n <= mostGiven {
		given.Put(&list)
	}
}

// list returns an empty slice with room for n pairs: memory that was given back, if it has no more
// than twice the room. With a limit only new memory is used, as room beyond n would count.
func (s *scan) list(n int) []NearPair {
	if s.o.MemoryLimit == 0 {
		if l, ok := given.Get().(*[]NearPair); ok && n <= cap(*l) && cap(*l) <= 2*n {
			return (*l)[:0]
		}
	}
	return make([]NearPair, 0, n)
}
