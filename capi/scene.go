package main

// #include "internal.h"
import "C"

import (
	"unsafe"

	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/scene"
)

// movedTo returns the arrays of vertices and of their positions; name is that of the latter.
func movedTo(s *scene.Scene, moved *int32, name string, x *float64, count uintptr) (list []int32,
	to []float64, err error) {
	if moved == nil && count > 0 {
		n := s.Extent(geom.Vertex)
		if count != uintptr(n) {
			return nil, nil, fail(C.CCD_E_ARGUMENT,
				"moved is NULL, for all vertices, but count is %d: the scene has %d", count, n)
		}
		if !s.Full() {
			return nil, nil, fail(C.CCD_E_ARGUMENT,
				"moved is NULL, for all vertices, but a part was removed: some numbers are free")
		}
		list = make([]int32, n)
		for i := range list {
			list[i] = int32(i)
		}
	} else if list, err = view("moved", moved, "count", count, 1); err != nil {
		return nil, nil, err
	}
	to, err = view(name, x, "count", count, 3)
	return list, to, err
}

//export go_scene_create
func go_scene_create(h uintptr, x0 *float64, n uintptr, out *uintptr) status {
	return with("mesh", h, func(m *mesh.Mesh) error {
		return created(out, func() (*scene.Scene, error) {
			x, err := positionsOf(m.NV, "mesh", "x0", x0, n)
			if err != nil {
				return nil, err
			}
			return scene.New(m, x)
		})
	})
}

// positionsOf returns an array of the positions of all vertices of a mesh or a scene.
func positionsOf(vertices int, of, name string, x *float64, n uintptr) ([]float64, error) {
	if n != uintptr(vertices) {
		return nil, fail(C.CCD_E_ARGUMENT, "n is %d: %s has one row per vertex, and the %s has %d", n, name, of,
			vertices)
	}
	return view(name, x, "n", n, 3)
}

//export go_scene_add
func go_scene_add(h, from uintptr, x *float64, n uintptr, out unsafe.Pointer) status {
	return with("scene", h, func(s *scene.Scene) error {
		m, err := resolve[*mesh.Mesh]("mesh", from)
		if err != nil {
			return err
		}
		to, err := positionsOf(m.NV, "mesh", "x", x, n)
		if err != nil {
			return err
		}
		part, err := s.Add(m, to)
		if err == nil && out != nil {
			*(*scene.PartInfo)(out) = part
		}
		return err
	})
}

//export go_scene_remove
func go_scene_remove(h uintptr, part int64) status {
	return with("scene", h, func(s *scene.Scene) error { return s.Remove(part) })
}

//export go_scene_parts
func go_scene_parts(h uintptr, dst unsafe.Pointer, room uintptr, count *uintptr) status {
	put(count, 0)
	return with("scene", h, func(s *scene.Scene) error {
		return copyOut((*scene.PartInfo)(dst), room, count, s.Parts(), same)
	})
}

//export go_scene_counts
func go_scene_counts(h uintptr, vertices, edges, faces *uintptr) status {
	return with("scene", h, func(s *scene.Scene) error {
		put(vertices, s.Extent(geom.Vertex))
		put(edges, s.Extent(geom.Edge))
		put(faces, s.Extent(geom.Face))
		return nil
	})
}

//export go_scene_commit
func go_scene_commit(h uintptr, moved *int32, x *float64, count uintptr) status {
	return with("scene", h, func(s *scene.Scene) error {
		list, to, err := movedTo(s, moved, "x", x, count)
		if err != nil {
			return err
		}
		return s.Commit(list, to)
	})
}

//export go_scene_commit_proven
func go_scene_commit_proven(h uintptr) status {
	return with("scene", h, func(s *scene.Scene) error { return s.CommitProven() })
}

//export go_scene_reset
func go_scene_reset(h uintptr, x *float64, n uintptr) status {
	return with("scene", h, func(s *scene.Scene) error {
		to, err := positionsOf(s.Extent(geom.Vertex), "scene", "x", x, n)
		if err != nil {
			return err
		}
		return s.Reset(to)
	})
}

//export go_scene_positions
func go_scene_positions(h uintptr, x *float64, n uintptr) status {
	return with("scene", h, func(s *scene.Scene) error {
		to, err := positionsOf(s.Extent(geom.Vertex), "scene", "x", x, n)
		if err != nil {
			return err
		}
		return s.Positions(to)
	})
}

//export go_scene_state
func go_scene_state(h uintptr, known, crossings *uintptr) status {
	return with("scene", h, func(s *scene.Scene) error {
		v, k := s.State()
		put(known, v)
		put(crossings, k)
		return nil
	})
}

//export go_scene_check
func go_scene_check(h uintptr, o unsafe.Pointer) status {
	return with("scene", h, func(of *scene.Scene) error {
		var s settings
		if err := s.read(&proximityCalls, o); err != nil {
			return err
		}
		if err := of.Check(&s.call); err != nil {
			return invalid(err)
		}
		s.writeStats()
		return nil
	})
}
