//go:build !linux

package cputime

import "time"

var begin = time.Now()

// Now returns the wall clock.
func Now() time.Duration { return time.Since(begin) }

// Process returns the wall clock.
func Process() time.Duration { return time.Since(begin) }
