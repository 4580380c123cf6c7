package engine

import (
	"ccd/core/status"
	"sync/atomic"
)

// LeastResults is the memory for results that every call may use, however small its limit is, like
// the working memory that no plan can do without. A mebibyte holds some 4,000 impacts.
const LeastResults = 1 << 20

// Budget bounds the memory of the results of a listing call, from when they are found until they
// are returned, in addition to the call's working memory. The zero Budget has no bound. Workers use
// it concurrently.
type Budget struct {
	limit   uint64 // bytes that the call may use; 0: no bound
	working int64  // memory without results
	used    atomic.Int64
	over    atomic.Bool
}

// Begin starts a call.
func (b *Budget) Begin(limit uint64) {
	b.limit, b.working = limit, 0
	b.used.Store(0)
	b.over.Store(false)
}

// SetWorking sets the working memory of the call. No worker may call Take at the same time.
func (b *Budget) SetWorking(working int64) { b.working = working }

// Used returns the memory of the results so far.
func (b *Budget) Used() int64 { return b.used.Load() }

// Take reserves memory for results and reports whether it is within the budget. If it is not, the
// call must end with Err.
func (b *Budget) Take(bytes int64) bool {
	if used := b.used.Add(bytes); b.limit == 0 || used <= b.available() {
		return true
	}
	b.used.Add(-bytes)
	b.over.Store(true)
	return false
}

func (b *Budget) available() int64 {
	return max(LeastResults, int64(min(b.limit, 1<<62))-b.working)
}

// Over reports whether a Take failed.
func (b *Budget) Over() bool { return b.over.Load() }

// Err returns a status.ErrMemory if a Take failed.
func (b *Budget) Err() error {
	if !b.Over() {
		return nil
	}
	return status.Errorf(status.ErrMemory,
		"options.memory_limit is %d: the results take %d bytes or more, in addition to %d of working memory; "+
			"raise the limit, or visit the results in batches", b.limit, b.Used(), b.working)
}

// listChunk is the number of items of a chunk of a List: large enough that the list of chunks is
// small relative to them, and small enough that a chunk is small relative to LeastResults.
const listChunk = 128

// List grows without copying its items, and takes the memory of each chunk from a budget.
type List[T any] struct {
	blocks []*[listChunk]T
	n      int
}

// Add appends an item, for which the call will use this many bytes in total. It reports whether the
// budget allowed it; otherwise it appends nothing.
func (l *List[T]) Add(x *T, b *Budget, bytes int) bool {
	if l.n == listChunk*len(l.blocks) {
		if !b.Take(listChunk * int64(bytes)) {
			return false
		}
		l.blocks = append(l.blocks, new([listChunk]T))
	}
	*l.At(l.n) = *x
	l.n++
	return true
}

// At returns item i.
func (l *List[T]) At(i int) *T { return &l.blocks[i/listChunk][i%listChunk] }

// Chunk returns the items of chunk i, an empty slice if there are none.
func (l *List[T]) Chunk(i int) []T {
	n := min(l.n-listChunk*i, listChunk)
	if n <= 0 {
		return nil
	}
	return l.blocks[i][:n]
}

// Len returns the number of items.
func (l *List[T]) Len() int { return l.n }

// Cap returns the number of items that fit into the memory of the list.
func (l *List[T]) Cap() int { return listChunk * len(l.blocks) }

// Clear removes the items. It keeps their memory unless there is a limit: the budget does not count
// memory of earlier calls.
func (l *List[T]) Clear(limit uint64) {
	if l.n = 0; limit != 0 {
		l.blocks = nil
	}
}

// AppendTo appends the items to a slice.
func (l *List[T]) AppendTo(all []T) []T {
	for left, i := l.n, 0; left > 0; left, i = left-listChunk, i+1 {
		all = append(all, l.blocks[i][:min(left, listChunk)]...)
	}
	return all
}

// AppendRange appends n items from item i on to a slice.
func (l *List[T]) AppendRange(all []T, i, n int) []T {
	for n > 0 {
		some := l.Chunk(i / listChunk)[i%listChunk:]
		some = some[:min(n, len(some))]
		all = append(all, some...)
		i, n = i+len(some), n-len(some)
	}
	return all
}

// Gather returns the items of the workers' lists in one slice without spare capacity.
func Gather[W, T any](workers []W, list func(w *W) *List[T]) []T {
	n := 0
	for i := range workers {
		n += list(&workers[i]).n
	}
	if n == 0 {
		return nil
	}
	all := make([]T, 0, n)
	for i := range workers {
		all = list(&workers[i]).AppendTo(all)
	}
	return all
}
