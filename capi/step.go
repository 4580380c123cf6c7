package main

// #include "internal.h"
import "C"

import (
	"unsafe"

	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/step"
)

// A frame is what the calls of a step have in common: a mesh, two frames of it, options and statistics.
type frame struct {
	mesh    *mesh.Mesh
	x0, x1  []float64
	options step.Options
}

// onStep checks the arguments that the calls of a step have in common and makes one.
func onStep(h uintptr, x0, x1 *float64, n uintptr, o unsafe.Pointer, call func(*frame) error) status {
	return with("mesh", h, func(m *mesh.Mesh) error {
		return framed(m, x0, x1, n, o, call)
	})
}

// framed makes a call on a mesh and two frames of it.
func framed(m *mesh.Mesh, x0, x1 *float64, n uintptr, o unsafe.Pointer, call func(*frame) error) error {
	var s settings
	if err := s.read(o); err != nil {
		return err
	}
	a, b, err := frames(m, x0, x1, n)
	if err != nil {
		return err
	}
	f := frame{mesh: m, x0: a, x1: b, options: step.Options{
		Options:     s.narrow,
		CallOptions: s.call,
	}}
	if err := call(&f); err != nil {
		return invalid(err)
	}
	s.writeStats()
	return nil
}

// earliest is step.Earliest, for a whole step or a part of it.
func (f *frame) earliest(out unsafe.Pointer) error {
	first := (*geom.Impact)(out)
	if first == nil {
		return null("out")
	}
	im, err := step.Earliest(f.mesh, f.x0, f.x1, &f.options)
	if err == nil {
		*first = im
	}
	return err
}

// collisions is step.Collisions, for a whole step or a part of it.
func (f *frame) collisions(out *uintptr) error {
	return listed[impacts](out, func() ([]geom.Impact, error) { return step.Collisions(f.mesh, f.x0, f.x1, &f.options) })
}

// size is step.Size, for a whole step or a part of it.
func (f *frame) size(alpha *float64) error {
	if alpha == nil {
		return null("alpha")
	}
	size, err := step.Size(f.mesh, f.x0, f.x1, &f.options)
	if err == nil {
		*alpha = size
	}
	return err
}

// impacts are those of a handle.
type impacts []geom.Impact

//export go_step_earliest
func go_step_earliest(h uintptr, x0, x1 *float64, n uintptr, o, out unsafe.Pointer) status {
	return onStep(h, x0, x1, n, o, func(f *frame) error { return f.earliest(out) })
}

//export go_step_collisions
func go_step_collisions(h uintptr, x0, x1 *float64, n uintptr, o unsafe.Pointer, out *uintptr) status {
	return onStep(h, x0, x1, n, o, func(f *frame) error { return f.collisions(out) })
}

//export go_step_pairs
func go_step_pairs(h uintptr, x0, x1 *float64, n uintptr, kind int32, pairs unsafe.Pointer, count uintptr,
	o, out unsafe.Pointer) status {
	return onStep(h, x0, x1, n, o, func(f *frame) error {
		k, err := kindOf(kind)
		if err != nil {
			return err
		}
		asked, err := view("pairs", (*[2]int64)(pairs), "count", count, 1)
		if err != nil {
			return err
		}
		answers, err := view("out", (*geom.Impact)(out), "count", count, 1)
		if err != nil {
			return err
		}
		list, err := step.Pairs(f.mesh, f.x0, f.x1, k, asked, &f.options)
		copy(answers, list)
		return err
	})
}

//export go_step_size
func go_step_size(h uintptr, x0, x1 *float64, n uintptr, o unsafe.Pointer, alpha *float64) status {
	return onStep(h, x0, x1, n, o, func(f *frame) error { return f.size(alpha) })
}

//export go_step_visit
func go_step_visit(h uintptr, x0, x1 *float64, n uintptr, o unsafe.Pointer, visit, user uintptr) status {
	return onStep(h, x0, x1, n, o, func(f *frame) error {
		if visit == 0 {
			return null("visit")
		}
		return step.Visit(f.mesh, f.x0, f.x1, &f.options, func(portion []geom.Impact) bool {
			return C.ccd_visit_call(C.uintptr_t(visit), unsafe.Pointer(&portion[0]), C.size_t(len(portion)), C.uintptr_t(user)) != 0
		})
	})
}

//export go_impacts_count
func go_impacts_count(h uintptr, count *uintptr) status {
	return with("impacts", h, func(list impacts) error {
		put(count, len(list))
		return nil
	})
}

//export go_impacts_copy
func go_impacts_copy(h uintptr, dst unsafe.Pointer, room uintptr, count *uintptr) status {
	return with("impacts", h, func(list impacts) error {
		return copyOut((*geom.Impact)(dst), room, count, list, same)
	})
}

//export go_impacts_destroy
func go_impacts_destroy(h uintptr) (s status) {
	defer recovered(&s)
	return statusOf(destroy[impacts]("impacts", h))
}
