package engine

import (
	"fmt"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"time"
)

// Phases that follow one another, at once, after a while, or from several callers, run each part
// once.
func TestPhasesRunEachPartOnce(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	err := make(chan error)
	for caller := range 3 {
		go func() {
			for phase := range 3000 {
				n := 2 + phase%3
				parts := make([]atomic.Int32, n)
				if err2 := Parallel(n, func(worker int) {
					parts[worker].Add(1)
					if (phase+caller)%97 == 0 {
						time.Sleep(time.Duration(worker) * 60 * time.Microsecond)
					}
				}); err2 != nil {
					err <- err2
					return
				}
				for worker := range parts {
					if got := parts[worker].Load(); got != 1 {
						err <- fmt.Errorf("caller %d, phase %d: part %d of %d ran %d times",
							caller, phase, worker, n, got)
						return
					}
				}
				if phase%100 == caller {
					time.Sleep(mostLook * time.Duration(phase%3))
				}
			}
			err <- nil
		}()
	}
	for range 3 {
		if e := <-err; e != nil {
			t.Error(e)
		}
	}
	checkHelpersEnd(t)
}

// Parts of a phase may have phases.
func TestPhasesNest(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	var count atomic.Int32
	for range 200 {
		err := Parallel(3, func(int) {
			if err := Parallel(2, func(int) { count.Add(1) }); err != nil {
				t.Error(err)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if count.Load() != 1200 {
		t.Errorf("%d parts of 1200 ran", count.Load())
	}
}

// Nobody waits for a helper that has not come: the caller runs its part, and the helper is there
// for the next phase.
func TestPartsOfAbsentHelpersRun(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	for _, n := range []int{2, 3, 20} {
		absent := make([]*helper, n-1)
		for i := range absent {
			absent[i] = &helper{serves: true} // No goroutine does.
			absent[i].rest()
		}
		var order []int // Without a lock: all parts run on this goroutine.
		together(n, func(worker int) { order = append(order, worker) })
		want := make([]int, n)
		for i := range want {
			want[i] = i
		}
		if !slices.Equal(order, want) {
			t.Errorf("%d parts ran in the order %v", n, order)
		}
		for i, h := range absent {
			if h.next.Load() != nil || !h.leave() {
				t.Errorf("helper %d of %d is not idle", i, len(absent))
			}
		}
	}
}

// A helper that finds no work ends.
func TestHelpersEnd(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	if err := Parallel(4, func(int) {}); err != nil {
		t.Fatal(err)
	}
	checkHelpersEnd(t)
}

// checkHelpersEnd checks that soon no helper is idle. One whose goroutine ended with a part would
// stay: it is idle again when the part is taken back.
func checkHelpersEnd(t *testing.T) {
	t.Helper()
	for range 1000 {
		idle.Lock()
		left := len(idle.list)
		idle.Unlock()
		if left == 0 {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Error("helpers still look for work after a second")
}

// BenchmarkPhases measures phases of two parts of 10 us, 10 us apart.
func BenchmarkPhases(b *testing.B) {
	work := func(d time.Duration) {
		for began := time.Now(); time.Since(began) < d; {
		}
	}
	runtime.LockOSThread() // The thread is locked, as in a call from C.
	defer runtime.UnlockOSThread()
	least := time.Hour
	for range b.N {
		began := time.Now()
		for range 20 {
			_ = Parallel(2, func(int) { work(10 * time.Microsecond) })
			work(10 * time.Microsecond)
		}
		least = min(least, time.Since(began))
	}
	b.ReportMetric(float64(least.Nanoseconds())/20-20000, "ns/phase-least")
}
