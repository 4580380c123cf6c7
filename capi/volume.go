package main

// #include "internal.h"
import "C"

import (
	"slices"
	"unsafe"

	"ccd/core/mesh"
	"ccd/core/reference/volccd"
	"ccd/core/volume"
)

// contacts are those of a handle. They have the layout of ccd_volume_contact: a mismatch does not compile.
type contacts []volume.Contact

var (
	_ [unsafe.Sizeof(volume.Contact{}) - C.sizeof_ccd_volume_contact]byte
	_ [C.sizeof_ccd_volume_contact - unsafe.Sizeof(volume.Contact{})]byte
	_ [unsafe.Offsetof(volume.Contact{}.Class) - unsafe.Offsetof(C.ccd_volume_contact{}.cls)]byte
	_ [unsafe.Offsetof(C.ccd_volume_contact{}.cls) - unsafe.Offsetof(volume.Contact{}.Class)]byte
)

// onVolume makes a call on the topology of a volume, alone with it.
func onVolume(h uintptr, call func(*mesh.Volume) error) status {
	return with("volume", h, func(s *volume.Scene) error { return s.Edit(call) })
}

// onVolumeStep checks the arguments that the calls of a step have in common and makes one.
func onVolumeStep(h uintptr, x0, x1 *float64, n uintptr, selection uint32, o unsafe.Pointer,
	call func(s *volume.Scene, x0, x1 []float64, o *volume.Options) error) status {
	return with("volume", h, func(scene *volume.Scene) error {
		var s settings
		if err := s.read(o); err != nil {
			return err
		}
		search, err := searchOf(selection)
		if err != nil {
			return err
		}
		start, err := view("x0", x0, "n", n, 3)
		if err != nil {
			return err
		}
		end, err := view("x1", x1, "n", n, 3)
		if err != nil {
			return err
		}
		options := volume.Options{
			Options:     s.narrow,
			Classes:     volume.Class(selection) & volume.AllClasses,
			Surface:     selection&C.CCD_VOLUME_SURFACE != 0,
			Search:      search,
			CallOptions: s.call,
		}
		if err := call(scene, start, end, &options); err != nil {
			return invalid(err)
		}
		s.writeStats()
		return nil
	})
}

// searchOf is what a selection says beside classes and surface.
func searchOf(selection uint32) (volume.Search, error) {
	const rest = C.CCD_VOLUME_STATIC | C.CCD_VOLUME_DOP26 | C.CCD_VOLUME_NO_AXES // each of them has all bits of its kind
	if selection&^(uint32(volume.AllClasses)|C.CCD_VOLUME_SURFACE|C.CCD_VOLUME_VOLCCD|rest) != 0 {
		return nil, fail(C.CCD_E_ARGUMENT, "selection is %#x: a sum of CCD_VOLUME_*", selection)
	}
	if selection&C.CCD_VOLUME_VOLCCD == 0 {
		if selection&rest != 0 {
			return nil, fail(C.CCD_E_ARGUMENT, "selection is %#x: bits %#x are for CCD_VOLUME_VOLCCD alone", selection, selection&rest)
		}
		return nil, nil
	}
	options := volccd.Options{Sides: 16, Axes: volccd.Axes(selection & C.CCD_VOLUME_NO_AXES / C.CCD_VOLUME_PAPER_AXES)}
	if selection&C.CCD_VOLUME_STATIC != 0 {
		options.Assignment = volccd.Static
	}
	switch selection & C.CCD_VOLUME_DOP26 {
	case C.CCD_VOLUME_DOP6:
		options.Sides = 6
	case C.CCD_VOLUME_DOP18:
		options.Sides = 18
	case C.CCD_VOLUME_DOP26:
		options.Sides = 26
	}
	return options, nil
}

//export go_volume_create
func go_volume_create(vertices uintptr, kinds *int32, n uintptr, corners *int32, nCorners uintptr, out *uintptr) (s status) {
	defer recovered(&s)
	if out == nil {
		return statusOf(null("out"))
	}
	k, c, err := elements(kinds, n, corners, nCorners)
	if err != nil {
		return statusOf(err)
	}
	if vertices > C.INT32_MAX {
		return statusOf(fail(C.CCD_E_ARGUMENT, "vertices is %d: at most %d", vertices, C.INT32_MAX))
	}
	v, err := mesh.NewVolume(int(vertices), k, c)
	if err != nil {
		return statusOf(err)
	}
	*out = issue(volume.New(v))
	return C.CCD_OK
}

// elements are the caller's. A type that does not fit into a byte becomes one that is none.
func elements(kinds *int32, n uintptr, corners *int32, nCorners uintptr) ([]mesh.Element, []int32, error) {
	given, err := view("kinds", kinds, "n", n, 1)
	if err != nil {
		return nil, nil, err
	}
	c, err := view("corners", corners, "n_corners", nCorners, 1)
	if err != nil {
		return nil, nil, err
	}
	k := make([]mesh.Element, len(given))
	for i, x := range given {
		if x < 0 || x > 255 {
			return nil, nil, fail(C.CCD_E_ARGUMENT, "kinds[%d] is %d: no type of element", i, x)
		}
		k[i] = mesh.Element(x)
	}
	return k, c, nil
}

//export go_volume_destroy
func go_volume_destroy(h uintptr) (s status) {
	defer recovered(&s)
	return statusOf(destroy[*volume.Scene]("volume", h))
}

//export go_volume_counts
func go_volume_counts(h uintptr, vertices, elements, edges, faces *uintptr) status {
	return onVolume(h, func(v *mesh.Volume) error {
		put(vertices, v.NV)
		put(elements, len(v.Kinds))
		put(edges, len(v.Edges))
		put(faces, len(v.Faces))
		return nil
	})
}

//export go_volume_edges
func go_volume_edges(h uintptr, dst *int32, room uintptr, count *uintptr) status {
	return onVolume(h, func(v *mesh.Volume) error {
		return copyOut((*[2]int32)(unsafe.Pointer(dst)), room, count, v.Edges, same)
	})
}

//export go_volume_faces
func go_volume_faces(h uintptr, dst *int32, room uintptr, count *uintptr) status {
	return onVolume(h, func(v *mesh.Volume) error {
		return copyOut((*[3]int32)(unsafe.Pointer(dst)), room, count, v.Faces, same)
	})
}

//export go_volume_elements
func go_volume_elements(h uintptr, dst *int32, room uintptr, count *uintptr) status {
	return onVolume(h, func(v *mesh.Volume) error {
		return copyOut(dst, room, count, v.Kinds, func(to *int32, from *mesh.Element) { *to = int32(*from) })
	})
}

//export go_volume_corners
func go_volume_corners(h uintptr, dst *int32, room uintptr, count *uintptr) status {
	return onVolume(h, func(v *mesh.Volume) error { return copyOut(dst, room, count, v.AllCorners(), same) })
}

//export go_volume_origins
func go_volume_origins(h uintptr, dst *int32, room uintptr, count *uintptr) status {
	return onVolume(h, func(v *mesh.Volume) error { return copyOut(dst, room, count, v.Origin, same) })
}

//export go_volume_add_vertices
func go_volume_add_vertices(h uintptr, origin *int32, n uintptr, first *int32) status {
	return onVolume(h, func(v *mesh.Volume) error {
		list, err := view("origin", origin, "n", n, 1)
		if err != nil {
			return err
		}
		return numbered(first, func() (int32, error) { return v.AddVertices(list) })
	})
}

//export go_volume_add
func go_volume_add(h uintptr, kinds *int32, n uintptr, corners *int32, nCorners uintptr, first *int32) status {
	return onVolume(h, func(v *mesh.Volume) error {
		k, c, err := elements(kinds, n, corners, nCorners)
		if err != nil {
			return err
		}
		return numbered(first, func() (int32, error) { return v.Add(k, c) })
	})
}

//export go_volume_remove
func go_volume_remove(h uintptr, list *int32, n uintptr) status {
	return onVolume(h, func(v *mesh.Volume) error {
		e, err := view("elements", list, "n", n, 1)
		if err != nil {
			return err
		}
		return v.Remove(e)
	})
}

//export go_volume_split
func go_volume_split(h uintptr, vertex int32, list *int32, n uintptr, fresh *int32) status {
	return onVolume(h, func(v *mesh.Volume) error {
		e, err := view("elements", list, "n", n, 1)
		if err != nil {
			return err
		}
		return numbered(fresh, func() (int32, error) { return v.Split(vertex, e) })
	})
}

//export go_volume_merge
func go_volume_merge(h uintptr, from, into int32) status {
	return onVolume(h, func(v *mesh.Volume) error { return v.Merge(from, into) })
}

// numbered makes an edit and writes the number of what it made, where the caller wants it.
func numbered(out *int32, edit func() (int32, error)) error {
	n, err := edit()
	if err == nil && out != nil {
		*out = n
	}
	return err
}

//export go_volume_earliest
func go_volume_earliest(h uintptr, x0, x1 *float64, n uintptr, selection uint32, o, out unsafe.Pointer) status {
	return onVolumeStep(h, x0, x1, n, selection, o, func(s *volume.Scene, x0, x1 []float64, o *volume.Options) error {
		if out == nil {
			return null("out")
		}
		c, err := s.Earliest(x0, x1, o)
		if err == nil {
			*(*volume.Contact)(out) = c
		}
		return err
	})
}

//export go_volume_collisions
func go_volume_collisions(h uintptr, x0, x1 *float64, n uintptr, selection uint32, o unsafe.Pointer, out *uintptr) status {
	return onVolumeStep(h, x0, x1, n, selection, o, func(s *volume.Scene, x0, x1 []float64, o *volume.Options) error {
		return listed[contacts](out, func() ([]volume.Contact, error) { return s.Collisions(x0, x1, o) })
	})
}

//export go_volume_contacts_count
func go_volume_contacts_count(h uintptr, count *uintptr) status {
	return with("contacts", h, func(list contacts) error {
		put(count, len(list))
		return nil
	})
}

//export go_volume_contacts_copy
func go_volume_contacts_copy(h uintptr, dst unsafe.Pointer, room uintptr, count *uintptr) status {
	return with("contacts", h, func(list contacts) error {
		return copyOut((*volume.Contact)(dst), room, count, list, same)
	})
}

//export go_volume_contacts_destroy
func go_volume_contacts_destroy(h uintptr) (s status) {
	defer recovered(&s)
	return statusOf(destroy[contacts]("contacts", h))
}

//export go_volume_trajectories
func go_volume_trajectories(x0, x1, velocity *float64, n uintptr, seconds float64, vertices *int32, count uintptr) (s status) {
	defer recovered(&s)
	var frames [3][]float64
	for i, x := range []*float64{x0, x1, velocity} {
		var err error
		if frames[i], err = view([]string{"x0", "x1", "velocity"}[i], x, "n", n, 3); err != nil {
			return statusOf(err)
		}
	}
	list, err := view("vertices", vertices, "count", count, 1)
	if err != nil {
		return statusOf(err)
	}
	// A copy: where the caller's x0 lies over vertices, writing the one must not change the other once it is checked.
	return statusOf(volume.Backtrack(frames[0], frames[1], frames[2], seconds, slices.Clone(list)))
}

//export go_cells_read
func go_cells_read(path *C.char, out *uintptr) (s status) {
	defer recovered(&s)
	return statusOf(read(path, out, mesh.ReadCells))
}

//export go_cells_counts
func go_cells_counts(h uintptr, vertices, elements, corners *uintptr) status {
	return with("cells", h, func(c *mesh.Cells) error {
		put(vertices, len(c.Vertices)/3)
		put(elements, len(c.Kinds))
		put(corners, len(c.Corners))
		return nil
	})
}

//export go_cells_copy
func go_cells_copy(h uintptr, vertices *float64, kinds, corners *int32) status {
	return with("cells", h, func(c *mesh.Cells) error {
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

//export go_cells_destroy
func go_cells_destroy(h uintptr) (s status) {
	defer recovered(&s)
	return statusOf(destroy[*mesh.Cells]("cells", h))
}
