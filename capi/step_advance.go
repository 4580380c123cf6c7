package main

// #include "internal.h"
import "C"

import (
	"unsafe"

	"ccd/core/step"
)

//export go_step_run_advance
func go_step_run_advance(h uintptr, share float64, o unsafe.Pointer, alpha, x *float64, n uintptr) status {
	return onStep(h, func(v *stepValue) error { return v.advance(share, o, alpha, x, n) })
}

// advance runs Advance, and makes x the positions at the start if it fails.
func (v *stepValue) advance(share float64, o unsafe.Pointer, alpha, x *float64, n uintptr) error {
	err := v.call(v.domain(), o, func(c *stepCall) error {
		if alpha == nil {
			return null("alpha")
		}
		out, err := c.positions("x", x, n)
		if err != nil {
			return err
		}
		*alpha, err = c.Advance(out, share, &c.options)
		return err
	})
	if err != nil && n == v.n && x != nil {
		v.stay(unsafe.Slice(x, 3*n))
	}
	return err
}

// positions returns the caller's array of positions for results, or an error where it overlaps the
// ends of the step in part.
func (c *stepCall) positions(name string, x *float64, n uintptr) ([]float64, error) {
	if n != c.of.n {
		return nil, fail(C.CCD_E_ARGUMENT, "n is %d: the step moves %d vertices", n, c.of.n)
	}
	out, err := view(name, x, "n", n, 3)
	if err != nil {
		return nil, err
	}
	if err := apart(name, out, c.x0, c.x1); err != nil {
		return nil, err
	}
	return out, nil
}

// partlyOverlap reports whether two arrays of one length share some memory, but not all of it.
func partlyOverlap(a, b []float64) bool {
	p, q := uintptr(unsafe.Pointer(unsafe.SliceData(a))), uintptr(unsafe.Pointer(unsafe.SliceData(b)))
	return p != q && max(p, q)-min(p, q) < uintptr(8*len(a))
}

// overlap reports whether two arrays share memory.
func overlap[A, B any](a []A, b []B) bool {
	p, q := uintptr(unsafe.Pointer(unsafe.SliceData(a))), uintptr(unsafe.Pointer(unsafe.SliceData(b)))
	return p < q+uintptr(len(b))*unsafe.Sizeof(*new(B)) && q < p+uintptr(len(a))*unsafe.Sizeof(*new(A))
}

// start returns the caller's array that an array of results must not overlap in part after an
// error: x0, of a scene x1; nil where there is none.
func (v *stepValue) start() []float64 {
	x := &v.x0
	if v.scene != nil {
		x = &v.x1
	}
	if *x == 0 {
		return nil
	}
	return unsafe.Slice(numbersAt(x), 3*v.n)
}

// stay makes x the positions at the start, unless it overlaps their array in part, or they are on a
// device. It reports whether it does.
func (v *stepValue) stay(x []float64) bool {
	if in := v.start(); in != nil && partlyOverlap(x, in) {
		return false
	}
	switch {
	case v.scene != nil:
		moved, _, err := v.rows()
		if err != nil {
			return false
		}
		v.scene.PositionsOf(moved, x)
	case v.paths != nil:
		copy(x, v.paths.Control()[:len(x)])
	case v.x0 == 0:
		return false
	default:
		copy(x, unsafe.Slice(numbersAt(&v.x0), len(x)))
	}
	return true
}

//export go_step_run_sizes
func go_step_run_sizes(h uintptr, groups *int32, share, keepRatio float64, maxPasses int64, o unsafe.Pointer,
	alphas, y *float64, n uintptr, out unsafe.Pointer) status {
	return onStep(h, func(v *stepValue) error {
		err := v.call(v.domain(), o, func(c *stepCall) error {
			so := step.SizesOptions{Share: share, KeepRatio: keepRatio, MaxPasses: int(min(maxPasses, 1<<31-1))}
			return c.sizes(&so, groups, alphas, y, n, (*step.SizesReport)(out))
		})
		if err != nil && n == v.n && alphas != nil && y != nil {
			v.rest(unsafe.Slice(alphas, n), unsafe.Slice(y, 3*n))
		}
		return err
	})
}

// rest makes alphas 0 and y the positions at the start, unless they overlap what they must not.
func (v *stepValue) rest(alphas, y []float64) {
	if in := v.start(); overlap(alphas, y) || in != nil && overlap(alphas, in) {
		return
	}
	if v.stay(y) {
		clear(alphas)
	}
}

// sizes runs Sizes.
func (c *stepCall) sizes(so *step.SizesOptions, groups *int32, alphas, y *float64, n uintptr,
	out *step.SizesReport) error {
	positions, err := c.positions("y", y, n)
	if err != nil {
		return err
	}
	if groups != nil {
		if so.Groups, err = view("groups", groups, "n", n, 1); err != nil {
			return err
		}
	}
	alpha, err := view("alphas", alphas, "n", n, 1)
	if err != nil {
		return err
	}
	for i, other := range [][]float64{c.x0, c.x1, positions} {
		if other != nil && overlap(alpha, other) {
			name := [...]string{"x0", "x1", "y"}[i]
			return fail(C.CCD_E_ARGUMENT, "alphas overlaps %s: it must have memory of its own", name)
		}
	}
	report, err := c.Sizes(alpha, positions, so, &c.options)
	if err == nil && out != nil {
		*out = report
	}
	return err
}
