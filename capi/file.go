package main

// #include "internal.h"
import "C"

import (
	"unsafe"

	"ccd/core/meshfile"
	"ccd/core/patch"
)

//export go_surface_file_read
func go_surface_file_read(path *C.char, out *uintptr) status { return read(path, out, meshfile.Read) }

//export go_cells_read
func go_cells_read(path *C.char, out *uintptr) status { return read(path, out, meshfile.ReadCells) }

//export go_patch_model_read
func go_patch_model_read(path *C.char, out *uintptr) status { return read(path, out, patch.Read) }

// read makes a handle of the object that a reader of the core returns.
func read[T any](path *C.char, out *uintptr, reader func(string) (T, error)) status {
	return guard(func() error {
		if path == nil {
			return null("path")
		}
		return created(out, func() (T, error) { return reader(C.GoString(path)) })
	})
}

//export go_surface_file_counts
func go_surface_file_counts(h uintptr, vertices, edges, faces *uintptr) status {
	return with("file", h, func(f *meshfile.Surface) error {
		put(vertices, len(f.Vertices)/3)
		put(edges, len(f.Edges))
		put(faces, len(f.Faces))
		return nil
	})
}

//export go_surface_file_copy
func go_surface_file_copy(h uintptr, vertices *float64, edges, faces *int32) status {
	return with("file", h, func(f *meshfile.Surface) error {
		fill(vertices, f.Vertices)
		fill((*[2]int32)(unsafe.Pointer(edges)), f.Edges)
		fill((*[3]int32)(unsafe.Pointer(faces)), f.Faces)
		return nil
	})
}

//export go_cells_counts
func go_cells_counts(h uintptr, vertices, elements, corners *uintptr) status {
	return with("cells", h, func(c *meshfile.Cells) error {
		put(vertices, len(c.Vertices)/3)
		put(elements, len(c.Kinds))
		put(corners, len(c.Corners))
		return nil
	})
}

//export go_cells_copy
func go_cells_copy(h uintptr, vertices *float64, kinds, corners *int32) status {
	return with("cells", h, func(c *meshfile.Cells) error {
		k := make([]int32, len(c.Kinds))
		for i, x := range c.Kinds {
			k[i] = int32(x)
		}
		fill(vertices, c.Vertices)
		fill(kinds, k)
		fill(corners, c.Corners)
		return nil
	})
}

//export go_patch_model_counts
func go_patch_model_counts(h uintptr, points, patches, indices, weights *uintptr, lost unsafe.Pointer) status {
	return with("model", h, func(m *patch.Model) error {
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

//export go_patch_model_copy
func go_patch_model_copy(h uintptr, points *float64, forms unsafe.Pointer, index *int32, weights *float64) status {
	return with("model", h, func(m *patch.Model) error {
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
