//go:build !linux

package cputime

import "time"

var begin = time.Now()

// Now is the wall clock, where no other is at hand.
func Now() time.Duration { return time.Since(begin) }
