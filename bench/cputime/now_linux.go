// Package cputime is what the benches measure with: the processor time of a thread, for on a shared machine the wall clock measures
// the neighbours.
package cputime

import (
	"time"

	"golang.org/x/sys/unix"
)

// Now is the processor time of this thread so far. A goroutine that is measured is locked to its thread.
func Now() time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t); err != nil {
		panic(err) // every Linux has this clock
	}
	return time.Duration(t.Nano())
}
