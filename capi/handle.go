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
	"ccd/core/mesh"
	"ccd/core/patch"
	"ccd/core/rigid"
	"ccd/core/volume"
)

// A handle is a number that is given out once and never again, so that a stale one can never be taken for a younger
// object, as an address could that malloc has reused. go-pointer keeps the objects; its keys stay in here, because a
// foreign word must not be made a Go pointer before it is known to be one of ours: the garbage collector stops the process
// when it meets a pointer that cannot be.
//
// A call holds the object, not the handle. One that is destroyed meanwhile lives until the last such call returns.
var handles = struct {
	sync.RWMutex
	last atomic.Uintptr
	keys map[uintptr]unsafe.Pointer
}{keys: map[uintptr]unsafe.Pointer{}}

// handleBase lies where no address of a process is: a handle that is followed as a pointer faults at once.
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

// listed makes a list that is handed out as an L, and gives out its handle.
func listed[L ~[]T, T any](out *uintptr, call func() ([]T, error)) error {
	if out == nil {
		return null("out")
	}
	list, err := call()
	if err == nil {
		*out = issue(L(list))
	}
	return err
}

// resolve returns the object of a handle, held where it is lent. name is that of the argument, for the error.
func resolve[T any](name string, h uintptr) (T, error) {
	handles.RLock()
	defer handles.RUnlock()
	v, err := typed[T](name, h, pointer.Restore(handles.keys[h]))
	if l, ok := any(v).(lent); ok && err == nil {
		l.Hold()
	}
	return v, err
}

// lent is an object whose memory is used anew once its handle is destroyed and the last call that holds it has returned.
type lent interface {
	Hold()
	Release()
}

// destroy takes the object of a handle away.
func destroy[T any](name string, h uintptr) error {
	handles.Lock()
	defer handles.Unlock()
	key := handles.keys[h]
	v, err := typed[T](name, h, pointer.Restore(key))
	if err != nil {
		return err
	}
	delete(handles.keys, h)
	pointer.Unref(key)
	if l, ok := any(v).(lent); ok {
		l.Release()
	}
	return nil
}

// with runs a call on the object of a handle.
func with[T any](name string, h uintptr, call func(T) error) (s status) {
	defer recovered(&s)
	v, err := resolve[T](name, h)
	if err != nil {
		return statusOf(err)
	}
	if l, ok := any(v).(lent); ok {
		defer l.Release()
	}
	return statusOf(call(v))
}

// typed returns v as a T, or the reason why the handle is none.
func typed[T any](name string, h uintptr, v any) (T, error) {
	if t, ok := v.(T); ok {
		return t, nil
	}
	var zero T
	switch {
	case h == 0:
		return zero, fail(C.CCD_E_HANDLE, "%s is NULL", name)
	case v != nil:
		return zero, fail(C.CCD_E_HANDLE, "%s is a handle of another type: %s", name, typeName(v))
	case h > handleBase && h <= handleBase+handles.last.Load():
		return zero, fail(C.CCD_E_HANDLE, "%s was destroyed", name)
	}
	return zero, fail(C.CCD_E_HANDLE, "%s is no handle of this library", name)
}

// typeName is what C calls the type of v.
func typeName(v any) string {
	switch v.(type) {
	case *mesh.Mesh:
		return "ccd_mesh"
	case *broad.Candidates:
		return "ccd_candidates"
	case impacts:
		return "ccd_impacts"
	case constraints:
		return "ccd_constraints"
	case intersections:
		return "ccd_intersections"
	case nearPairs:
		return "ccd_near_pairs"
	case *rigid.Body:
		return "ccd_rigid_body"
	case rigidContacts:
		return "ccd_rigid_contacts"
	case rigidMeshContacts:
		return "ccd_rigid_mesh_contacts"
	case *mesh.Surface:
		return "ccd_file"
	case *mesh.Queries:
		return "ccd_queries"
	case *mesh.Cells:
		return "ccd_cells"
	case *volume.Scene:
		return "ccd_volume"
	case *patch.Body:
		return "ccd_patch"
	case *patch.Model:
		return "ccd_patch_file"
	case patchImpacts:
		return "ccd_patch_impacts"
	case contacts:
		return "ccd_volume_contacts"
	}
	return "unknown"
}
