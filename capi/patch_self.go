package main

// #include "internal.h"
import "C"

import (
	"unsafe"

	"ccd/core/patch"
)

// patch.Unresolved has the layout of ccd_patch_left: a mismatch does not compile.
var (
	_ [unsafe.Sizeof(patch.Unresolved{}) - C.sizeof_ccd_patch_left]byte
	_ [C.sizeof_ccd_patch_left - unsafe.Sizeof(patch.Unresolved{})]byte
)

// onItself makes a call on one body.
func onItself(h uintptr, x0, x1 *float64, n uintptr, o, left unsafe.Pointer,
	call func(s *patch.Scene, f *patch.BodyStep, o *patch.Options) (patch.Unresolved, error)) (s status) {
	defer recovered(&s)
	b, err := resolve[*patch.Body]("body", h)
	if err != nil {
		return statusOf(err)
	}
	if n != uintptr(b.Points()) {
		return statusOf(fail(C.CCD_E_ARGUMENT, "n is %d: the body has %d control points", n, b.Points()))
	}
	f := &patch.BodyStep{Body: b}
	if f.X0, err = view("x0", x0, "n", n, 3); err != nil {
		return statusOf(err)
	}
	if f.X1, err = view("x1", x1, "n", n, 3); err != nil {
		return statusOf(err)
	}
	options, common, err := patchOptions(o)
	if err != nil {
		return statusOf(err)
	}
	scene := patchScenes.Get().(*patch.Scene)
	defer patchScenes.Put(scene)
	l, err := call(scene, f, &options)
	if err != nil {
		return statusOf(invalid(err))
	}
	common.writeStats()
	if left != nil {
		*(*patch.Unresolved)(left) = l
	}
	return C.CCD_OK
}

//export go_patch_self_earliest
func go_patch_self_earliest(h uintptr, x0, x1 *float64, n uintptr, width float64, o, out, left unsafe.Pointer) status {
	return onItself(h, x0, x1, n, o, left, func(s *patch.Scene, f *patch.BodyStep, o *patch.Options) (patch.Unresolved, error) {
		if out == nil {
			return patch.Unresolved{}, null("out")
		}
		im, l, err := s.SelfEarliest(f, width, o)
		if err == nil {
			*(*patch.Impact)(out) = im
		}
		return l, err
	})
}

//export go_patch_self_collisions
func go_patch_self_collisions(h uintptr, x0, x1 *float64, n uintptr, width float64, o unsafe.Pointer, out *uintptr, left unsafe.Pointer) status {
	return onItself(h, x0, x1, n, o, left, func(s *patch.Scene, f *patch.BodyStep, o *patch.Options) (l patch.Unresolved, err error) {
		err = listed[patchImpacts](out, func() (list []patch.Impact, err error) {
			list, l, err = s.SelfCollisions(f, width, o)
			return list, err
		})
		return l, err
	})
}

//export go_patch_self_manifold
func go_patch_self_manifold(h uintptr, x0, x1 *float64, n uintptr, lag, apart, width float64, o unsafe.Pointer, out *uintptr,
	left unsafe.Pointer) status {
	return onItself(h, x0, x1, n, o, left, func(s *patch.Scene, f *patch.BodyStep, o *patch.Options) (l patch.Unresolved, err error) {
		err = listed[patchImpacts](out, func() (list []patch.Impact, err error) {
			list, l, err = s.SelfManifold(f, lag, apart, width, o)
			return list, err
		})
		return l, err
	})
}
