// Package cputime measures processor time, for benches and tests: on a shared machine the wall
// clock measures other processes too.
package cputime

import (
	"time"

	"golang.org/x/sys/unix"
)

// Now returns the processor time of this thread so far. A goroutine that is measured must be locked
// to its thread.
func Now() time.Duration { return read(unix.CLOCK_THREAD_CPUTIME_ID) }

// Process returns the processor time of this process so far.
func Process() time.Duration { return read(unix.CLOCK_PROCESS_CPUTIME_ID) }

func read(clock int32) time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(clock, &t); err != nil {
		panic(err) // every Linux has these clocks
	}
	return time.Duration(t.Nano())
}
