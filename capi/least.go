package main

// #include "internal.h"
import "C"

import (
	"unsafe"

	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/narrow"
	"ccd/core/proximity"
	"ccd/core/step"
)

//export go_pair_least_distance
func go_pair_least_distance(kind int32, q *float64, o, out unsafe.Pointer) status {
	return guard(func() error {
		d := desks.Get().(*desk)
		defer desks.Put(d)
		k, err := kindOf(kind)
		if err != nil {
			return err
		}
		if err := d.settings.read(&leastCalls, o); err != nil {
			return err
		}
		if d.settings.raw.flags&C.CCD_CHECK_START != 0 {
			return fail(C.CCD_E_UNSUPPORTED, "options.flags has CCD_CHECK_START: a pair has no start to check")
		}
		if q == nil {
			return null("q")
		}
		query := unsafe.Slice(q, k.Len())
		if err := narrow.CheckQuery(k, query, &d.settings.narrow); err != nil {
			return invalid(err)
		}
		err = answer("out", out, func() (least geom.LeastDistance, err error) {
			d.solver.LeastDistance(k, query, &d.settings.narrow, &least)
			return least, nil
		})
		counted := &d.settings.counted
		counted.Threads = 1
		counted.Candidates[k-1] = 1
		d.settings.writeStats()
		return err
	})
}

//export go_step_least_distance
func go_step_least_distance(h uintptr, x0, x1 *float64, n uintptr, o, out unsafe.Pointer) status {
	return with("mesh", h, func(m *mesh.Mesh) error {
		var s settings
		if err := s.read(&leastCalls, o); err != nil {
			return err
		}
		a, b, err := vertices(m, x0, x1, n)
		if err != nil {
			return err
		}
		checks := s.raw.flags&C.CCD_CHECK_START != 0
		options := step.Options{Options: s.narrow, CallOptions: s.call, CheckStart: checks}
		search := func(bracket float64, o *engine.CallOptions) (geom.LeastDistance, error) {
			q := proximity.LeastQuery{Mesh: m, X0: a, X1: b, TMax: options.TMax, Bracket: bracket}
			return proximity.LeastDistance(&q, &proximity.Options{CallOptions: *o})
		}
		err = answer("out", out, func() (geom.LeastDistance, error) { return step.LeastDistance(m, a, b, search, &options) })
		if err != nil {
			return invalid(err)
		}
		s.writeStats()
		return nil
	})
}
