package main

// #include "internal.h"
import "C"

import (
	"unsafe"

	"ccd/core/constraint"
)

// contactCall is what the calls on constraints share: the constraints and the number of vertices.
type contactCall struct {
	set []constraint.Constraint
	n   int
}

// onConstraints checks the shared arguments of these calls and runs call on them.
func onConstraints(constraints unsafe.Pointer, count, n uintptr, call func(*contactCall) error) error {
	set, err := view("constraints", (*constraint.Constraint)(constraints), "count", count, 1)
	if err != nil {
		return err
	}
	if n > C.CCD_MAX_ITEMS {
		return fail(C.CCD_E_ARGUMENT, "n is %d: arrays of that many vertices fit into no memory", n)
	}
	return call(&contactCall{set, int(n)})
}

// result returns the caller's array for results, of per items for each of count. It must not
// overlap the input: both are used at once.
func result[T, In any](name string, p *T, count, per int, inputName string, input []In) ([]T, error) {
	out, err := view(name, p, "count", uintptr(count), per)
	if err == nil && overlap(out, input) {
		err = fail(C.CCD_E_ARGUMENT, "%s overlaps %s: it must have memory of its own", name, inputName)
	}
	return out, err
}

//export go_step_jacobian
func go_step_jacobian(constraints unsafe.Pointer, count, n uintptr, frame int32, rowStarts, columns *int32,
	values *float64) status {
	return guard(func() error {
		if rowStarts == nil {
			return null("row_starts")
		}
		return onConstraints(constraints, count, n, func(c *contactCall) error {
			rows := 1 // A constraint has one row, or three in the frame of its contact.
			if frame == C.CCD_FRAME_CONTACT {
				rows = 3
			}
			starts := unsafe.Slice(rowStarts, rows*len(c.set)+1)
			if overlap(starts, c.set) {
				return fail(C.CCD_E_ARGUMENT, "row_starts overlaps constraints: it must have memory of its own")
			}
			clear(starts)
			at, err := result("columns", columns, len(c.set), 12*rows, "constraints", c.set)
			if err != nil {
				return err
			}
			entries, err := result("values", values, len(c.set), 12*rows, "constraints", c.set)
			if err != nil {
				return err
			}
			return constraint.Jacobian(c.set, c.n, constraint.Frame(frame), starts, at, entries)
		})
	})
}

//export go_step_tangents
func go_step_tangents(normals *float64, count uintptr, tangents *float64) status {
	return guard(func() error {
		from, err := view("normals", normals, "count", count, 3)
		if err != nil {
			return err
		}
		out, err := result("tangents", tangents, int(count), 6, "normals", from)
		if err != nil {
			return err
		}
		return constraint.Tangents(from, out)
	})
}

//export go_step_effective_mass
func go_step_effective_mass(constraints unsafe.Pointer, count uintptr, inverseMass *float64, n uintptr,
	masses *float64) status {
	return guard(func() error {
		return onConstraints(constraints, count, n, func(c *contactCall) error {
			out, err := result("masses", masses, len(c.set), 1, "constraints", c.set)
			if err != nil {
				return err
			}
			mass, err := view("inverse_mass", inverseMass, "n", n, 1)
			if err != nil {
				clear(out)
				return err
			}
			if overlap(out, mass) {
				return fail(C.CCD_E_ARGUMENT, "masses overlaps inverse_mass: it must have memory of its own")
			}
			return constraint.EffectiveMass(c.set, mass, out)
		})
	})
}

//export go_step_colors
func go_step_colors(constraints unsafe.Pointer, count, n uintptr, inverseMass *float64, colors *int32,
	colorCount *uintptr) status {
	return guard(func() error {
		return onConstraints(constraints, count, n, func(c *contactCall) error {
			out, err := result("colors", colors, len(c.set), 1, "constraints", c.set)
			if err != nil {
				return err
			}
			var mass []float64
			if inverseMass != nil {
				if mass, err = view("inverse_mass", inverseMass, "n", n, 1); err != nil {
					return err
				}
			}
			if overlap(out, mass) {
				return fail(C.CCD_E_ARGUMENT, "colors overlaps inverse_mass: it must have memory of its own")
			}
			number, err := constraint.Colors(c.set, c.n, mass, out)
			if err == nil {
				put(colorCount, number)
			}
			return err
		})
	})
}
