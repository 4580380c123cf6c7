package main

// #include "internal.h"
import "C"

import (
	"unsafe"

	"ccd/core/geom"
	"ccd/core/gradient"
	"ccd/core/narrow"
	"ccd/core/step"
)

//export go_step_gradients
func go_step_gradients(h uintptr, x0, x1 *float64, n uintptr, impacts unsafe.Pointer, count uintptr, o, out unsafe.Pointer) status {
	return onStep(h, x0, x1, n, o, func(c *stepCall) error {
		given, err := view("impacts", (*geom.Impact)(impacts), "count", count, 1)
		if err != nil {
			return err
		}
		gradients, err := view("out", (*gradient.Gradient)(out), "count", count, 1)
		if err != nil {
			return err
		}
		return step.Gradients(c.mesh, c.x0, c.x1, given, gradients, &c.options)
	})
}

//export go_pairs_gradients
func go_pairs_gradients(kind int32, q *float64, count uintptr, o, out unsafe.Pointer) (s status) {
	defer recovered(&s)
	return statusOf(pairsGradients(kind, q, count, o, (*gradient.Gradient)(out)))
}

func pairsGradients(kind int32, q *float64, count uintptr, o unsafe.Pointer, out *gradient.Gradient) error {
	k, err := kindOf(kind)
	if err != nil {
		return err
	}
	var s settings
	if err := s.readFor(k, o); err != nil {
		return err
	}
	queries, err := view("q", q, "count", count, k.Len())
	if err != nil {
		return err
	}
	gradients, err := view("out", out, "count", count, 1)
	if err != nil {
		return err
	}
	if err := narrow.Gradients(k, queries, &s.narrow, &s.call, gradients); err != nil {
		return invalid(err)
	}
	s.writeStats()
	return nil
}
