package main

// #include "internal.h"
import "C"

import (
	"unsafe"

	"ccd/core/mesh"
	"ccd/core/step"
)

// sizes runs step.Sizes.
func (c *stepCall) sizes(so *step.SizesOptions, groups *int32, alphas, y *float64, out *step.SizesReport) error {
	var err error
	if so.Groups, err = perVertex(c.mesh, "groups", groups, uintptr(c.mesh.NV)); err != nil {
		return err
	}
	alpha, err := view("alphas", alphas, "n", uintptr(c.mesh.NV), 1)
	if err != nil {
		return err
	}
	positions, err := view("y", y, "n", uintptr(c.mesh.NV), 3)
	if err != nil {
		return err
	}
	for i, in := range [][]float64{c.x0, c.x1} {
		if partlyOverlap(positions, in) {
			return fail(C.CCD_E_ARGUMENT, "y overlaps x%d: it must be x0 or x1 or have no memory in common with them", i)
		}
	}
	for i, other := range [][]float64{c.x0, c.x1, positions} {
		if overlap(alpha, other) {
			return fail(C.CCD_E_ARGUMENT, "alphas overlaps %s: it must have memory of its own", [...]string{"x0", "x1", "y"}[i])
		}
	}
	report, err := step.Sizes(c.mesh, c.x0, c.x1, alpha, positions, so, &c.options)
	if err == nil && out != nil {
		*out = report
	}
	return err
}

// overlap reports whether two arrays share memory.
func overlap[A, B any](a []A, b []B) bool {
	p, q := uintptr(unsafe.Pointer(unsafe.SliceData(a))), uintptr(unsafe.Pointer(unsafe.SliceData(b)))
	return p < q+uintptr(len(b))*unsafe.Sizeof(*new(B)) && q < p+uintptr(len(a))*unsafe.Sizeof(*new(A))
}

//export go_step_sizes
func go_step_sizes(h uintptr, x0, x1 *float64, n uintptr, groups *int32, share, keepRatio float64, maxPasses int64, o unsafe.Pointer,
	alphas, y *float64, out unsafe.Pointer) status {
	return with("mesh", h, func(m *mesh.Mesh) error {
		err := stepOf(m, x0, x1, n, o, func(c *stepCall) error {
			so := step.SizesOptions{Share: share, KeepRatio: keepRatio, MaxPasses: int(min(maxPasses, 1<<31-1))}
			return c.sizes(&so, groups, alphas, y, (*step.SizesReport)(out))
		})
		return orRest(err, m, x0, n, alphas, y)
	})
}

// orRest makes y the positions at the start and alphas 0 if a call failed, unless the arrays are not what the call needs.
func orRest(err error, m *mesh.Mesh, x0 *float64, n uintptr, alphas, y *float64) error {
	if err == nil || n != uintptr(m.NV) || x0 == nil || alphas == nil || y == nil {
		return err
	}
	from, to, alpha := unsafe.Slice(x0, 3*m.NV), unsafe.Slice(y, 3*m.NV), unsafe.Slice(alphas, m.NV)
	if !partlyOverlap(to, from) && !overlap(alpha, to) && !overlap(alpha, from) {
		copy(to, from)
		clear(alpha)
	}
	return err
}
