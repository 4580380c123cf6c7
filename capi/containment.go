package main

// #include "internal.h"
import "C"

import (
	"slices"
	"unsafe"

	"ccd/core/mesh"
	"ccd/core/proximity"
	"ccd/core/rigid"
)

// filled returns the caller's array of results, which are safe until a call has succeeded.
func filled[T any](name string, p *T, count string, n uintptr, safe T) ([]T, error) {
	out, err := view(name, p, count, n, 1)
	for i := range out {
		out[i] = safe
	}
	return out, err
}

// resultsOf runs a call that writes an array of results: the caller sees them if it succeeds.
func resultsOf[T any](out []T, call func(out []T) error) error {
	found := make([]T, len(out))
	err := call(found)
	if err == nil {
		copy(out, found)
	}
	return invalid(err)
}

//export go_proximity_winding
func go_proximity_winding(h uintptr, x *float64, n uintptr, points *float64, nPoints uintptr, o unsafe.Pointer,
	windings *int32) status {
	return guard(func() error {
		out, err := filled("windings", windings, "n_points", nPoints, proximity.UnknownWinding)
		if err != nil {
			return err
		}
		m, err := resolve[*mesh.Mesh]("mesh", h)
		if err != nil {
			return err
		}
		p, err := view("points", points, "n_points", nPoints, 3)
		if err != nil {
			return err
		}
		return onConfiguration(m, x, n, o, func(x []float64, o *proximity.Options) error {
			return resultsOf(out, func(out []int32) error { return proximity.Winding(m, x, p, out, o) })
		})
	})
}

//export go_proximity_nested
func go_proximity_nested(h uintptr, x *float64, n uintptr, o unsafe.Pointer, out *uintptr) status {
	return onMesh(h, x, n, o, func(m *mesh.Mesh, x []float64, o *proximity.Options) error {
		return listed(out, func() ([]proximity.Nested, error) { return proximity.NestedComponents(m, x, o) })
	})
}

//export go_rigid_winding
func go_rigid_winding(h uintptr, motion unsafe.Pointer, t float64, points *float64, nPoints uintptr, o unsafe.Pointer,
	windings *int32) status {
	return guard(func() error {
		out, err := filled("windings", windings, "n_points", nPoints, proximity.UnknownWinding)
		if err != nil {
			return err
		}
		body, err := resolve[*rigid.Body]("body", h)
		if err != nil {
			return err
		}
		var s settings
		if err := s.read(&enclosureCalls, o); err != nil {
			return err
		}
		if motion == nil {
			return null("motion")
		}
		p, err := view("points", points, "n_points", nPoints, 3)
		if err != nil {
			return err
		}
		m := *(*rigid.Motion)(motion)
		err = resultsOf(out, func(out []int32) error { return rigid.Winding(body, &m, t, p, out, &s.call) })
		if err == nil {
			s.writeStats()
		}
		return err
	})
}

//export go_rigid_containment
func go_rigid_containment(a uintptr, ma unsafe.Pointer, b uintptr, mb unsafe.Pointer, count uintptr, t float64,
	o unsafe.Pointer, containments *int32) status {
	return guard(func() error {
		out, err := filled("containments", (*rigid.Relation)(containments), "count", count, rigid.NotDecided)
		if err != nil {
			return err
		}
		ba, err := resolve[*rigid.Body]("a", a)
		if err != nil {
			return err
		}
		bb, err := resolve[*rigid.Body]("b", b)
		if err != nil {
			return err
		}
		var s settings
		if err := s.read(&enclosureCalls, o); err != nil {
			return err
		}
		motionsA, err := view("ma", (*rigid.Motion)(ma), "count", count, 1)
		if err != nil {
			return err
		}
		motionsB, err := view("mb", (*rigid.Motion)(mb), "count", count, 1)
		if err != nil {
			return err
		}
		x, y := slices.Clone(motionsA), slices.Clone(motionsB)
		err = resultsOf(out, func(out []rigid.Relation) error {
			return rigid.Containment(ba, bb, x, y, t, out, &s.call)
		})
		if err == nil {
			s.writeStats()
		}
		return err
	})
}
