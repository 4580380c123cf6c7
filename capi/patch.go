package main

// #include "internal.h"
import "C"

import (
	"slices"
	"sync"
	"unsafe"

	"ccd/core/narrow"
	"ccd/core/patch"
	"ccd/core/reference/boxed"
)

// patchForm is ccd_patch_form.
type patchForm struct{ shape, u, v int32 }

func (f *patchForm) form() patch.Form {
	return patch.Form{Shape: patch.Shape(f.shape), U: int(f.u), V: int(f.v)}
}

// patchScenes is a pool of the working memory of calls on patches.
var patchScenes = sync.Pool{New: func() any { return new(patch.Scene) }}

// bare returns one patch of a bare pair; name is the argument's name of its form.
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

// onPatches reads the options and runs a call with a scene of the pool.
func onPatches(o unsafe.Pointer, call func(*patch.Scene, *patch.Options) error) error {
	s := new(settings)
	if err := s.read(&patchCalls, o); err != nil {
		return err
	}
	scene := patchScenes.Get().(*patch.Scene)
	defer patchScenes.Put(scene)
	options := patch.Options{Options: s.narrow, CallOptions: s.call}
	if m := options.Method; m != narrow.Default {
		options.Method, options.Search = narrow.Default, boxed.Options{Traditional: m == narrow.TightInclusion}
	}
	if err := call(scene, &options); err != nil {
		return invalid(err)
	}
	s.writeStats()
	return nil
}

//export go_patch_pair
func go_patch_pair(fa unsafe.Pointer, a0, a1, wa *float64, fb unsafe.Pointer, b0, b1, wb *float64,
	o, out unsafe.Pointer) status {
	return guard(func() error {
		if out == nil {
			return null("out")
		}
		return onPatches(o, func(s *patch.Scene, o *patch.Options) error {
			a, err := bare("a", fa, a0, a1, wa)
			if err != nil {
				return err
			}
			b, err := bare("b", fb, b0, b1, wb)
			if err != nil {
				return err
			}
			return s.Pair(a, b, o, (*patch.Impact)(out))
		})
	})
}

//export go_patch_body_create
func go_patch_body_create(points uintptr, forms unsafe.Pointer, n uintptr, index *int32, nIndex uintptr,
	weights *float64, out *uintptr) status {
	return createBody(points, forms, n, index, nIndex, out, func(list []patch.Form, at []int32) (*patch.Body, error) {
		var w []float64
		if weights != nil {
			w = slices.Clone(unsafe.Slice(weights, nIndex))
		}
		return patch.NewBody(int(points), list, at, w)
	})
}

//export go_patch_body_create_lagrange
func go_patch_body_create_lagrange(points uintptr, forms unsafe.Pointer, n uintptr, index *int32, nIndex uintptr,
	out *uintptr) status {
	return createBody(points, forms, n, index, nIndex, out, func(list []patch.Form, at []int32) (*patch.Body, error) {
		return patch.NewLagrange(int(points), list, at)
	})
}

// createBody copies the forms and indices of a body, and makes it.
func createBody(points uintptr, forms unsafe.Pointer, n uintptr, index *int32, nIndex uintptr, out *uintptr,
	create func([]patch.Form, []int32) (*patch.Body, error)) status {
	return guard(func() error {
		return created(out, func() (*patch.Body, error) {
			if points > C.INT32_MAX {
				return nil, fail(C.CCD_E_ARGUMENT, "points is %d: at most %d", points, C.INT32_MAX)
			}
			given, err := view("forms", (*patchForm)(forms), "n", n, 1)
			if err != nil {
				return nil, err
			}
			at, err := view("index", index, "n_index", nIndex, 1)
			if err != nil {
				return nil, err
			}
			list := make([]patch.Form, len(given))
			for i := range given {
				list[i] = given[i].form()
			}
			return create(list, slices.Clone(at))
		})
	})
}

//export go_patch_body_create_nurbs
func go_patch_body_create_nurbs(u, v int32, knotsU *float64, nU uintptr, knotsV *float64, nV uintptr, weights *float64,
	out *uintptr) status {
	return guard(func() error {
		return created(out, func() (*patch.Body, error) {
			ku, err := view("knots_u", knotsU, "n_knots_u", nU, 1)
			if err != nil {
				return nil, err
			}
			kv, err := view("knots_v", knotsV, "n_knots_v", nV, 1)
			if err != nil {
				return nil, err
			}
			n := patch.NURBS{U: int(u), V: int(v), KnotsU: slices.Clone(ku), KnotsV: slices.Clone(kv)}
			// The number of weights depends on the surface, so that is checked first.
			if err := n.Check(); err != nil {
				return nil, err
			}
			if weights != nil {
				nu, nv := n.Points()
				n.W = slices.Clone(unsafe.Slice(weights, nu*nv))
			}
			return patch.NewNURBS(&n)
		})
	})
}

//export go_patch_body_counts
func go_patch_body_counts(h uintptr, points, patches *uintptr) status {
	return with("body", h, func(b *patch.Body) error {
		put(points, b.Points())
		put(patches, b.Patches())
		return nil
	})
}

// bodyStep has the arguments that describe a body over a step, and their names for errors.
type bodyStep struct {
	name, x, count string // names of the handle, of the arrays without the digits 0 and 1, and of the number of points
	handle         uintptr
	x0, x1         *float64
	n              uintptr
}

// body resolves the handle.
func (a *bodyStep) body() (*patch.Body, error) { return resolve[*patch.Body](a.name, a.handle) }

// of checks the other arguments.
func (a *bodyStep) of(b *patch.Body) (s *patch.BodyStep, err error) {
	if a.n != uintptr(b.Points()) {
		return nil, fail(C.CCD_E_ARGUMENT, "%s is %d: body %s has %d control points, and its positions a row for each",
			a.count, a.n, a.name, b.Points())
	}
	s = &patch.BodyStep{Body: b}
	if s.X0, err = view(a.x+"0", a.x0, a.count, a.n, 3); err != nil {
		return nil, err
	}
	s.X1, err = view(a.x+"1", a.x1, a.count, a.n, 3)
	return s, err
}

// onBodies runs a call on two bodies.
func onBodies(a uintptr, a0, a1 *float64, na uintptr, b uintptr, b0, b1 *float64, nb uintptr, o unsafe.Pointer,
	call func(s *patch.Scene, a, b *patch.BodyStep, o *patch.Options) error) status {
	return guard(func() error {
		argumentA, argumentB := bodyStep{"a", "a", "n_a", a, a0, a1, na}, bodyStep{"b", "b", "n_b", b, b0, b1, nb}
		bodyA, err := argumentA.body()
		if err != nil {
			return err
		}
		bodyB, err := argumentB.body()
		if err != nil {
			return err
		}
		stepA, err := argumentA.of(bodyA)
		if err != nil {
			return err
		}
		stepB, err := argumentB.of(bodyB)
		if err != nil {
			return err
		}
		return onPatches(o, func(s *patch.Scene, o *patch.Options) error { return call(s, stepA, stepB, o) })
	})
}

// onItself runs a call on one body and writes the unresolved pairs.
func onItself(h uintptr, x0, x1 *float64, n uintptr, o, unresolved unsafe.Pointer,
	call func(s *patch.Scene, b *patch.BodyStep, o *patch.Options) (patch.Unresolved, error)) status {
	return guard(func() error {
		argument := bodyStep{"body", "x", "n", h, x0, x1, n}
		body, err := argument.body()
		if err != nil {
			return err
		}
		b, err := argument.of(body)
		if err != nil {
			return err
		}
		var u patch.Unresolved
		err = onPatches(o, func(s *patch.Scene, o *patch.Options) (err error) {
			u, err = call(s, b, o)
			return err
		})
		if err == nil && unresolved != nil {
			*(*patch.Unresolved)(unresolved) = u
		}
		return err
	})
}

//export go_patch_earliest
func go_patch_earliest(a uintptr, a0, a1 *float64, na uintptr, b uintptr, b0, b1 *float64, nb uintptr,
	o, out unsafe.Pointer) status {
	return onBodies(a, a0, a1, na, b, b0, b1, nb, o,
		func(s *patch.Scene, a, b *patch.BodyStep, o *patch.Options) error {
			return answer("out", out, func() (patch.Impact, error) { return s.Earliest(a, b, o) })
		})
}

//export go_patch_collisions
func go_patch_collisions(a uintptr, a0, a1 *float64, na uintptr, b uintptr, b0, b1 *float64, nb uintptr,
	o unsafe.Pointer, out *uintptr) status {
	return onBodies(a, a0, a1, na, b, b0, b1, nb, o,
		func(s *patch.Scene, a, b *patch.BodyStep, o *patch.Options) error {
			return listed(out, func() ([]patch.Impact, error) { return s.Collisions(a, b, o) })
		})
}

//export go_patch_manifold
func go_patch_manifold(a uintptr, a0, a1 *float64, na uintptr, b uintptr, b0, b1 *float64, nb uintptr,
	tWindow, minDistance float64, o unsafe.Pointer, out *uintptr) status {
	return onBodies(a, a0, a1, na, b, b0, b1, nb, o,
		func(s *patch.Scene, a, b *patch.BodyStep, o *patch.Options) error {
			return listed(out, func() ([]patch.Impact, error) { return s.Manifold(a, b, tWindow, minDistance, o) })
		})
}

//export go_patch_self_earliest
func go_patch_self_earliest(h uintptr, x0, x1 *float64, n uintptr, width float64,
	o, out, unresolved unsafe.Pointer) status {
	return onItself(h, x0, x1, n, o, unresolved,
		func(s *patch.Scene, b *patch.BodyStep, o *patch.Options) (u patch.Unresolved, err error) {
			err = answer("out", out, func() (im patch.Impact, err error) {
				im, u, err = s.SelfEarliest(b, width, o)
				return im, err
			})
			return u, err
		})
}

//export go_patch_self_collisions
func go_patch_self_collisions(h uintptr, x0, x1 *float64, n uintptr, width float64, o unsafe.Pointer, out *uintptr,
	unresolved unsafe.Pointer) status {
	return onItself(h, x0, x1, n, o, unresolved,
		func(s *patch.Scene, b *patch.BodyStep, o *patch.Options) (u patch.Unresolved, err error) {
			err = listed(out, func() (l []patch.Impact, err error) {
				l, u, err = s.SelfCollisions(b, width, o)
				return l, err
			})
			return u, err
		})
}

//export go_patch_self_manifold
func go_patch_self_manifold(h uintptr, x0, x1 *float64, n uintptr, tWindow, minDistance, width float64,
	o unsafe.Pointer, out *uintptr, unresolved unsafe.Pointer) status {
	return onItself(h, x0, x1, n, o, unresolved,
		func(s *patch.Scene, b *patch.BodyStep, o *patch.Options) (u patch.Unresolved, err error) {
			err = listed(out, func() (l []patch.Impact, err error) {
				l, u, err = s.SelfManifold(b, tWindow, minDistance, width, o)
				return l, err
			})
			return u, err
		})
}
