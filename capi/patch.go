package main

// #include "internal.h"
import "C"

import (
	"sync"
	"unsafe"

	"ccd/core/narrow"
	"ccd/core/patch"
	"ccd/core/reference/boxed"
)

// patchImpacts are those of a handle. They have the layout of ccd_patch_impact: a mismatch does not compile.
type patchImpacts []patch.Impact

var (
	_ [unsafe.Sizeof(patch.Impact{}) - C.sizeof_ccd_patch_impact]byte
	_ [C.sizeof_ccd_patch_impact - unsafe.Sizeof(patch.Impact{})]byte
	_ [unsafe.Offsetof(patch.Impact{}.Width) - unsafe.Offsetof(C.ccd_patch_impact{}.width)]byte
	_ [unsafe.Offsetof(C.ccd_patch_impact{}.width) - unsafe.Offsetof(patch.Impact{}.Width)]byte
)

// patchForm is ccd_patch_form.
type patchForm struct{ shape, u, v int32 }

func (f *patchForm) form() patch.Form {
	return patch.Form{Shape: patch.Shape(f.shape), U: int(f.u), V: int(f.v)}
}

// patchScenes keeps the scratch of calls on patches.
var patchScenes = sync.Pool{New: func() any { return new(patch.Scene) }}

// patchOptions reads a call's options.
func patchOptions(o unsafe.Pointer) (patch.Options, *settings, error) {
	s := new(settings)
	if err := s.read(o); err != nil {
		return patch.Options{}, nil, err
	}
	options := patch.Options{Options: s.narrow, CallOptions: s.call}
	boxes := options.Flags & (narrow.AxisAligned | narrow.InParameters)
	switch options.Flags &^= boxes; options.Method {
	case narrow.Default:
		if boxes != 0 {
			return options, s, fail(C.CCD_E_UNSUPPORTED, "options.flags %#x with the default method for patches", boxes)
		}
	case narrow.TimeContracted, narrow.TightInclusion:
		options.Search = boxed.Options{
			Traditional: options.Method == narrow.TightInclusion,
			AxisAligned: boxes&narrow.AxisAligned != 0, InParameters: boxes&narrow.InParameters != 0,
		}
		options.Method = narrow.Default
	}
	return options, s, nil
}

// bare is one patch of a bare pair; name is that of its form.
func bare(name string, form unsafe.Pointer, x0, x1, w *float64) (*patch.Patch, error) {
	if form == nil {
		return nil, null(name)
	}
	f := (*patchForm)(form).form()
	if err := f.Check(); err != nil {
		return nil, fail(C.CCD_E_ARGUMENT, "%s: %v", name, err)
	}
	n := uintptr(f.Points())
	p := patch.Patch{Form: f}
	var err error
	if p.X0, err = view(name+"0", x0, "the number of control points", n, 3); err != nil {
		return nil, err
	}
	if p.X1, err = view(name+"1", x1, "the number of control points", n, 3); err != nil {
		return nil, err
	}
	if w != nil {
		p.W = unsafe.Slice(w, n)
	}
	if err := p.Check(); err != nil {
		return nil, named(name, err)
	}
	return &p, nil
}

// named puts the name of an argument before the text of an error and keeps its status.
func named(name string, err error) error {
	s := statusOf(invalid(err))
	return fail(s, "%s: %v", name, err)
}

//export go_patch_pair
func go_patch_pair(fa unsafe.Pointer, a0, a1, wa *float64, fb unsafe.Pointer, b0, b1, wb *float64, o, out unsafe.Pointer) (s status) {
	defer recovered(&s)
	if out == nil {
		return statusOf(null("out"))
	}
	options, common, err := patchOptions(o)
	if err != nil {
		return statusOf(err)
	}
	a, err := bare("a", fa, a0, a1, wa)
	if err != nil {
		return statusOf(err)
	}
	b, err := bare("b", fb, b0, b1, wb)
	if err != nil {
		return statusOf(err)
	}
	scene := patchScenes.Get().(*patch.Scene)
	defer patchScenes.Put(scene)
	if err := scene.Pair(a, b, &options, (*patch.Impact)(out)); err != nil {
		return statusOf(err)
	}
	common.writeStats()
	return C.CCD_OK
}

//export go_patch_create
func go_patch_create(points uintptr, forms unsafe.Pointer, n uintptr, index *int32, nIndex uintptr, weights *float64, out *uintptr) (s status) {
	defer recovered(&s)
	if out == nil {
		return statusOf(null("out"))
	}
	if points > C.INT32_MAX {
		return statusOf(fail(C.CCD_E_ARGUMENT, "points is %d: at most %d", points, C.INT32_MAX))
	}
	given, err := view("forms", (*patchForm)(forms), "n", n, 1)
	if err != nil {
		return statusOf(err)
	}
	at, err := view("index", index, "n_index", nIndex, 1)
	if err != nil {
		return statusOf(err)
	}
	list := make([]patch.Form, len(given))
	for i := range given {
		list[i] = given[i].form()
	}
	var w []float64
	if weights != nil {
		w = append(w, unsafe.Slice(weights, nIndex)...)
	}
	return issued(out, func() (*patch.Body, error) { return patch.NewBody(int(points), list, append([]int32{}, at...), w) })
}

//export go_patch_create_nurbs
func go_patch_create_nurbs(u, v int32, knotsU *float64, nU uintptr, knotsV *float64, nV uintptr, weights *float64, out *uintptr) (s status) {
	defer recovered(&s)
	if out == nil {
		return statusOf(null("out"))
	}
	ku, err := view("knots_u", knotsU, "n_knots_u", nU, 1)
	if err != nil {
		return statusOf(err)
	}
	kv, err := view("knots_v", knotsV, "n_knots_v", nV, 1)
	if err != nil {
		return statusOf(err)
	}
	n := patch.NURBS{U: int(u), V: int(v), KnotsU: append([]float64{}, ku...), KnotsV: append([]float64{}, kv...)}
	if err := n.Check(); err != nil { // before the number of weights is known
		return statusOf(err)
	}
	if weights != nil {
		nu, nv := n.Points()
		n.W = append(n.W, unsafe.Slice(weights, nu*nv)...)
	}
	return issued(out, func() (*patch.Body, error) { return patch.NewNURBS(&n) })
}

// issued makes a body and gives out its handle.
func issued(out *uintptr, create func() (*patch.Body, error)) status {
	b, err := create()
	if err == nil {
		*out = issue(b)
	}
	return statusOf(err)
}

//export go_patch_destroy
func go_patch_destroy(h uintptr) (s status) {
	defer recovered(&s)
	return statusOf(destroy[*patch.Body]("body", h))
}

//export go_patch_counts
func go_patch_counts(h uintptr, points, patches *uintptr) status {
	return with("body", h, func(b *patch.Body) error {
		put(points, b.Points())
		put(patches, b.Patches())
		return nil
	})
}

// patchStep checks one body's arguments; name is that of its handle.
func patchStep(name string, b *patch.Body, x0, x1 *float64, n uintptr) (f *patch.BodyStep, err error) {
	if n != uintptr(b.Points()) {
		return nil, fail(C.CCD_E_ARGUMENT, "n_%s is %d: the body has %d control points", name, n, b.Points())
	}
	f = &patch.BodyStep{Body: b}
	if f.X0, err = view(name+"0", x0, "n_"+name, n, 3); err != nil {
		return nil, err
	}
	f.X1, err = view(name+"1", x1, "n_"+name, n, 3)
	return f, err
}

// onPatches makes a call on two bodies.
func onPatches(a uintptr, a0, a1 *float64, na uintptr, b uintptr, b0, b1 *float64, nb uintptr, o unsafe.Pointer,
	call func(s *patch.Scene, a, b *patch.BodyStep, o *patch.Options) error) (s status) {
	defer recovered(&s)
	bodyA, err := resolve[*patch.Body]("a", a)
	if err != nil {
		return statusOf(err)
	}
	bodyB, err := resolve[*patch.Body]("b", b)
	if err != nil {
		return statusOf(err)
	}
	fa, err := patchStep("a", bodyA, a0, a1, na)
	if err != nil {
		return statusOf(err)
	}
	fb, err := patchStep("b", bodyB, b0, b1, nb)
	if err != nil {
		return statusOf(err)
	}
	options, common, err := patchOptions(o)
	if err != nil {
		return statusOf(err)
	}
	scene := patchScenes.Get().(*patch.Scene)
	defer patchScenes.Put(scene)
	if err := call(scene, fa, fb, &options); err != nil {
		return statusOf(invalid(err))
	}
	common.writeStats()
	return C.CCD_OK
}

//export go_patch_earliest
func go_patch_earliest(a uintptr, a0, a1 *float64, na uintptr, b uintptr, b0, b1 *float64, nb uintptr, o, out unsafe.Pointer) status {
	return onPatches(a, a0, a1, na, b, b0, b1, nb, o, func(s *patch.Scene, a, b *patch.BodyStep, o *patch.Options) error {
		if out == nil {
			return null("out")
		}
		im, err := s.Earliest(a, b, o)
		if err == nil {
			*(*patch.Impact)(out) = im
		}
		return err
	})
}

//export go_patch_collisions
func go_patch_collisions(a uintptr, a0, a1 *float64, na uintptr, b uintptr, b0, b1 *float64, nb uintptr, o unsafe.Pointer,
	out *uintptr) status {
	return onPatches(a, a0, a1, na, b, b0, b1, nb, o, func(s *patch.Scene, a, b *patch.BodyStep, o *patch.Options) error {
		return listed[patchImpacts](out, func() ([]patch.Impact, error) { return s.Collisions(a, b, o) })
	})
}

//export go_patch_manifold
func go_patch_manifold(a uintptr, a0, a1 *float64, na uintptr, b uintptr, b0, b1 *float64, nb uintptr, lag, apart float64,
	o unsafe.Pointer, out *uintptr) status {
	return onPatches(a, a0, a1, na, b, b0, b1, nb, o, func(s *patch.Scene, a, b *patch.BodyStep, o *patch.Options) error {
		return listed[patchImpacts](out, func() ([]patch.Impact, error) { return s.Manifold(a, b, lag, apart, o) })
	})
}

//export go_patch_impacts_count
func go_patch_impacts_count(h uintptr, count *uintptr) status {
	return with("impacts", h, func(list patchImpacts) error {
		put(count, len(list))
		return nil
	})
}

//export go_patch_impacts_copy
func go_patch_impacts_copy(h uintptr, dst unsafe.Pointer, room uintptr, count *uintptr) status {
	return with("impacts", h, func(list patchImpacts) error {
		return copyOut((*patch.Impact)(dst), room, count, list, same)
	})
}

//export go_patch_impacts_destroy
func go_patch_impacts_destroy(h uintptr) (s status) {
	defer recovered(&s)
	return statusOf(destroy[patchImpacts]("impacts", h))
}
