package main

// #include "internal.h"
import "C"

import (
	"unsafe"

	"ccd/core/geom"
	"ccd/core/step"
)

//export go_step_run_why
func go_step_run_why(h uintptr, o, out unsafe.Pointer) status {
	return onStep(h, func(v *stepValue) error {
		return v.call(v.domain(), o, func(c *stepCall) error {
			return answer("out", out, func() (step.Why, error) { return c.Why(&c.options) })
		})
	})
}

//export go_why_text
func go_why_text(why, dst unsafe.Pointer, room uintptr, length *uintptr) (s status) {
	defer recovered(&s)
	return statusOf(whyText((*step.Why)(why), (*byte)(dst), room, length))
}

func whyText(why *step.Why, dst *byte, room uintptr, length *uintptr) error {
	if why == nil {
		return null("why")
	}
	if !isCause(why.Cause, why.Impact.Kind) {
		return fail(C.CCD_E_ARGUMENT, "why has the cause %d and the kind %d: pass what ccd_step_run_why wrote",
			why.Cause, why.Impact.Kind)
	}
	for i := range why.Others {
		if l := &why.Others[i]; !isCause(l.Cause, l.Kind) {
			return fail(C.CCD_E_ARGUMENT,
				"why.others[%d] has the cause %d and the kind %d: pass what ccd_step_run_why wrote", i, l.Cause, l.Kind)
		}
	}
	text := append([]byte(why.String()), 0)
	return copyOut(dst, room, length, text, func(to, from *byte) { *to = *from })
}

// isCause reports whether a cause is one, and its pair of a kind, if it has a pair.
func isCause(cause step.Cause, k geom.Kind) bool {
	return cause == step.Unlimited ||
		cause > step.Unlimited && cause <= step.Undecided && k >= geom.VertexFace && k <= geom.EdgeFace
}
