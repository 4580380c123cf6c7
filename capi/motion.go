package main

// #include "internal.h"
import "C"

import (
	"unsafe"

	"ccd/core/geom"
	"ccd/core/motion"
	"ccd/core/narrow"
)

// motionReader views the arrays of a call; err is the first error.
type motionReader struct{ err error }

// numbers returns an array of the product of the counts.
func (r *motionReader) numbers(name string, p *float64, counts ...uintptr) []float64 {
	return viewProduct(r, name, p, counts...)
}

func viewProduct[T any](r *motionReader, name string, p *T, counts ...uintptr) []T {
	n := uint64(1)
	for _, c := range counts {
		if c > 0 && n > C.CCD_MAX_ITEMS/uint64(c) {
			r.stop(fail(C.CCD_E_ARGUMENT, "%s would have more items than fit into any memory", name))
			return nil
		}
		n *= uint64(c)
	}
	if p == nil && n > 0 {
		r.stop(null(name))
		return nil
	}
	return unsafe.Slice(p, int(n))
}

// count returns a number of items as an int, or stops with an error if no array can have as many.
func (r *motionReader) count(name string, n, most uintptr) int {
	if n > most {
		r.stop(fail(C.CCD_E_ARGUMENT, "%s is %d: at most %d", name, n, most))
		return 0
	}
	return int(n)
}

func (r *motionReader) stop(err error) {
	if r.err == nil {
		r.err = err
	}
}

// createMotion views the arguments by read, and makes the motion unless one of them is wrong.
func createMotion(out *uintptr, read func(r *motionReader) (create func() (*motion.Motion, error))) status {
	return guard(func() error {
		return created(out, func() (*motion.Motion, error) {
			var r motionReader
			create := read(&r)
			if r.err != nil {
				return nil, r.err
			}
			m, err := create()
			if err != nil {
				return nil, invalid(err)
			}
			return m, nil
		})
	})
}

//export go_motion_create
func go_motion_create(vertices uintptr, degree int32, pieces uintptr, times, control, radius *float64,
	out *uintptr) status {
	return createMotion(out, func(r *motionReader) func() (*motion.Motion, error) {
		n := r.count("vertices", vertices, C.CCD_MAX_ITEMS)
		r.count("pieces", pieces, motion.MaxPieces)
		if degree < 1 || degree > motion.MaxDegree {
			r.stop(fail(C.CCD_E_ARGUMENT, "degree is %d: must be 1 to %d", degree, motion.MaxDegree))
			return nil
		}
		if pieces == 0 {
			r.stop(fail(C.CCD_E_ARGUMENT, "pieces is 0: a motion has at least one"))
		}
		var t, radii []float64
		if times != nil || pieces != 1 {
			t = r.numbers("times", times, pieces+1)
		}
		c := r.numbers("control", control, 3, pieces, uintptr(degree+1), vertices)
		if radius != nil {
			radii = r.numbers("radius", radius, pieces, vertices)
		}
		return func() (*motion.Motion, error) { return motion.New(n, int(degree), t, c, radii) }
	})
}

//export go_motion_accelerated
func go_motion_accelerated(vertices uintptr, x, v, a *float64, out *uintptr) status {
	return createMotion(out, func(r *motionReader) func() (*motion.Motion, error) {
		px, pv, pa := r.numbers("x", x, 3, vertices), r.numbers("v", v, 3, vertices), r.numbers("a", a, 3, vertices)
		return func() (*motion.Motion, error) { return motion.Accelerated(int(vertices), px, pv, pa) }
	})
}

//export go_motion_hermite
func go_motion_hermite(vertices, pieces uintptr, times, x, v *float64, out *uintptr) status {
	return createMotion(out, func(r *motionReader) func() (*motion.Motion, error) {
		r.count("pieces", pieces, motion.MaxPieces)
		if pieces == 0 {
			r.stop(fail(C.CCD_E_ARGUMENT, "pieces is 0: a motion has at least one"))
			return nil
		}
		var t []float64
		if times != nil || pieces != 1 {
			t = r.numbers("times", times, pieces+1)
		}
		px, pv := r.numbers("x", x, 3, pieces+1, vertices), r.numbers("v", v, 3, pieces+1, vertices)
		return func() (*motion.Motion, error) { return motion.Hermite(int(vertices), t, px, pv) }
	})
}

//export go_motion_bspline
func go_motion_bspline(vertices uintptr, degree int32, knots *float64, knotCount uintptr, control *float64,
	out *uintptr) status {
	return createMotion(out, func(r *motionReader) func() (*motion.Motion, error) {
		if degree < 1 || degree > motion.MaxDegree {
			r.stop(fail(C.CCD_E_ARGUMENT, "degree is %d: must be 1 to %d", degree, motion.MaxDegree))
			return nil
		}
		r.count("knot_count", knotCount, motion.MaxPieces)
		if knotCount < 2*uintptr(degree)+2 {
			r.stop(fail(C.CCD_E_ARGUMENT, "knot_count is %d: degree %d takes at least %d",
				knotCount, degree, 2*degree+2))
			return nil
		}
		k := r.numbers("knots", knots, knotCount)
		c := r.numbers("control", control, 3, knotCount-uintptr(degree)-1, vertices)
		return func() (*motion.Motion, error) { return motion.BSpline(int(vertices), int(degree), k, c) }
	})
}

//export go_motion_affine
func go_motion_affine(vertices uintptr, degree int32, x, matrix, offset *float64, out *uintptr) status {
	return createMotion(out, func(r *motionReader) func() (*motion.Motion, error) {
		if degree < 1 || degree > motion.MaxDegree {
			r.stop(fail(C.CCD_E_ARGUMENT, "degree is %d: must be 1 to %d", degree, motion.MaxDegree))
			return nil
		}
		px := r.numbers("x", x, 3, vertices)
		pm, po := r.numbers("matrix", matrix, 9, uintptr(degree+1)), r.numbers("offset", offset, 3, uintptr(degree+1))
		return func() (*motion.Motion, error) { return motion.Affine(int(vertices), int(degree), px, pm, po) }
	})
}

//export go_motion_rigid
func go_motion_rigid(vertices uintptr, x *float64, body unsafe.Pointer, degree int32, pieces uintptr,
	out *uintptr) status {
	return createMotion(out, func(r *motionReader) func() (*motion.Motion, error) {
		px, k := r.numbers("x", x, 3, vertices), r.count("pieces", pieces, motion.MaxPieces)
		b := viewProduct(r, "body", (*motion.Bone)(body), 1)
		return func() (*motion.Motion, error) { return motion.Rigid(int(vertices), px, b[0], int(degree), k) }
	})
}

//export go_motion_skinned
func go_motion_skinned(vertices uintptr, x *float64, bones unsafe.Pointer, boneCount uintptr, weights *float64,
	degree int32, pieces uintptr, out *uintptr) status {
	return createMotion(out, func(r *motionReader) func() (*motion.Motion, error) {
		px, k := r.numbers("x", x, 3, vertices), r.count("pieces", pieces, motion.MaxPieces)
		b := viewProduct(r, "bones", (*motion.Bone)(bones), boneCount)
		w := r.numbers("weights", weights, vertices, boneCount)
		return func() (*motion.Motion, error) { return motion.Skinned(int(vertices), px, b, w, int(degree), k) }
	})
}

//export go_motion_chain
func go_motion_chain(vertices uintptr, x *float64, links *int32, joints unsafe.Pointer, jointCount uintptr,
	degree int32, pieces uintptr, out *uintptr) status {
	return createMotion(out, func(r *motionReader) func() (*motion.Motion, error) {
		px, k := r.numbers("x", x, 3, vertices), r.count("pieces", pieces, motion.MaxPieces)
		l := viewProduct(r, "links", links, vertices)
		j := viewProduct(r, "joints", (*motion.Joint)(joints), jointCount)
		return func() (*motion.Motion, error) { return motion.Chain(int(vertices), px, l, j, int(degree), k) }
	})
}

//export go_motion_counts
func go_motion_counts(h uintptr, vertices, pieces, degree *uintptr) status {
	return with("motion", h, func(m *motion.Motion) error {
		put(vertices, m.Vertices())
		put(pieces, m.Pieces())
		put(degree, m.Degree())
		return nil
	})
}

//export go_motion_times
func go_motion_times(h uintptr, dst *float64, room uintptr, count *uintptr) status {
	return with("motion", h, func(m *motion.Motion) error { return copyOut(dst, room, count, m.Times(), same) })
}

//export go_motion_control
func go_motion_control(h uintptr, dst *float64, room uintptr, count *uintptr) status {
	return with("motion", h, func(m *motion.Motion) error { return copyOut(dst, room, count, m.Control(), same) })
}

//export go_motion_radii
func go_motion_radii(h uintptr, dst *float64, room uintptr, count *uintptr) status {
	return with("motion", h, func(m *motion.Motion) error {
		n := m.Vertices()
		return fillOut(dst, room, count, m.Pieces()*n, func(out []float64) {
			for i := range out {
				out[i] = m.Radius(i/n, i%n)
			}
		})
	})
}

//export go_motion_at
func go_motion_at(h uintptr, t float64, x, radius *float64, n uintptr) status {
	return with("motion", h, func(m *motion.Motion) error {
		switch {
		case !(t >= 0 && t <= 1):
			return fail(C.CCD_E_ARGUMENT, "t is %v: must be in [0, 1]", t)
		case n != uintptr(m.Vertices()):
			return fail(C.CCD_E_ARGUMENT, "n is %d: the motion has %d vertices", n, m.Vertices())
		case x == nil:
			return null("x")
		}
		var r []float64
		if radius != nil {
			r = unsafe.Slice(radius, int(n))
		}
		m.At(t, unsafe.Slice(x, 3*int(n)), r)
		return nil
	})
}

//export go_motion_pairs
func go_motion_pairs(h uintptr, kind int32, vertices *int32, count uintptr, o, out unsafe.Pointer) status {
	return with("motion", h, func(m *motion.Motion) error {
		k, err := kindOf(kind)
		if err != nil {
			return err
		}
		var s settings
		if err := s.read(&motionCalls, o); err != nil {
			return err
		}
		if err := narrow.CheckMotion(&s.narrow); err != nil {
			return err
		}
		v, err := view("vertices", vertices, "count", count, k.Points())
		if err != nil {
			return err
		}
		impacts, err := view("out", (*geom.Impact)(out), "count", count, 1)
		if err != nil {
			return err
		}
		if err := narrow.MotionPairs(m, k, v, &s.narrow, &s.call, impacts); err != nil {
			return invalid(err)
		}
		s.writeStats()
		return nil
	})
}
