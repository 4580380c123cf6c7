package broad

import (
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// ErrInternal marks a defect of the library: a panic that was caught.
var ErrInternal = errors.New("internal error")

// Crew runs work(0) to work(n-1) at once and returns when all have ended: no goroutine outlives the call. A panic in
// any of them, the caller's own included, is caught and returned as ErrInternal with its stack.
func Crew(n int, work func(worker int)) error {
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
