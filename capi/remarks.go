package main

// #include "internal.h"
import "C"

import (
	"unsafe"

	"ccd/core/meshfile"
)

// copyText copies a text and its terminating zero, as far as there is room, and writes the length
// of the whole.
func copyText(to unsafe.Pointer, room uintptr, length *uintptr, text string) {
	put(length, len(text))
	if to == nil || room == 0 {
		return
	}
	dst := unsafe.Slice((*byte)(to), min(room, uintptr(len(text)+1)))
	n := copy(dst[:len(dst)-1], text)
	dst[n] = 0
}

// besides is the object of a handle of a file that was read.
type besides interface{ Remarks() *meshfile.Beside }

// remarks counts what a reader remarked.
func remarks[T besides](name string, h uintptr, leftOut, fields, notes *uintptr) status {
	return with(name, h, func(f T) error {
		b := f.Remarks()
		put(leftOut, len(b.LeftOut))
		put(fields, len(b.Fields))
		put(notes, len(b.Notes))
		return nil
	})
}

// remark copies the text of the index-th of some remarks and hands the remark to then.
func remark[T besides, R any](name string, h uintptr, index uintptr, text unsafe.Pointer, room uintptr, length *uintptr,
	list func(*meshfile.Beside) []R, words func(*R) string, then func(*R)) status {
	return with(name, h, func(f T) error {
		all := list(f.Remarks())
		if index >= uintptr(len(all)) {
			return fail(C.CCD_E_INDEX, "index is %d: there are %d", index, len(all))
		}
		if text == nil && room > 0 {
			return null("text")
		}
		copyText(text, room, length, words(&all[index]))
		then(&all[index])
		return nil
	})
}

func leftOut[T besides](name string, h uintptr, index uintptr, text unsafe.Pointer, room uintptr,
	length, count *uintptr) status {
	return remark[T](name, h, index, text, room, length, func(b *meshfile.Beside) []meshfile.LeftOut {
		return b.LeftOut
	}, func(l *meshfile.LeftOut) string { return l.What }, func(l *meshfile.LeftOut) { put(count, l.Count) })
}

func noteOf[T besides](name string, h uintptr, index uintptr, text unsafe.Pointer, room uintptr,
	length *uintptr) status {
	return remark[T](name, h, index, text, room, length, func(b *meshfile.Beside) []string { return b.Notes },
		func(s *string) string { return *s }, func(*string) {})
}

func fieldOf[T besides](name string, h uintptr, index uintptr, text unsafe.Pointer, room uintptr,
	length, components *uintptr) status {
	return remark[T](name, h, index, text, room, length, func(b *meshfile.Beside) []meshfile.Field { return b.Fields },
		func(f *meshfile.Field) string { return f.Name }, func(f *meshfile.Field) { put(components, f.Components) })
}

func fieldValues[T besides](name string, h uintptr, index uintptr, values *float64) status {
	return with(name, h, func(f T) error {
		all := f.Remarks().Fields
		if index >= uintptr(len(all)) {
			return fail(C.CCD_E_INDEX, "index is %d: there are %d", index, len(all))
		}
		if values == nil && len(all[index].Values) > 0 {
			return null("values")
		}
		fill(values, all[index].Values)
		return nil
	})
}

//export go_surface_file_remarks
func go_surface_file_remarks(h uintptr, left, fields, notes *uintptr) status {
	return remarks[*meshfile.Surface]("file", h, left, fields, notes)
}

//export go_surface_file_left_out
func go_surface_file_left_out(h, index uintptr, text unsafe.Pointer, room uintptr, length, count *uintptr) status {
	return leftOut[*meshfile.Surface]("file", h, index, text, room, length, count)
}

//export go_surface_file_note
func go_surface_file_note(h, index uintptr, text unsafe.Pointer, room uintptr, length *uintptr) status {
	return noteOf[*meshfile.Surface]("file", h, index, text, room, length)
}

//export go_surface_file_field
func go_surface_file_field(h, index uintptr, text unsafe.Pointer, room uintptr, length, components *uintptr) status {
	return fieldOf[*meshfile.Surface]("file", h, index, text, room, length, components)
}

//export go_surface_file_field_values
func go_surface_file_field_values(h, index uintptr, values *float64) status {
	return fieldValues[*meshfile.Surface]("file", h, index, values)
}

//export go_cells_remarks
func go_cells_remarks(h uintptr, left, fields, notes *uintptr) status {
	return remarks[*meshfile.Cells]("cells", h, left, fields, notes)
}

//export go_cells_left_out
func go_cells_left_out(h, index uintptr, text unsafe.Pointer, room uintptr, length, count *uintptr) status {
	return leftOut[*meshfile.Cells]("cells", h, index, text, room, length, count)
}

//export go_cells_note
func go_cells_note(h, index uintptr, text unsafe.Pointer, room uintptr, length *uintptr) status {
	return noteOf[*meshfile.Cells]("cells", h, index, text, room, length)
}

//export go_cells_field
func go_cells_field(h, index uintptr, text unsafe.Pointer, room uintptr, length, components *uintptr) status {
	return fieldOf[*meshfile.Cells]("cells", h, index, text, room, length, components)
}

//export go_cells_field_values
func go_cells_field_values(h, index uintptr, values *float64) status {
	return fieldValues[*meshfile.Cells]("cells", h, index, values)
}

//export go_surface_file_unused
func go_surface_file_unused(h uintptr, dst *int32, room uintptr, count *uintptr) status {
	return with("file", h, func(f *meshfile.Surface) error { return copyOut(dst, room, count, f.Unused, same) })
}

//export go_surface_file_deviation
func go_surface_file_deviation(h uintptr, deviation *float64) status {
	return with("file", h, func(f *meshfile.Surface) error {
		if deviation == nil {
			return null("deviation")
		}
		*deviation = f.Deviation
		return nil
	})
}

//export go_surface_file_clean
func go_surface_file_clean(x *float64, n uintptr, edges *int32, nEdges uintptr, faces *int32, nFaces uintptr,
	out *uintptr) status {
	return guard(func() error {
		return created(out, func() (*meshfile.Surface, error) {
			positions, err := view("x", x, "n", n, 3)
			if err != nil {
				return nil, err
			}
			e, err := view("edges", edges, "n_edges", nEdges, 2)
			if err != nil {
				return nil, err
			}
			f, err := view("faces", faces, "n_faces", nFaces, 3)
			if err != nil {
				return nil, err
			}
			return meshfile.Clean(positions, e, f)
		})
	})
}

//export go_points_weld
func go_points_weld(x *float64, n uintptr, bits int32, places *int32, count *uintptr) status {
	return guard(func() error {
		positions, err := view("x", x, "n", n, 3)
		if err != nil {
			return err
		}
		to, err := view("places", places, "n", n, 1)
		if err != nil {
			return err
		}
		if count == nil {
			return null("count")
		}
		found, number, err := meshfile.Weld(positions, int(bits))
		if err != nil {
			return err
		}
		copy(to, found)
		put(count, number)
		return nil
	})
}

//export go_polygons_cut
func go_polygons_cut(x *float64, n uintptr, corners *int32, nCorners uintptr, sizes *int32, nPolygons uintptr,
	triangles *int32, crossed *uintptr) status {
	return guard(func() error {
		positions, err := view("x", x, "n", n, 3)
		if err != nil {
			return err
		}
		from, err := view("corners", corners, "n_corners", nCorners, 1)
		if err != nil {
			return err
		}
		counts, err := view("sizes", sizes, "n_polygons", nPolygons, 1)
		if err != nil {
			return err
		}
		found, crossing, err := meshfile.Cut(positions, from, counts)
		if err != nil {
			return err
		}
		to, err := view("triangles", triangles, "their number", uintptr(len(found)), 3)
		if err != nil {
			return err
		}
		for i, triangle := range found {
			copy(to[3*i:], triangle[:])
		}
		put(crossed, crossing)
		return nil
	})
}
