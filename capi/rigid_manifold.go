package main

// #include "internal.h"
import "C"

import (
	"sync"
	"unsafe"

	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/rigid"
)

// slides is a pool, so that later calls reuse the memory.
var slides = sync.Pool{New: func() any { return new(rigid.SlideSolver) }}

//export go_rigid_manifold
func go_rigid_manifold(a uintptr, pa unsafe.Pointer, b uintptr, pb unsafe.Pointer, tolerance float64, reduce int32,
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
		x, y := *(*geom.Pose)(pa), *(*geom.Pose)(pb)
		return listed(out, func() ([]rigid.ManifoldPoint, error) {
			ruler := rulers.Get().(*rigid.Ruler)
			m, err := ruler.Manifold(ba, &x, bb, &y, rigid.ManifoldOptions{Tolerance: tolerance, Reduce: reduce != 0})
			if err != nil {
				return nil, atPose(err, -1)
			}
			rulers.Put(ruler) // After a panic its state may be inconsistent, and it is not put back.
			if flags != nil {
				*(*uint32)(flags) = m.Flags
			}
			return m.Points, nil
		})
	})
}

//export go_rigid_slide
func go_rigid_slide(a uintptr, ma unsafe.Pointer, b uintptr, mb unsafe.Pointer, tolerance float64,
	o, out unsafe.Pointer) status {
	return onRigidBodies(&slideCalls, a, b, o, func(ba, bb *rigid.Body, set *settings) error {
		for _, p := range []struct {
			name string
			at   unsafe.Pointer
		}{{"ma", ma}, {"mb", mb}} {
			if p.at == nil {
				return null(p.name)
			}
		}
		x, y, options := *(*rigid.Motion)(ma), *(*rigid.Motion)(mb), set.rigid()
		return answer("out", out, func() (s rigid.Slide, err error) {
			solver := slides.Get().(*rigid.SlideSolver)
			solver.CallOptions = set.call
			if err = solver.Slide(ba, bb, &x, &y, tolerance, &options, &s); err == nil {
				solver.CallOptions = engine.CallOptions{}
				slides.Put(solver)
				set.writeStats()
			}
			return s, err
		})
	})
}
