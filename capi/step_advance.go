package main

// #include "internal.h"
import "C"

import (
	"unsafe"

	"ccd/core/broad"
	"ccd/core/mesh"
	"ccd/core/step"
)

// advance runs step.Advance.
func (c *stepCall) advance(share float64, alpha, x *float64) error {
	if alpha == nil {
		return null("alpha")
	}
	out, err := view("x", x, "n", uintptr(c.mesh.NV), 3)
	if err != nil {
		return err
	}
	for i, in := range [][]float64{c.x0, c.x1} {
		if partlyOverlap(out, in) {
			return fail(C.CCD_E_ARGUMENT, "x overlaps x%d: it must be x0 or x1 or have no memory in common with them", i)
		}
	}
	*alpha, err = step.Advance(c.mesh, c.x0, c.x1, out, share, &c.options)
	return err
}

// partlyOverlap reports whether two arrays of one length share some memory, but not all of it.
func partlyOverlap(a, b []float64) bool {
	p, q := uintptr(unsafe.Pointer(unsafe.SliceData(a))), uintptr(unsafe.Pointer(unsafe.SliceData(b)))
	return p != q && max(p, q)-min(p, q) < uintptr(8*len(a))
}

// orStay makes x the positions at the start if a call failed, unless the arrays are not what the call needs.
func orStay(err error, m *mesh.Mesh, x0 *float64, n uintptr, x *float64) error {
	if err == nil || n != uintptr(m.NV) || x0 == nil || x == nil {
		return err
	}
	from, to := unsafe.Slice(x0, 3*m.NV), unsafe.Slice(x, 3*m.NV)
	if !partlyOverlap(to, from) {
		copy(to, from)
	}
	return err
}

//export go_step_advance
func go_step_advance(h uintptr, x0, x1 *float64, n uintptr, share float64, o unsafe.Pointer, alpha, x *float64) status {
	return with("mesh", h, func(m *mesh.Mesh) error {
		err := stepOf(m, x0, x1, n, o, func(c *stepCall) error { return c.advance(share, alpha, x) })
		return orStay(err, m, x0, n, x)
	})
}

//export go_candidates_advance
func go_candidates_advance(h uintptr, x0, x1 *float64, n uintptr, share float64, o unsafe.Pointer, alpha, x *float64) status {
	return with("candidates", h, func(known *broad.Candidates) error {
		err := stepAmong(known, x0, x1, n, o, func(c *stepCall) error { return c.advance(share, alpha, x) })
		return orStay(err, known.Mesh(), x0, n, x)
	})
}
