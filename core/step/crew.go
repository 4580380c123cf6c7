package step

import (
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// crew runs work(0) to work(n-1) at once and returns when all have ended: no goroutine outlives the call. A panic in any of
// them, the caller's own included, is caught and returned as ErrInternal with its stack.
func crew(n int, work func(worker int)) error {
	var wg sync.WaitGroup
	var first atomic.Pointer[error]
	safely := func(i int) {
		defer func() {
			if p := recover(); p != nil {
				err := fmt.Errorf("%w: %v\n%s", ErrInternal, p, debug.Stack())
				first.CompareAndSwap(nil, &err)
			}
		}()
		work(i)
	}
	for i := 1; i < n; i++ {
		wg.Go(func() { safely(i) })
	}
	safely(0)
	wg.Wait()
	if err := first.Load(); err != nil {
		return *err
	}
	return nil
}

// gate tells the progress callback how far a call is, from whichever thread comes by, one at a time.
type gate struct {
	progress  func(float64) bool
	total     float64
	done      atomic.Int64
	cancelled atomic.Bool
	calling   sync.Mutex
	last      float64
}

// pass notes that weight more of the work is done and returns whether to go on.
func (g *gate) pass(weight int64) bool {
	done := g.done.Add(weight)
	if g.progress != nil && g.calling.TryLock() {
		defer g.calling.Unlock()
		if f := min(float64(done)/g.total, 1); f > g.last && !g.cancelled.Load() {
			g.last = f
			if g.progress(f) {
				g.cancelled.Store(true)
			}
		}
	}
	return !g.cancelled.Load()
}
