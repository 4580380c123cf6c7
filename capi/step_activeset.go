package main

// #include "internal.h"
import "C"

import (
	"unsafe"

	"ccd/core/step"
)

// constraints are those of a handle. They have the layout of ccd_constraint: a mismatch with the header does not compile.
type constraints []step.Constraint

var (
	_ [unsafe.Sizeof(step.Constraint{}) - C.sizeof_ccd_constraint]byte
	_ [C.sizeof_ccd_constraint - unsafe.Sizeof(step.Constraint{})]byte
	_ [unsafe.Offsetof(step.Constraint{}.Weights) - unsafe.Offsetof(C.ccd_constraint{}.weights)]byte
	_ [unsafe.Offsetof(C.ccd_constraint{}.weights) - unsafe.Offsetof(step.Constraint{}.Weights)]byte
)

//export go_step_activeset
func go_step_activeset(h uintptr, x0, x1 *float64, n uintptr, o unsafe.Pointer, out *uintptr) status {
	return onStep(h, x0, x1, n, o, func(f *frame) error {
		return listed[constraints](out, func() ([]step.Constraint, error) { return step.ActiveSet(f.mesh, f.x0, f.x1, &f.options) })
	})
}

//export go_constraints_count
func go_constraints_count(h uintptr, count *uintptr) status {
	return with("constraints", h, func(list constraints) error {
		put(count, len(list))
		return nil
	})
}

//export go_constraints_copy
func go_constraints_copy(h uintptr, dst unsafe.Pointer, room uintptr, count *uintptr) status {
	return with("constraints", h, func(list constraints) error {
		return copyOut((*step.Constraint)(dst), room, count, list, same)
	})
}

//export go_constraints_destroy
func go_constraints_destroy(h uintptr) (s status) {
	defer recovered(&s)
	return statusOf(destroy[constraints]("constraints", h))
}
