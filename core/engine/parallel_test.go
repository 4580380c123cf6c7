package engine

import (
	"errors"
	"sync/atomic"
	"testing"

	"ccd/core/status"
)

func TestParallelCatchesPanics(t *testing.T) {
	for _, n := range []int{1, 3} {
		err := Parallel(n, func(w int) {
			if w == n-1 {
				panic("on purpose")
			}
		})
		if !errors.Is(err, status.ErrInternal) {
			t.Errorf("%d workers: %v", n, err)
		}
	}
}

// Workers take each task once, whether they take all or stop early.
func TestTasksAreTakenOnce(t *testing.T) {
	for _, last := range []int{999, 400} {
		tasks := NewTasks(7, 1000)
		var taken [1000]atomic.Int32
		err := Parallel(4, func(int) {
			for i := range tasks.All() {
				if taken[i].Add(1); i == last {
					tasks.Stop()
				}
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		for i := range taken {
			if n := taken[i].Load(); n > 1 || (n == 1) != (i >= 7) && i <= last {
				t.Errorf("stop after %d: task %d was taken %d times", last, i, n)
			}
		}
		if got := tasks.FirstUntaken(); got != 1000 {
			t.Errorf("stop after %d: the first task not taken is %d", last, got)
		}
	}
	tasks := NewTasks(0, 10)
	for i := range tasks.All() {
		if i == 4 {
			break
		}
	}
	if got := tasks.FirstUntaken(); got != 5 {
		t.Errorf("after five tasks the first task not taken is %d", got)
	}
}

func TestStrideVisitsAll(t *testing.T) {
	for n := 1; n < 400; n++ {
		seen := make([]bool, n)
		for i := range n {
			seen[i*Stride(n)%n] = true
		}
		for i, s := range seen {
			if !s {
				t.Fatalf("of %d numbers %d is not visited", n, i)
			}
		}
	}
}
