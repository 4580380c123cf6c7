package engine

import (
	"fmt"
	"iter"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"ccd/core/status"
)

// Parallel runs work(0) to work(n-1) at the same time and returns when all have ended. Goroutines
// that it started may look for work of the next call for a moment (team.go). work(0) runs on the
// calling goroutine, even if n is 0. A panic in any of them is caught and returned as
// status.ErrInternal with its stack.
func Parallel(n int, work func(worker int)) error {
	if n <= 1 {
		return safely(work, 0)
	}
	return parallel(n, work)
}

// concurrently is Parallel for n > 1.
func concurrently(n int, work func(worker int)) error {
	var first atomic.Pointer[error]
	run := func(i int) {
		if err := safely(work, i); err != nil {
			first.CompareAndSwap(nil, &err)
		}
	}
	if n <= runtime.GOMAXPROCS(0) {
		together(n, run)
	} else {
		var wg sync.WaitGroup
		for i := 1; i < n; i++ {
			wg.Go(func() { run(i) })
		}
		run(0)
		wg.Wait()
	}
	if err := first.Load(); err != nil {
		return *err
	}
	return nil
}

// safely runs work(i) and returns a panic in it as an error.
func safely(work func(worker int), i int) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: %v\n%s", status.ErrInternal, p, debug.Stack())
		}
	}()
	work(i)
	return nil
}

// Tasks gives each task number to one worker, in increasing order. The zero Tasks has none.
type Tasks struct {
	next atomic.Int64
	n    int64
}

// NewTasks returns the tasks from, from+1, ..., n-1.
func NewTasks(from, n int) *Tasks {
	t := &Tasks{n: int64(n)}
	t.next.Store(int64(from))
	return t
}

// All takes task numbers one by one until none is left. Every worker ranges over it; together they
// get all of them, each once.
func (t *Tasks) All() iter.Seq[int] {
	return func(yield func(int) bool) {
		for {
			turn()
			i := t.next.Add(1) - 1
			if i >= t.n || !yield(int(i)) {
				return
			}
		}
	}
}

// Stop prevents all workers from taking further tasks.
func (t *Tasks) Stop() { t.next.Store(t.n) }

// FirstUntaken returns the first task that no worker has taken, n if there is none or after Stop.
func (t *Tasks) FirstUntaken() int { return int(min(t.next.Load(), t.n)) }

// Each runs work for 0 to n-1 on some threads, which take one number after the other, and returns
// when all are done.
func Each(n, threads int, work func(worker, i int)) error {
	if min(threads, n) <= 1 {
		return safely(func(worker int) {
			for i := range n {
				turn()
				work(worker, i)
			}
		}, 0)
	}
	tasks := NewTasks(0, n)
	return Parallel(min(threads, n), func(worker int) {
		for i := range tasks.All() {
			work(worker, i)
		}
	})
}

// Stride returns a number near 0.618 n that is coprime to n. The multiples i*Stride(n) modulo n
// visit 0 to n-1 once each, and consecutive multiples are spread evenly over 0 to n-1.
func Stride(n int) int {
	gcd := func(a, b int) int {
		for b != 0 {
			a, b = b, a%b
		}
		return a
	}
	k := int(0.6180339887*float64(n)) | 1
	for gcd(k, n) > 1 {
		k += 2
	}
	return k
}
