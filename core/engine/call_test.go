package engine

import (
	"errors"
	"testing"
	"time"

	"ccd/core/status"
)

func TestCallWritesStatsOnlyWhenItSucceeds(t *testing.T) {
	var stats Stats
	var c Call
	if err := c.Begin(&CallOptions{Threads: 2, Stats: &stats}); err != nil {
		t.Fatal(err)
	}
	c.Stats.Boxes = 5
	failed := errors.New("on purpose")
	if err := c.End(failed); err != failed || stats != (Stats{}) {
		t.Errorf("a call that fails: %v, %v", err, stats)
	}
	if err := c.Begin(&CallOptions{Threads: 2, Stats: &stats}); err != nil {
		t.Fatal(err)
	}
	c.Stats.Boxes = 6
	if err := c.End(nil); err != nil || stats.Boxes != 6 || stats.Threads != 2 || stats.SecondsTotal < 0 {
		t.Errorf("a call that succeeds: %v, %v", err, stats)
	}
}

func TestCallIsCancelled(t *testing.T) {
	var c Call
	var stats Stats
	if err := c.Begin(&CallOptions{Threads: 3, Stats: &stats, Progress: func(f float64) bool {
		return f > 0.25
	}}); err != nil {
		t.Fatal(err)
	}
	c.Progress.Part(64, 1)
	tasks := NewTasks(0, 64)
	err := c.Run(64, func(int) {
		for range tasks.All() {
			time.Sleep(callEvery)
			if !c.Progress.Pass(1) {
				return
			}
		}
	})
	if tasks.FirstUntaken() == 64 {
		t.Error("all tasks were taken")
	}
	if err = c.End(err); !errors.Is(err, status.ErrCancelled) || stats != (Stats{}) {
		t.Errorf("%v, %v", err, stats)
	}
	if err := c.Begin(&CallOptions{Threads: -1}); !errors.Is(err, status.ErrArgument) {
		t.Errorf("threads -1: %v", err)
	}
}

func TestWorkersAreCapped(t *testing.T) {
	t.Setenv("CCD_NUM_THREADS", "2")
	if n := (&CallOptions{Threads: 9}).Workers(); n != 2 {
		t.Errorf("%d workers with CCD_NUM_THREADS=2", n)
	}
	t.Setenv("CCD_NUM_THREADS", "many")
	if n := (&CallOptions{Threads: 9}).Workers(); n != 9 {
		t.Errorf("%d workers for 9 threads", n)
	}
}
