package main

// #include "internal.h"
import "C"

import (
	"unsafe"

	"ccd/core/geom"
	"ccd/core/narrow"
)

//export go_pair_clearance
func go_pair_clearance(kind int32, q *float64, o, out unsafe.Pointer) status {
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
