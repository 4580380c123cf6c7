package main

// #include "internal.h"
import "C"

import (
	"unsafe"

	"ccd/core/broad"
)

// onCandidates does the same as onStep for a step with known candidates, on their mesh.
func onCandidates(h uintptr, x0, x1 *float64, n uintptr, o unsafe.Pointer, call func(*stepCall) error) status {
	return with("candidates", h, func(known *broad.Candidates) error { return stepAmong(known, x0, x1, n, o, call) })
}

// stepAmong is onCandidates for candidates whose handle is resolved.
func stepAmong(known *broad.Candidates, x0, x1 *float64, n uintptr, o unsafe.Pointer, call func(*stepCall) error) error {
	return stepOf(known.Mesh(), x0, x1, n, o, func(c *stepCall) error {
		if err := known.ValidFor(c.mesh, c.options.MinSeparation, c.mesh.Filter().Radii()); err != nil {
			return err
		}
		c.options.Candidates = known
		return call(c)
	})
}

//export go_candidates_earliest
func go_candidates_earliest(h uintptr, x0, x1 *float64, n uintptr, o, out unsafe.Pointer) status {
	return onCandidates(h, x0, x1, n, o, func(c *stepCall) error { return c.earliest(out) })
}

//export go_candidates_collisions
func go_candidates_collisions(h uintptr, x0, x1 *float64, n uintptr, o unsafe.Pointer, out *uintptr) status {
	return onCandidates(h, x0, x1, n, o, func(c *stepCall) error { return c.collisions(out) })
}

//export go_candidates_size
func go_candidates_size(h uintptr, x0, x1 *float64, n uintptr, o unsafe.Pointer, alpha *float64) status {
	return onCandidates(h, x0, x1, n, o, func(c *stepCall) error { return c.size(alpha) })
}
