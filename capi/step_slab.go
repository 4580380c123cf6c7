package main

// #include "internal.h"
import "C"

import (
	"unsafe"

	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/motion"
	"ccd/core/step"
)

//export go_step_slabs
func go_step_slabs(h uintptr, x0, x1 *float64, n, count uintptr, slabs unsafe.Pointer) status {
	return onStep(h, x0, x1, n, nil, func(c *stepCall) error {
		return writeSlabs(count, slabs, func(n int) ([]step.Slab, error) { return step.Slabs(c.mesh, c.x0, c.x1, n) })
	})
}

//export go_motion_slabs
func go_motion_slabs(h, moves uintptr, count uintptr, slabs unsafe.Pointer) status {
	return onMotion(h, moves, nil, func(m *mesh.Mesh, mo *motion.Motion, _ *step.Options) error {
		return writeSlabs(count, slabs, func(n int) ([]step.Slab, error) { return step.SlabsOf(m, mo, n) })
	})
}

// writeSlabs checks the count and writes so many slabs.
func writeSlabs(count uintptr, slabs unsafe.Pointer, divide func(n int) ([]step.Slab, error)) error {
	if count < 1 || count > C.CCD_MAX_SLABS {
		return fail(C.CCD_E_ARGUMENT, "count is %d: must be in [1, %d]", count, C.CCD_MAX_SLABS)
	}
	out, err := view("slabs", (*C.ccd_slab)(slabs), "count", count, 1)
	if err != nil {
		return err
	}
	list, err := divide(int(count))
	for i, s := range list {
		out[i] = C.ccd_slab{axis: C.int32_t(s.Axis), lo: C.double(s.Lo), hi: C.double(s.Hi)}
	}
	return err
}

// readSlab returns the slab of a caller.
func readSlab(slab unsafe.Pointer) (*step.Slab, error) {
	s := (*C.ccd_slab)(slab)
	if s == nil {
		return nil, null("slab")
	}
	if s.reserved != 0 {
		return nil, fail(C.CCD_E_ARGUMENT, "slab.reserved is %d: must be 0", s.reserved)
	}
	out := &step.Slab{Axis: int(s.axis), Lo: float64(s.lo), Hi: float64(s.hi)}
	return out, out.Check()
}

// onSlab does the same as onStep for the pairs of a slab.
func onSlab(h uintptr, x0, x1 *float64, n uintptr, slab, o unsafe.Pointer, call func(*stepCall) error) status {
	return onStep(h, x0, x1, n, o, func(c *stepCall) error {
		if err := c.partial(); err != nil {
			return err
		}
		s, err := readSlab(slab)
		if err != nil {
			return err
		}
		c.options.Slab = s
		return call(c)
	})
}

// onMotionSlab does the same as onMotion for the pairs of a slab.
func onMotionSlab(h, moves uintptr, slab, o unsafe.Pointer, call func(m *mesh.Mesh, mo *motion.Motion, o *step.Options) error) status {
	return onMotion(h, moves, o, func(m *mesh.Mesh, mo *motion.Motion, o *step.Options) error {
		if o.CheckStart {
			return motionSlabCalls.check(&rawOptions{flags: C.CCD_CHECK_START})
		}
		s, err := readSlab(slab)
		if err != nil {
			return err
		}
		o.Slab = s
		return call(m, mo, o)
	})
}

//export go_motion_slab_earliest
func go_motion_slab_earliest(h, moves uintptr, slab, o, out unsafe.Pointer) status {
	return onMotionSlab(h, moves, slab, o, func(m *mesh.Mesh, mo *motion.Motion, o *step.Options) error {
		return answer("out", out, func() (geom.Impact, error) { return step.EarliestOf(m, mo, o) })
	})
}

//export go_motion_slab_collisions
func go_motion_slab_collisions(h, moves uintptr, slab, o unsafe.Pointer, out *uintptr) status {
	return onMotionSlab(h, moves, slab, o, func(m *mesh.Mesh, mo *motion.Motion, o *step.Options) error {
		return listed(out, func() ([]geom.Impact, error) { return step.CollisionsOf(m, mo, o) })
	})
}

//export go_motion_slab_size
func go_motion_slab_size(h, moves uintptr, slab, o unsafe.Pointer, alpha *float64) status {
	return onMotionSlab(h, moves, slab, o, func(m *mesh.Mesh, mo *motion.Motion, o *step.Options) error {
		return answer("alpha", unsafe.Pointer(alpha), func() (float64, error) { return step.SizeOf(m, mo, o) })
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
