package main

// #include "internal.h"
import "C"

import (
	"unsafe"

	"ccd/core/geom"
	"ccd/core/mesh"
)

// view returns the caller's array of n items of per elements each, borrowed for the call. name and
// count are the arguments' names. An array of no items may be NULL; the view is then empty, but not
// nil.
func view[T any](name string, p *T, count string, n uintptr, per int) ([]T, error) {
	if n == 0 {
		return []T{}, nil
	}
	if p == nil {
		return nil, fail(C.CCD_E_ARGUMENT, "%s is NULL, but %s is %d", name, count, n)
	}
	if n > C.CCD_MAX_ITEMS {
		return nil, fail(C.CCD_E_ARGUMENT, "%s is %d: an array %s of that many items fits into no memory",
			count, n, name)
	}
	return unsafe.Slice(p, int(n)*per), nil
}

// perVertex does the same for an optional array of one item per vertex. It returns nil for NULL,
// whatever n is.
func perVertex[T any](m *mesh.Mesh, name string, p *T, n uintptr) ([]T, error) {
	if p == nil {
		return nil, nil
	}
	if n != uintptr(m.NV) {
		return nil, fail(C.CCD_E_ARGUMENT, "n is %d: %s has one item per vertex, and the mesh has %d", n, name, m.NV)
	}
	return view(name, p, "n", n, 1)
}

// copyOut copies src into the caller's array with room for cap items and writes their number to
// count. If the array is NULL and has no room, it writes only the number.
func copyOut[D, S any](dst *D, room uintptr, count *uintptr, src []S, convert func(*D, *S)) error {
	return fillOut(dst, room, count, len(src), func(out []D) {
		for i := range out {
			convert(&out[i], &src[i])
		}
	})
}

// fillOut does the same for n items, of which fill writes the first len(out).
func fillOut[D any](dst *D, room uintptr, count *uintptr, n int, fill func(out []D)) error {
	put(count, n)
	if dst == nil && room == 0 {
		return nil
	}
	if dst == nil {
		return fail(C.CCD_E_ARGUMENT, "the array is NULL, but cap is %d", room)
	}
	out := unsafe.Slice(dst, int(min(uint64(room), uint64(n))))
	fill(out)
	if len(out) < n {
		return fail(C.CCD_E_ARGUMENT, "cap is %d, but there are %d items", room, n)
	}
	return nil
}

// answer writes what call returns to out; name is that of the argument.
func answer[T any](name string, out unsafe.Pointer, call func() (T, error)) error {
	if out == nil {
		return null(name)
	}
	v, err := call()
	if err == nil {
		*(*T)(out) = v
	}
	return err
}

// put writes a count unless the caller passed NULL.
func put(count *uintptr, n int) {
	if count != nil {
		*count = uintptr(n)
	}
}

// same copies an item that has the same layout in C and in Go.
func same[T any](dst, src *T) { *dst = *src }

// kindOf checks the kind of a pair.
func kindOf(kind int32) (geom.Kind, error) {
	k := geom.Kind(kind)
	if !k.Valid() {
		return 0, fail(C.CCD_E_ARGUMENT, "kind is %d: must be CCD_VERTEX_FACE to CCD_POINT_POINT", kind)
	}
	return k, nil
}

// fill copies src to an array that has room for it, unless the caller passed NULL.
func fill[T any](dst *T, src []T) {
	if dst != nil {
		copy(unsafe.Slice(dst, len(src)), src)
	}
}
