package main

// #include "internal.h"
import "C"

import (
	"unsafe"

	"ccd/core/step"
)

//export go_step_slabs
func go_step_slabs(h uintptr, x0, x1 *float64, n, count uintptr, slabs unsafe.Pointer) status {
	return onStep(h, x0, x1, n, nil, func(c *stepCall) error {
		if count < 1 || count > C.CCD_MAX_SLABS {
			return fail(C.CCD_E_ARGUMENT, "count is %d: must be in [1, %d]", count, C.CCD_MAX_SLABS)
		}
		out, err := view("slabs", (*C.ccd_slab)(slabs), "count", count, 1)
		if err != nil {
			return err
		}
		list, err := step.Slabs(c.mesh, c.x0, c.x1, int(count))
		for i, s := range list {
			out[i] = C.ccd_slab{axis: C.int32_t(s.Axis), lo: C.double(s.Lo), hi: C.double(s.Hi)}
		}
		return err
	})
}

// onSlab does the same as onStep for the pairs of a slab.
func onSlab(h uintptr, x0, x1 *float64, n uintptr, slab, o unsafe.Pointer, call func(*stepCall) error) status {
	return onStep(h, x0, x1, n, o, func(c *stepCall) error {
		if err := c.partial(); err != nil {
			return err
		}
		s := (*C.ccd_slab)(slab)
		if s == nil {
			return null("slab")
		}
		if s.reserved != 0 {
			return fail(C.CCD_E_ARGUMENT, "slab.reserved is %d: must be 0", s.reserved)
		}
		c.options.Slab = &step.Slab{Axis: int(s.axis), Lo: float64(s.lo), Hi: float64(s.hi)}
		if err := c.options.Slab.Check(); err != nil {
			return err
		}
		return call(c)
	})
}

//export go_step_slab_earliest
func go_step_slab_earliest(h uintptr, x0, x1 *float64, n uintptr, slab, o, out unsafe.Pointer) status {
	return onSlab(h, x0, x1, n, slab, o, func(c *stepCall) error { return c.earliest(out) })
}

//export go_step_slab_collisions
func go_step_slab_collisions(h uintptr, x0, x1 *float64, n uintptr, slab, o unsafe.Pointer, out *uintptr) status {
	return onSlab(h, x0, x1, n, slab, o, func(c *stepCall) error { return c.collisions(out) })
}

//export go_step_slab_size
func go_step_slab_size(h uintptr, x0, x1 *float64, n uintptr, slab, o unsafe.Pointer, alpha *float64) status {
	return onSlab(h, x0, x1, n, slab, o, func(c *stepCall) error { return c.size(alpha) })
}
