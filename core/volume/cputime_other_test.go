//go:build !unix

package volume

import "time"

var started = time.Now()

// cpuTime is the wall clock, where there is nothing better.
func cpuTime() time.Duration { return time.Since(started) }
