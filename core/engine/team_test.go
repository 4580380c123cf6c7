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

// A helper that finds no work ends.
func TestHelpersEnd(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	if err := Parallel(4, func(int) {}); err != nil {
		t.Fatal(err)
	}
	for range 1000 {
		idle.Lock()
		left := slices.Clone(idle.list)
		idle.Unlock()
		if len(left) == 0 {
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
