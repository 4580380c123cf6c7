package main

// #include "internal.h"
import "C"

import (
	"unsafe"

	"ccd/core/patch"
)

//export go_patch_file_read
func go_patch_file_read(path *C.char, out *uintptr) (s status) {
	defer recovered(&s)
	return statusOf(read(path, out, patch.Read))
}

//export go_patch_file_counts
func go_patch_file_counts(h uintptr, points, patches, indices, weights *uintptr, lost unsafe.Pointer) status {
	return with("file", h, func(m *patch.Model) error {
		put(points, len(m.Points)/3)
		put(patches, len(m.Forms))
		put(indices, len(m.Index))
		put(weights, len(m.Weights))
		if lost != nil {
			*(*float64)(lost) = m.Err
		}
		return nil
	})
}

//export go_patch_file_copy
func go_patch_file_copy(h uintptr, points *float64, forms unsafe.Pointer, index *int32, weights *float64) status {
	return with("file", h, func(m *patch.Model) error {
		list := make([]patchForm, len(m.Forms))
		for i, f := range m.Forms {
			list[i] = patchForm{int32(f.Shape), int32(f.U), int32(f.V)}
		}
		fill(points, m.Points)
		fill((*patchForm)(forms), list)
		fill(index, m.Index)
		fill(weights, m.Weights)
		return nil
	})
}

//export go_patch_file_destroy
func go_patch_file_destroy(h uintptr) (s status) {
	defer recovered(&s)
	return statusOf(destroy[*patch.Model]("file", h))
}
