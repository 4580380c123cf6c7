//go:build !linux

package main

import "time"

var begin = time.Now()

// now is the wall clock, where no other is at hand.
func now() time.Duration { return time.Since(begin) }
