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

// onVolume runs a call on the topology of a volume, which no other call uses meanwhile.
func onVolume(h uintptr, call func(*mesh.Volume) error) status {
	return with("volume", h, func(s *volume.Scene) error { return s.Edit(call) })
}

// onVolumeStep checks the shared arguments of the calls on a step of a volume and runs call on
// them.
func onVolumeStep(h uintptr, x0, x1 *float64, n uintptr, selection uint32, o unsafe.Pointer,
	call func(s *volume.Scene, x0, x1 []float64, o *volume.Options) error) status {
	return with("volume", h, func(scene *volume.Scene) error {
		var s settings
		if err := s.read(&volumeCalls, o); err != nil {
			return err
		}
		const known = uint32(volume.AllClasses) | C.CCD_VOLUME_SURFACE
		if selection&^known != 0 {
			return fail(C.CCD_E_ARGUMENT, "selection is %#x: a sum of CCD_VOLUME_*", selection)
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
			CallOptions: s.call,
		}
		if s.raw.method == C.CCD_METHOD_VOLCCD {
			options.Search = volccd.Options{}
		}
		if err := call(scene, start, end, &options); err != nil {
			return invalid(err)
		}
		s.writeStats()
		return nil
	})
}

//export go_volume_create
func go_volume_create(vertices uintptr, kinds *int32, n uintptr, corners *int32, nCorners uintptr,
	out *uintptr) status {
	return guard(func() error {
		return created(out, func() (*volume.Scene, error) {
			k, c, err := elements(kinds, n, corners, nCorners)
			if err != nil {
				return nil, err
			}
			if vertices > C.INT32_MAX {
				return nil, fail(C.CCD_E_ARGUMENT, "vertices is %d: at most %d", vertices, C.INT32_MAX)
			}
			v, err := mesh.NewVolume(int(vertices), k, c)
			if err != nil {
				return nil, err
			}
			return volume.New(v), nil
		})
	})
}

// elements returns the caller's types and corners.
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
func go_volume_split(h uintptr, vertex int32, list *int32, n uintptr, newVertex *int32) status {
	return onVolume(h, func(v *mesh.Volume) error {
		e, err := view("elements", list, "n", n, 1)
		if err != nil {
			return err
		}
		return numbered(newVertex, func() (int32, error) { return v.Split(vertex, e) })
	})
}

//export go_volume_merge
func go_volume_merge(h uintptr, from, into int32) status {
	return onVolume(h, func(v *mesh.Volume) error { return v.Merge(from, into) })
}

//export go_volume_set_radii
func go_volume_set_radii(h uintptr, radius *float64, n uintptr) status {
	return onVolume(h, func(v *mesh.Volume) error {
		if radius == nil {
			return v.SetRadii(nil)
		}
		lengths, err := view("radius", radius, "n", n, 1)
		if err != nil {
			return err
		}
		return v.SetRadii(lengths)
	})
}

// numbered makes an edit and writes the number of the item that it made, unless the caller passed
// NULL.
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
		return answer("out", out, func() (volume.Contact, error) { return s.Earliest(x0, x1, o) })
	})
}

//export go_volume_collisions
func go_volume_collisions(h uintptr, x0, x1 *float64, n uintptr, selection uint32, o unsafe.Pointer,
	out *uintptr) status {
	return onVolumeStep(h, x0, x1, n, selection, o, func(s *volume.Scene, x0, x1 []float64, o *volume.Options) error {
		return listed(out, func() ([]volume.Contact, error) { return s.Collisions(x0, x1, o) })
	})
}

//export go_volume_backtrack
func go_volume_backtrack(x0, x1, velocity *float64, n uintptr, duration float64, listed *int32, count uintptr) status {
	return guard(func() error {
		var arrays [3][]float64
		for i, x := range []*float64{x0, x1, velocity} {
			var err error
			if arrays[i], err = view([]string{"x0", "x1", "velocity"}[i], x, "n", n, 3); err != nil {
				return err
			}
		}
		list, err := view("vertices", listed, "count", count, 1)
		if err != nil {
			return err
		}
		// A copy: where the caller's x0 lies over vertices, writing the one must not change the
		// other after it is checked.
		return volume.Backtrack(arrays[0], arrays[1], arrays[2], duration, slices.Clone(list))
	})
}
