package main

// #include "internal.h"
import "C"

import (
	"fmt"
	"sync"
	"unsafe"

	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/penetration"
	"ccd/core/rigid"
)

// slides is a pool, so that later calls reuse the memory.
var slides = sync.Pool{New: func() any { return new(rigid.SlideSolver) }}

//export go_rigid_manifold
func go_rigid_manifold(a uintptr, pa unsafe.Pointer, b uintptr, pb unsafe.Pointer, tolerance float64, how int32,
	o, flags unsafe.Pointer, out *uintptr) status {
	return onRigidBodies(&manifoldCalls, a, b, o, func(ba, bb *rigid.Body, _ *settings) error {
		for _, p := range []struct {
			name string
			at   unsafe.Pointer
		}{{"pa", pa}, {"pb", pb}} {
			if p.at == nil {
				return null(p.name)
			}
		}
		const known = C.CCD_MANIFOLD_REDUCE | C.CCD_MANIFOLD_LEAD_OUT
		if how&^known != 0 {
			return fail(C.CCD_E_ARGUMENT,
				"how is %d: must be a sum of CCD_MANIFOLD_REDUCE and CCD_MANIFOLD_LEAD_OUT", how)
		}
		x, y := *(*geom.Pose)(pa), *(*geom.Pose)(pb)
		options := rigid.ManifoldOptions{Tolerance: tolerance, Reduce: how&C.CCD_MANIFOLD_REDUCE != 0}
		return listed(out, func() ([]rigid.ManifoldPoint, error) {
			m, err := manifoldOf(ba, &x, bb, &y, options, how&C.CCD_MANIFOLD_LEAD_OUT != 0)
			if err != nil {
				return nil, atPose(err, -1)
			}
			if flags != nil {
				*(*uint32)(flags) = m.Flags
			}
			return m.Points, nil
		})
	})
}

// manifoldOf lists the points at poses, or at the end of a way out. After a panic a solver's state
// may be inconsistent, and it is not put back.
func manifoldOf(a *rigid.Body, pa *geom.Pose, b *rigid.Body, pb *geom.Pose, o rigid.ManifoldOptions, leadOut bool,
) (m rigid.Manifold, err error) {
	if leadOut {
		solver := penetrations.Get().(*penetration.Solver)
		if m, err = solver.Manifold(a, pa, b, pb, o); err == nil {
			penetrations.Put(solver)
		}
		return m, err
	}
	ruler := rulers.Get().(*rigid.Ruler)
	if m, err = ruler.Manifold(a, pa, b, pb, o); err == nil {
		rulers.Put(ruler)
	}
	return m, err
}

//export go_rigid_slide
func go_rigid_slide(a uintptr, ma unsafe.Pointer, b uintptr, mb unsafe.Pointer, tolerance float64,
	o, out unsafe.Pointer) status {
	return onRigidBodies(&slideCalls, a, b, o, func(ba, bb *rigid.Body, set *settings) error {
		return slide((*rigid.SlideSolver).Slide, []*rigid.Body{ba}, ma, []*rigid.Body{bb}, mb, tolerance, set, out)
	})
}

//export go_rigid_slide_parts
func go_rigid_slide_parts(a *uintptr, countA uintptr, ma unsafe.Pointer, b *uintptr, countB uintptr, mb unsafe.Pointer,
	tolerance float64, o, out unsafe.Pointer) (s status) {
	defer recovered(&s)
	return slideOfParts((*rigid.SlideSolver).Slide, a, countA, ma, b, countB, mb, tolerance, o, out)
}

//export go_rigid_first_depth
func go_rigid_first_depth(a *uintptr, countA uintptr, ma unsafe.Pointer, b *uintptr, countB uintptr, mb unsafe.Pointer,
	limit float64, o, out unsafe.Pointer) (s status) {
	defer recovered(&s)
	return slideOfParts((*rigid.SlideSolver).FirstDepth, a, countA, ma, b, countB, mb, limit, o, out)
}

// slideSearch is a search of SlideSolver.
type slideSearch = func(s *rigid.SlideSolver, a, b []*rigid.Body, ma, mb *rigid.Motion, tolerance float64,
	o *rigid.Options, out *rigid.Slide) error

// slideOfParts is a search for bodies that are given by parts.
func slideOfParts(search slideSearch, a *uintptr, countA uintptr, ma unsafe.Pointer, b *uintptr, countB uintptr,
	mb unsafe.Pointer, tolerance float64, o, out unsafe.Pointer) status {
	var parts [2][]*rigid.Body
	for side, list := range [2]struct {
		name  string
		at    *uintptr
		count uintptr
	}{{"a", a, countA}, {"b", b, countB}} {
		handles, err := view(list.name, list.at, "count_"+list.name, list.count, 1)
		if err != nil {
			return statusOf(err)
		}
		for i, h := range handles {
			body, err := resolve[*rigid.Body](fmt.Sprintf("%s[%d]", list.name, i), h)
			if err != nil {
				return statusOf(err)
			}
			parts[side] = append(parts[side], body)
		}
	}
	var set settings
	if err := set.read(&slideCalls, o); err != nil {
		return statusOf(err)
	}
	return statusOf(slide(search, parts[0], ma, parts[1], mb, tolerance, &set, out))
}

// slide is all three calls, with the bodies resolved.
func slide(search slideSearch, a []*rigid.Body, ma unsafe.Pointer, b []*rigid.Body, mb unsafe.Pointer,
	tolerance float64, set *settings, out unsafe.Pointer) error {
	x, y, err := motionsOf(ma, mb)
	if err != nil {
		return err
	}
	options := set.rigid()
	return answer("out", out, func() (s rigid.Slide, err error) {
		solver := slides.Get().(*rigid.SlideSolver)
		solver.CallOptions = set.call
		if err = search(solver, a, b, &x, &y, tolerance, &options, &s); err == nil {
			solver.CallOptions = engine.CallOptions{}
			slides.Put(solver)
			set.writeStats()
		}
		return s, err
	})
}
