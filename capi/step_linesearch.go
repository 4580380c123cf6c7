package main

// #include "internal.h"
import "C"

import (
	"unsafe"

	"ccd/core/step"
)

//export go_step_linesearch
func go_step_linesearch(h uintptr, x0, x1 *float64, n uintptr, share float64, o, out unsafe.Pointer) status {
	return onStep(h, x0, x1, n, o, func(f *frame) error {
		bound := (*C.ccd_bound)(out)
		if bound == nil {
			return null("out")
		}
		b, err := step.LineSearch(f.mesh, f.x0, f.x1, share, &f.options)
		if err == nil {
			*bound = C.ccd_bound{alpha: C.double(b.Alpha), distance: C.double(b.Distance), separation: C.double(b.Separation)}
		}
		return err
	})
}
