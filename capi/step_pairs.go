package main

// #include "internal.h"
import "C"

import (
	"unsafe"

	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/gradient"
	"ccd/core/mesh"
	"ccd/core/proximity"
	"ccd/core/step"
)

// givenPairs checks the kind of given pairs and returns them.
func givenPairs(kind int32, pairs unsafe.Pointer, count uintptr) (geom.Kind, [][2]int64, error) {
	k, err := kindOf(kind)
	if err != nil {
		return 0, nil, err
	}
	given, err := view("pairs", (*[2]int64)(pairs), "count", count, 1)
	return k, given, err
}

//export go_step_run_pairs
func go_step_run_pairs(h uintptr, kind int32, pairs unsafe.Pointer, count uintptr, o, out unsafe.Pointer) status {
	return onStep(h, func(v *stepValue) error {
		return v.call(v.pairDomain(), o, func(c *stepCall) error {
			k, given, err := givenPairs(kind, pairs, count)
			if err != nil {
				return err
			}
			answers, err := view("out", (*geom.Impact)(out), "count", count, 1)
			if err != nil {
				return err
			}
			list, err := c.Pairs(k, given, &c.options)
			copy(answers, list)
			return err
		})
	})
}

//export go_step_run_intervals
func go_step_run_intervals(h uintptr, o unsafe.Pointer, out *uintptr) status {
	return onStep(h, func(v *stepValue) error {
		return v.call(&intervalCalls, o, func(c *stepCall) error {
			return listed(out, func() ([]geom.Interval, error) { return c.Intervals(&c.options) })
		})
	})
}

//export go_step_run_pairs_intervals
func go_step_run_pairs_intervals(h uintptr, kind int32, pairs unsafe.Pointer, count uintptr, o unsafe.Pointer,
	out *uintptr) status {
	return onStep(h, func(v *stepValue) error {
		return v.call(&intervalCalls, o, func(c *stepCall) error {
			return listed(out, func() ([]geom.Interval, error) {
				k, given, err := givenPairs(kind, pairs, count)
				if err != nil {
					return nil, err
				}
				return c.PairIntervals(k, given, &c.options)
			})
		})
	})
}

//export go_step_run_clearance
func go_step_run_clearance(h uintptr, o, out unsafe.Pointer) status {
	return onStep(h, func(v *stepValue) error {
		return v.call(&leastCalls, o, func(c *stepCall) error {
			return answer("out", out, func() (geom.LeastDistance, error) {
				return c.LeastDistance(nearestPair, &c.options)
			})
		})
	})
}

// nearestPair returns the search that package step has from package proximity, which has the trees.
func nearestPair(m *mesh.Mesh, on step.Moves, tMax, bracket float64, o *engine.CallOptions) (
	geom.LeastDistance, error) {
	call := &proximity.Options{CallOptions: *o}
	if on.Paths != nil {
		q := proximity.PathQuery{Mesh: m, Motion: on.Paths, TMax: tMax, Bracket: bracket}
		return proximity.LeastOnPaths(&q, call)
	}
	q := proximity.LeastQuery{Mesh: m, X0: on.X0, X1: on.X1, TMax: tMax, Bracket: bracket}
	return proximity.LeastDistance(&q, call)
}

//export go_step_run_profile
func go_step_run_profile(h uintptr, times *float64, count uintptr, o, out unsafe.Pointer) status {
	return onStep(h, func(v *stepValue) error {
		return v.call(&profileCalls, o, func(c *stepCall) error {
			at, err := view("times", times, "count", count, 1)
			if err != nil {
				return err
			}
			answers, err := view("out", (*geom.LeastDistance)(out), "count", count, 1)
			if err != nil {
				return err
			}
			found := make([]geom.LeastDistance, count)
			if err := c.Profile(at, found, distancesAt, &c.options); err != nil {
				return err
			}
			copy(answers, found)
			return nil
		})
	})
}

// distancesAt is the function that package step has from package proximity.
func distancesAt(m *mesh.Mesh, on step.Moves, times []float64, out []geom.LeastDistance, o *engine.CallOptions) error {
	call := &proximity.Options{CallOptions: *o}
	if on.Paths != nil {
		return proximity.ProfileOnPaths(m, on.Paths, times, out, call)
	}
	return proximity.Profile(m, on.X0, on.X1, times, out, call)
}

//export go_step_run_gradients
func go_step_run_gradients(h uintptr, impacts unsafe.Pointer, count uintptr, o, out unsafe.Pointer) status {
	return onStep(h, func(v *stepValue) error {
		return v.call(v.domain(), o, func(c *stepCall) error {
			given, err := view("impacts", (*geom.Impact)(impacts), "count", count, 1)
			if err != nil {
				return err
			}
			gradients, err := view("out", (*gradient.Gradient)(out), "count", count, 1)
			if err != nil {
				return err
			}
			return c.Gradients(given, gradients, &c.options)
		})
	})
}
