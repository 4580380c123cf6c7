package engine

import (
	"ccd/core/status"
	"sync/atomic"
)

// LeastResults is the room for results that a call has however small its limit is: like the working memory that no plan can do
// without it is a part of what every call may take. A mebibyte holds some 4,000 impacts.
const LeastResults = 1 << 20

// Budget bounds the memory that the results of a listing call take, from when they are found until they are handed out, beside the
// call's working memory. The zero Budget bounds nothing. Workers take from it at once.
type Budget struct {
	limit   uint64 // of the call; 0: none
	working int64  // beside results
	used    atomic.Int64
	over    atomic.Bool
}

// Begin starts a call.
func (b *Budget) Begin(limit uint64) {
	b.limit, b.working = limit, 0
	b.used.Store(0)
	b.over.Store(false)
}

// Beside says how much working memory the call holds from now on. No worker may be taking.
func (b *Budget) Beside(working int64) { b.working = working }

// Used is what results take so far.
func (b *Budget) Used() int64 { return b.used.Load() }

// Take asks for so many bytes and reports whether they may be used. Once they may not, the call is to end with Err.
func (b *Budget) Take(bytes int64) bool {
	if used := b.used.Add(bytes); b.limit == 0 || used <= b.room() {
		return true
	}
	b.used.Add(-bytes)
	b.over.Store(true)
	return false
}

func (b *Budget) room() int64 {
	return max(LeastResults, int64(min(b.limit, 1<<62))-b.working)
}

// Over reports whether a Take failed.
func (b *Budget) Over() bool { return b.over.Load() }

// Err is an error of the kind status.ErrMemory where a Take failed.
func (b *Budget) Err() error {
	if !b.Over() {
		return nil
	}
	return status.Errorf(status.ErrMemory, "options.memory_limit is %d: what was found takes %d bytes and more, beside %d of working memory; "+
		"raise the limit, or take what is found in portions", b.limit, b.Used(), b.working)
}

// listBlock is how many items a block of a List has: enough that the list of blocks is small beside them, and few enough that a
// block is small beside LeastResults.
const listBlock = 128

// List grows without moving its items, and takes the memory of each block from a budget.
type List[T any] struct {
	blocks []*[listBlock]T
	n      int
}

// Add appends an item, for which the call will take so many bytes in all. It reports whether the budget has room for it: else nothing
// is appended.
func (l *List[T]) Add(x *T, b *Budget, bytes int) bool {
	if l.n == listBlock*len(l.blocks) {
		if !b.Take(listBlock * int64(bytes)) {
			return false
		}
		l.blocks = append(l.blocks, new([listBlock]T))
	}
	*l.At(l.n) = *x
	l.n++
	return true
}

// At is item i.
func (l *List[T]) At(i int) *T { return &l.blocks[i/listBlock][i%listBlock] }

// Len is the number of items.
func (l *List[T]) Len() int { return l.n }

// Cap is the number of items that there is memory for.
func (l *List[T]) Cap() int { return listBlock * len(l.blocks) }

// Clear drops the items. Their memory is kept for the next, unless there is a limit: the budget does not count what was there before.
func (l *List[T]) Clear(limit uint64) {
	if l.n = 0; limit != 0 {
		l.blocks = nil
	}
}

// AppendTo appends the items to a slice.
func (l *List[T]) AppendTo(all []T) []T {
	for left, i := l.n, 0; left > 0; left, i = left-listBlock, i+1 {
		all = append(all, l.blocks[i][:min(left, listBlock)]...)
	}
	return all
}

// Gather is the items of several lists, in one slice that has no more room than that.
func Gather[T any](lists ...*List[T]) []T {
	n := 0
	for _, l := range lists {
		n += l.n
	}
	if n == 0 {
		return nil
	}
	all := make([]T, 0, n)
	for _, l := range lists {
		all = l.AppendTo(all)
	}
	return all
}
