package main

// #include "internal.h"
import "C"

import (
	"unsafe"

	"ccd/core/constraint"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/step"
)

// A stepCall holds the arguments that all ccd_step functions share: the mesh, its vertices at both ends of the step, and the options.
type stepCall struct {
	mesh    *mesh.Mesh
	x0, x1  []float64
	options step.Options
}

// onStep checks the shared arguments of a ccd_step function and runs call on them.
func onStep(h uintptr, x0, x1 *float64, n uintptr, o unsafe.Pointer, call func(*stepCall) error) status {
	return with("mesh", h, func(m *mesh.Mesh) error { return stepOf(m, x0, x1, n, o, call) })
}

// onPairs is onStep for a call that may concern the pairs of a region.
func onPairs(h uintptr, x0, x1 *float64, n uintptr, o unsafe.Pointer, call func(*stepCall) error) status {
	return with("mesh", h, func(m *mesh.Mesh) error { return stepBy(regionCalls, m, x0, x1, n, o, call) })
}

// stepOf is onStep for a mesh whose handle is resolved.
func stepOf(m *mesh.Mesh, x0, x1 *float64, n uintptr, o unsafe.Pointer, call func(*stepCall) error) error {
	return stepBy(&stepCalls, m, x0, x1, n, o, call)
}

// stepBy is stepOf for a call of a domain.
func stepBy(d *domain, m *mesh.Mesh, x0, x1 *float64, n uintptr, o unsafe.Pointer, call func(*stepCall) error) error {
	var s settings
	if err := s.read(d, o); err != nil {
		return err
	}
	checks := s.raw.flags&C.CCD_CHECK_START != 0
	c := stepCall{mesh: m, options: step.Options{Options: s.narrow, CallOptions: s.call, CheckStart: checks, Region: s.region}}
	done, err := s.begin(&c, x0, x1, n, o)
	if err != nil {
		return err
	}
	defer done()
	if err := call(&c); err != nil {
		return invalid(err)
	}
	s.writeStats()
	return nil
}

// partial returns an error for options that a call on a part of the pairs does not support.
func (c *stepCall) partial() error {
	if !c.options.CheckStart {
		return nil
	}
	return partCalls.check(&rawOptions{flags: C.CCD_CHECK_START})
}

// earliest runs step.Earliest on the whole step, or on the slab that the options select.
func (c *stepCall) earliest(out unsafe.Pointer) error {
	return answer("out", out, func() (geom.Impact, error) { return step.Earliest(c.mesh, c.x0, c.x1, &c.options) })
}

// collisions runs step.Collisions in the same way.
func (c *stepCall) collisions(out *uintptr) error {
	return listed(out, func() ([]geom.Impact, error) { return step.Collisions(c.mesh, c.x0, c.x1, &c.options) })
}

// size runs step.Size in the same way.
func (c *stepCall) size(alpha *float64) error {
	return answer("alpha", unsafe.Pointer(alpha), func() (float64, error) { return step.Size(c.mesh, c.x0, c.x1, &c.options) })
}

//export go_step_earliest
func go_step_earliest(h uintptr, x0, x1 *float64, n uintptr, o, out unsafe.Pointer) status {
	return onPairs(h, x0, x1, n, o, func(c *stepCall) error { return c.earliest(out) })
}

//export go_step_collisions
func go_step_collisions(h uintptr, x0, x1 *float64, n uintptr, o unsafe.Pointer, out *uintptr) status {
	return onPairs(h, x0, x1, n, o, func(c *stepCall) error { return c.collisions(out) })
}

//export go_step_pairs
func go_step_pairs(h uintptr, x0, x1 *float64, n uintptr, kind int32, pairs unsafe.Pointer, count uintptr,
	o, out unsafe.Pointer) status {
	return onStep(h, x0, x1, n, o, func(c *stepCall) error {
		if err := c.partial(); err != nil {
			return err
		}
		k, err := kindOf(kind)
		if err != nil {
			return err
		}
		given, err := view("pairs", (*[2]int64)(pairs), "count", count, 1)
		if err != nil {
			return err
		}
		answers, err := view("out", (*geom.Impact)(out), "count", count, 1)
		if err != nil {
			return err
		}
		list, err := step.Pairs(c.mesh, c.x0, c.x1, k, given, &c.options)
		copy(answers, list)
		return err
	})
}

//export go_step_size
func go_step_size(h uintptr, x0, x1 *float64, n uintptr, o unsafe.Pointer, alpha *float64) status {
	return onPairs(h, x0, x1, n, o, func(c *stepCall) error { return c.size(alpha) })
}

//export go_step_visit
func go_step_visit(h uintptr, x0, x1 *float64, n uintptr, o unsafe.Pointer, visit, user uintptr) status {
	return onPairs(h, x0, x1, n, o, func(c *stepCall) error {
		if visit == 0 { // a NULL function pointer
			return null("visit")
		}
		return step.Visit(c.mesh, c.x0, c.x1, &c.options, visitor(visit, user))
	})
}

// visitor calls the function of C.
func visitor(visit, user uintptr) func(portion []geom.Impact) bool {
	return func(portion []geom.Impact) bool {
		return C.ccd_visit_call(C.uintptr_t(visit), unsafe.Pointer(&portion[0]), C.size_t(len(portion)), C.uintptr_t(user)) != 0
	}
}

//export go_step_activeset
func go_step_activeset(h uintptr, x0, x1 *float64, n uintptr, o unsafe.Pointer, out *uintptr) status {
	return onStep(h, x0, x1, n, o, func(c *stepCall) error {
		return listed(out, func() ([]constraint.Constraint, error) { return step.ActiveSet(c.mesh, c.x0, c.x1, &c.options) })
	})
}

//export go_step_linesearch
func go_step_linesearch(h uintptr, x0, x1 *float64, n uintptr, keepRatio float64, o, out unsafe.Pointer) status {
	return onStep(h, x0, x1, n, o, func(c *stepCall) error {
		return answer("out", out, func() (step.Bound, error) { return step.LineSearch(c.mesh, c.x0, c.x1, keepRatio, &c.options) })
	})
}
