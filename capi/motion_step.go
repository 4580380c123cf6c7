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

// onMotion checks the arguments that the calls on a mesh and a motion share, and runs call on them.
func onMotion(h, moves uintptr, o unsafe.Pointer, call func(m *mesh.Mesh, mo *motion.Motion, o *step.Options) error) status {
	return with("mesh", h, func(m *mesh.Mesh) error {
		mo, err := resolve[*motion.Motion]("motion", moves)
		if err != nil {
			return err
		}
		var s settings
		if err := s.read(&motionStepCalls, o); err != nil {
			return err
		}
		options := step.Options{Options: s.narrow, CallOptions: s.call, CheckStart: s.raw.flags&C.CCD_CHECK_START != 0}
		if err := call(m, mo, &options); err != nil {
			return invalid(err)
		}
		s.writeStats()
		return nil
	})
}

//export go_motion_earliest
func go_motion_earliest(h, moves uintptr, o, out unsafe.Pointer) status {
	return onMotion(h, moves, o, func(m *mesh.Mesh, mo *motion.Motion, o *step.Options) error {
		return answer("out", out, func() (geom.Impact, error) { return step.EarliestOf(m, mo, o) })
	})
}

//export go_motion_collisions
func go_motion_collisions(h, moves uintptr, o unsafe.Pointer, out *uintptr) status {
	return onMotion(h, moves, o, func(m *mesh.Mesh, mo *motion.Motion, o *step.Options) error {
		return listed(out, func() ([]geom.Impact, error) { return step.CollisionsOf(m, mo, o) })
	})
}

//export go_motion_size
func go_motion_size(h, moves uintptr, o unsafe.Pointer, alpha *float64) status {
	return onMotion(h, moves, o, func(m *mesh.Mesh, mo *motion.Motion, o *step.Options) error {
		return answer("alpha", unsafe.Pointer(alpha), func() (float64, error) { return step.SizeOf(m, mo, o) })
	})
}
