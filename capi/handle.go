package main

// #include "internal.h"
import "C"

import (
	"math/bits"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/mattn/go-pointer"

	"ccd/core/broad"
	"ccd/core/constraint"
	"ccd/core/geom"
	"ccd/core/linkage"
	"ccd/core/mesh"
	"ccd/core/meshfile"
	"ccd/core/motion"
	"ccd/core/neighbors"
	"ccd/core/patch"
	"ccd/core/proximity"
	"ccd/core/rigid"
	"ccd/core/robot"
	"ccd/core/scene"
	"ccd/core/untangle"
	"ccd/core/urdf"
	"ccd/core/volume"
)

// A handle is a number that is given out once and never again, so that a stale one can never be
// taken for a younger object, as an address could that malloc has reused. go-pointer keeps the
// objects; its keys stay in here, because a foreign word must not be made a Go pointer before it is
// known to be one of ours: the garbage collector stops the process when it meets a pointer that
// cannot be.
//
// A call holds the object, not the handle. An object whose handle is destroyed during calls lives
// until the last of them returns.
var handles = struct {
	sync.RWMutex
	last atomic.Uintptr
	keys map[uintptr]unsafe.Pointer
}{keys: map[uintptr]unsafe.Pointer{}}

// handleBase lies where no address of a process is: a handle that is followed as a pointer faults
// at once.
const handleBase = 0xccd << (bits.UintSize - 12)

// issue returns a new handle of v.
func issue(v any) uintptr {
	key := pointer.Save(v)
	h := handleBase + handles.last.Add(1)
	handles.Lock()
	defer handles.Unlock()
	handles.keys[h] = key
	return h
}

// created makes an object and writes its handle.
func created[T any](out *uintptr, create func() (T, error)) error {
	if out == nil {
		return null("out")
	}
	v, err := create()
	if err == nil {
		*out = issue(v)
	}
	return err
}

// A list is the results of a call behind a handle.
type list[T any] []T

// results is a list of any type.
type results interface {
	len() int
	copyOut(dst unsafe.Pointer, room uintptr, count *uintptr) error
}

func (l list[T]) len() int { return len(l) }

func (l list[T]) copyOut(dst unsafe.Pointer, room uintptr, count *uintptr) error {
	return copyOut((*T)(dst), room, count, l, same)
}

// listed makes a list and writes its handle.
func listed[T any](out *uintptr, call func() ([]T, error)) error {
	return created(out, func() (list[T], error) {
		l, err := call()
		return l, err
	})
}

// resolve returns the object of a handle, and holds it if it is lent. name is that of the argument,
// for the error.
func resolve[T any](name string, h uintptr) (T, error) {
	handles.RLock()
	defer handles.RUnlock()
	v, err := typed[T](name, h, pointer.Restore(handles.keys[h]))
	if l, ok := any(v).(lent); ok && err == nil {
		l.Hold()
	}
	return v, err
}

// lent is an object whose memory is reused after its handle is destroyed and the last call that
// holds it has returned.
type lent interface {
	Hold()
	Release()
}

// destroy ends a handle; kind is the handle's type in C.
func destroy(kind, name string, h uintptr) error {
	handles.Lock()
	defer handles.Unlock()
	key := handles.keys[h]
	v, err := typed[any](name, h, pointer.Restore(key))
	if err == nil && typeName(v) != kind {
		err = notA(name, v)
	}
	if err != nil {
		return err
	}
	delete(handles.keys, h)
	pointer.Unref(key)
	if l, ok := v.(lent); ok {
		l.Release()
	}
	return nil
}

//export go_destroy
func go_destroy(kind, name *C.char, h uintptr) status {
	return guard(func() error { return destroy(constant(kind), constant(name), h) })
}

//export go_count
func go_count(kind, name *C.char, h uintptr, count *uintptr) status {
	return withResults(kind, name, h, func(r results) error {
		put(count, r.len())
		return nil
	})
}

//export go_copy
func go_copy(kind, name *C.char, h uintptr, dst unsafe.Pointer, room uintptr, count *uintptr) status {
	return withResults(kind, name, h, func(r results) error { return r.copyOut(dst, room, count) })
}

// withResults runs a call on the list of a handle, whose type in C is kind.
func withResults(kind, name *C.char, h uintptr, call func(results) error) status {
	return with(constant(name), h, func(r results) error {
		if typeName(r) != constant(kind) {
			return notA(constant(name), r)
		}
		return call(r)
	})
}

// constant returns a string constant of the C functions, without a copy.
func constant(s *C.char) string {
	b := (*byte)(unsafe.Pointer(s))
	n := 0
	for *(*byte)(unsafe.Add(unsafe.Pointer(b), n)) != 0 {
		n++
	}
	return unsafe.String(b, n)
}

// guard runs a call: an error becomes its status, a panic CCD_E_INTERNAL.
func guard(call func() error) (s status) {
	defer recovered(&s)
	return statusOf(call())
}

// with runs a call on the object of a handle.
func with[T any](name string, h uintptr, call func(T) error) status {
	return guard(func() error {
		v, err := resolve[T](name, h)
		if err != nil {
			return err
		}
		if l, ok := any(v).(lent); ok {
			defer l.Release()
		}
		return call(v)
	})
}

// typed returns v as a T, or says what is wrong with the handle.
func typed[T any](name string, h uintptr, v any) (T, error) {
	if t, ok := v.(T); ok {
		return t, nil
	}
	var zero T
	switch {
	case h == 0:
		return zero, fail(C.CCD_E_HANDLE, "%s is NULL", name)
	case v != nil:
		return zero, notA(name, v)
	case h > handleBase && h <= handleBase+handles.last.Load():
		return zero, fail(C.CCD_E_HANDLE, "%s was destroyed", name)
	}
	return zero, fail(C.CCD_E_HANDLE, "%s is no handle of this library", name)
}

// notA returns the error of a handle of another type.
func notA(name string, v any) error {
	return fail(C.CCD_E_HANDLE, "%s is a handle of another type: %s", name, typeName(v))
}

// typeName returns the name of v's type in C.
func typeName(v any) string {
	switch v.(type) {
	case *mesh.Mesh:
		return "ccd_mesh"
	case *broad.Candidates:
		return "ccd_candidates"
	case *stepValue:
		return "ccd_step"
	case *scene.Scene:
		return "ccd_scene"
	case *neighbors.List:
		return "ccd_neighbors"
	case *deviceColumns:
		return "ccd_device_columns"
	case list[geom.Impact]:
		return "ccd_impacts"
	case list[geom.Interval]:
		return "ccd_intervals"
	case list[constraint.Constraint]:
		return "ccd_constraints"
	case list[proximity.Intersection]:
		return "ccd_intersections"
	case *nearPairs:
		return "ccd_near_pairs"
	case list[proximity.Nested]:
		return "ccd_nested_pairs"
	case list[untangle.Crossing]:
		return "ccd_crossings"
	case *rigid.Body:
		return "ccd_rigid_body"
	case *robot.Robot:
		return "ccd_robot"
	case *urdf.Robot:
		return "ccd_robot_file"
	case *linkage.Closed:
		return "ccd_robot_closed"
	case list[rigid.SceneImpact]:
		return "ccd_rigid_scene_impacts"
	case list[rigid.SceneGap]:
		return "ccd_rigid_scene_gaps"
	case list[rigid.ManifoldPoint]:
		return "ccd_rigid_manifold_points"
	case list[rigid.MeshImpact]:
		return "ccd_rigid_mesh_impacts"
	case *meshfile.Surface:
		return "ccd_surface_file"
	case *meshfile.Cells:
		return "ccd_cells"
	case *motion.Motion:
		return "ccd_motion"
	case *volume.Scene:
		return "ccd_volume"
	case *patch.Body:
		return "ccd_patch_body"
	case *patch.Model:
		return "ccd_patch_model"
	case list[patch.Impact]:
		return "ccd_patch_impacts"
	case list[volume.Contact]:
		return "ccd_volume_impacts"
	}
	return "unknown"
}
