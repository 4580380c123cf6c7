package main

// #include "internal.h"
import "C"

import (
	"unsafe"

	"ccd/core/broad"
)

// onCandidates is onStep for a step whose candidates are known; the mesh is theirs.
func onCandidates(h uintptr, x0, x1 *float64, n uintptr, o unsafe.Pointer, call func(*frame) error) status {
	return with("candidates", h, func(c *broad.Candidates) error {
		return framed(c.Mesh(), x0, x1, n, o, func(f *frame) error {
			if err := c.ValidFor(f.mesh, f.options.MinSeparation); err != nil {
				return err
			}
			f.options.Candidates = c
			return call(f)
		})
	})
}

//export go_candidates_earliest
func go_candidates_earliest(h uintptr, x0, x1 *float64, n uintptr, o, out unsafe.Pointer) status {
	return onCandidates(h, x0, x1, n, o, func(f *frame) error { return f.earliest(out) })
}

//export go_candidates_collisions
func go_candidates_collisions(h uintptr, x0, x1 *float64, n uintptr, o unsafe.Pointer, out *uintptr) status {
	return onCandidates(h, x0, x1, n, o, func(f *frame) error { return f.collisions(out) })
}

//export go_candidates_size
func go_candidates_size(h uintptr, x0, x1 *float64, n uintptr, o unsafe.Pointer, alpha *float64) status {
	return onCandidates(h, x0, x1, n, o, func(f *frame) error { return f.size(alpha) })
}
