package main

// #include "internal.h"
import "C"

import (
	"fmt"
	"slices"
	"strings"
	"unsafe"

	"ccd/core/mesh"
	depth "ccd/core/overlap"
	"ccd/core/proximity"
	"ccd/core/rigid"
)

//export go_overlap_solid
func go_overlap_solid(h uintptr, x *float64, n uintptr, o unsafe.Pointer, lo, hi *float64) status {
	return with("mesh", h, func(m *mesh.Mesh) error {
		return configurationBy(&depthCalls, m, x, n, o, func(x []float64, o *proximity.Options) error {
			if lo == nil {
				return null("lo")
			}
			if hi == nil {
				return null("hi")
			}
			v, err := proximity.Volume(m, x, o)
			if err == nil {
				*lo, *hi = v.Lo, v.Hi
			}
			return err
		})
	})
}

//export go_overlap_volume
func go_overlap_volume(a uintptr, xa *float64, na uintptr, b uintptr, xb *float64, nb uintptr, shells int32,
	o unsafe.Pointer, out unsafe.Pointer) status {
	return guard(func() error {
		ma, err := resolve[*mesh.Mesh]("mesh_a", a)
		if err != nil {
			return err
		}
		mb, err := resolve[*mesh.Mesh]("mesh_b", b)
		if err != nil {
			return err
		}
		if out == nil {
			return null("out")
		}
		var s settings
		if err := s.read(&overlapCalls, o); err != nil {
			return err
		}
		if na != uintptr(ma.NV) {
			return fail(C.CCD_E_ARGUMENT, "na is %d: xa has one row per vertex, and the mesh has %d", na, ma.NV)
		}
		if nb != uintptr(mb.NV) {
			return fail(C.CCD_E_ARGUMENT, "nb is %d: xb has one row per vertex, and the mesh has %d", nb, mb.NV)
		}
		pa, err := view("xa", xa, "na", na, 3)
		if err != nil {
			return err
		}
		pb, err := view("xb", xb, "nb", nb, 3)
		if err != nil {
			return err
		}
		by := depth.Options{Tolerance: s.raw.tolerance, Shells: depth.Shells(shells)}
		r, err := proximity.Overlap(ma, pa, mb, pb, &by, &proximity.Options{CallOptions: s.call})
		if err != nil {
			if said := err.Error(); strings.HasPrefix(said, "a: ") || strings.HasPrefix(said, "b: ") {
				err = fmt.Errorf("mesh_%w", err)
			}
			return invalid(err)
		}
		*(*depth.Common)(out) = r
		s.writeStats()
		return nil
	})
}

//export go_overlap_depths
func go_overlap_depths(h uintptr, x *float64, n uintptr, points *float64, nPoints uintptr, o unsafe.Pointer,
	depths unsafe.Pointer) status {
	return guard(func() error {
		out, err := filled("depths", (*depth.Depth)(depths), "n_points", nPoints, depth.NoDepth())
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
		return configurationBy(&depthCalls, m, x, n, o, func(x []float64, o *proximity.Options) error {
			return resultsOf(out, func(out []depth.Depth) error { return proximity.Depths(m, x, p, out, o) })
		})
	})
}

//export go_rigid_overlaps
func go_rigid_overlaps(a uintptr, ma unsafe.Pointer, b uintptr, mb unsafe.Pointer, count uintptr, t float64,
	shells int32, o unsafe.Pointer, overlaps unsafe.Pointer) status {
	return guard(func() error {
		out, err := filled("overlaps", (*depth.Common)(overlaps), "count", count, depth.Unknown())
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
		if err := s.read(&overlapCalls, o); err != nil {
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
		by := depth.Options{Tolerance: s.raw.tolerance, Shells: depth.Shells(shells)}
		err = resultsOf(out, func(out []depth.Common) error {
			return rigid.Overlaps(ba, bb, x, y, t, &by, out, &s.call)
		})
		if err == nil {
			s.writeStats()
		}
		return err
	})
}

//export go_rigid_depths
func go_rigid_depths(h uintptr, motion unsafe.Pointer, t float64, points *float64, nPoints uintptr, o unsafe.Pointer,
	depths unsafe.Pointer) status {
	return guard(func() error {
		out, err := filled("depths", (*depth.Depth)(depths), "n_points", nPoints, depth.NoDepth())
		if err != nil {
			return err
		}
		body, err := resolve[*rigid.Body]("body", h)
		if err != nil {
			return err
		}
		var s settings
		if err := s.read(&depthCalls, o); err != nil {
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
		err = resultsOf(out, func(out []depth.Depth) error { return rigid.Depths(body, &m, t, p, out, &s.call) })
		if err == nil {
			s.writeStats()
		}
		return err
	})
}
