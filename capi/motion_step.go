package main

// #include "internal.h"
import "C"

import (
	"unsafe"

	"ccd/core/broad"
	"ccd/core/mesh"
	"ccd/core/motion"
	"ccd/core/narrow"
)

//export go_motion_candidates
func go_motion_candidates(h, moves uintptr, o unsafe.Pointer, out *uintptr) status {
	return with("mesh", h, func(m *mesh.Mesh) error {
		v, err := curvedStep(m, moves)
		if err != nil {
			return err
		}
		return v.call(v.partDomain(), o, func(c *stepCall) error {
			return created(out, func() (*broad.Candidates, error) {
				o := &c.options
				return c.Candidates(o.Flags&narrow.BruteForce != 0, broad.Options{
					MinSeparation: o.MinSeparation, Threads: o.Workers(), Progress: o.Progress,
					MemoryLimit: o.MemoryLimit, Stats: o.Stats, Region: o.Region,
				})
			})
		})
	})
}

//export go_motion_cut
func go_motion_cut(moves uintptr, ends *float64, n uintptr, out *uintptr) status {
	return with("motion", moves, func(mo *motion.Motion) error {
		return created(out, func() (*motion.Motion, error) {
			if n != uintptr(mo.Vertices()) {
				return nil, fail(C.CCD_E_ARGUMENT, "n is %d: the motion has %d vertices", n, mo.Vertices())
			}
			e, err := view("ends", ends, "n", n, 1)
			if err != nil {
				return nil, err
			}
			for i, t := range e {
				if !(t >= 0 && t <= 1) {
					return nil, fail(C.CCD_E_ARGUMENT, "ends[%d] is %v: must be in [0, 1]", i, t)
				}
			}
			if mo.Pieces() > 1 {
				return nil, fail(C.CCD_E_UNSUPPORTED,
					"motion has %d pieces: paths that end at different times need one",
					mo.Pieces())
			}
			return mo.Cut(e), nil
		})
	})
}
