package main

// #include "internal.h"
import "C"

import (
	"math"
	"unsafe"

	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/step"
)

//export go_mesh_create
func go_mesh_create(vertices uintptr, edges *int32, nEdges uintptr, faces *int32, nFaces uintptr, out *uintptr) status {
	return guard(func() error {
		return created(out, func() (*mesh.Mesh, error) { return newMesh(vertices, edges, nEdges, faces, nFaces, nil) })
	})
}

//export go_mesh_create_ignoring
func go_mesh_create_ignoring(vertices uintptr, edges *int32, nEdges uintptr, faces *int32, nFaces uintptr,
	ignored *uint8, n uintptr, out *uintptr) status {
	return guard(func() error {
		return created(out, func() (*mesh.Mesh, error) {
			marks, err := view("ignored", ignored, "n", n, 1)
			if err != nil {
				return nil, err
			}
			if ignored == nil {
				marks = nil
			}
			return newMesh(vertices, edges, nEdges, faces, nFaces, marks)
		})
	})
}

func newMesh(vertices uintptr, edges *int32, nEdges uintptr, faces *int32, nFaces uintptr,
	marks []uint8) (*mesh.Mesh, error) {
	if vertices > math.MaxInt32 {
		return nil, fail(C.CCD_E_ARGUMENT, "vertices is %d: at most %d", vertices, math.MaxInt32)
	}
	e, err := view("edges", edges, "n_edges", nEdges, 2)
	if err != nil {
		return nil, err
	}
	if edges == nil {
		e = nil // The mesh derives its edges from the faces.
	}
	f, err := view("faces", faces, "n_faces", nFaces, 3)
	if err != nil {
		return nil, err
	}
	return mesh.NewIgnoring(int(vertices), e, f, booleans(marks))
}

//export go_mesh_counts
func go_mesh_counts(h uintptr, vertices, edges, faces *uintptr) status {
	return with("mesh", h, func(m *mesh.Mesh) error {
		put(vertices, m.NV)
		put(edges, len(m.Edges))
		put(faces, len(m.Faces))
		return nil
	})
}

//export go_mesh_edges
func go_mesh_edges(h uintptr, dst *int32, room uintptr, count *uintptr) status {
	return with("mesh", h, func(m *mesh.Mesh) error {
		return copyOut((*[2]int32)(unsafe.Pointer(dst)), room, count, m.Edges, same)
	})
}

//export go_mesh_faces
func go_mesh_faces(h uintptr, dst *int32, room uintptr, count *uintptr) status {
	return with("mesh", h, func(m *mesh.Mesh) error {
		return copyOut((*[3]int32)(unsafe.Pointer(dst)), room, count, m.Faces, same)
	})
}

//export go_mesh_set_groups
func go_mesh_set_groups(h uintptr, group *int32, n uintptr) status {
	return with("mesh", h, func(m *mesh.Mesh) error {
		groups, err := perVertex(m, "group", group, n)
		if err != nil {
			return err
		}
		return m.SetGroups(groups)
	})
}

//export go_mesh_set_component_groups
func go_mesh_set_component_groups(h uintptr) status {
	return with("mesh", h, (*mesh.Mesh).SetComponentGroups)
}

//export go_mesh_set_static
func go_mesh_set_static(h uintptr, isStatic *uint8, n uintptr) status {
	return with("mesh", h, func(m *mesh.Mesh) error {
		bytes, err := perVertex(m, "is_static", isStatic, n)
		switch {
		case err != nil:
			return err
		case bytes == nil:
			return m.SetStatic(nil)
		}
		return m.SetStatic(booleans(bytes))
	})
}

// booleans returns bytes as booleans; nil of nil.
func booleans(bytes []uint8) []bool {
	if bytes == nil {
		return nil
	}
	marks := make([]bool, len(bytes))
	for i, b := range bytes {
		marks[i] = b != 0
	}
	return marks
}

//export go_mesh_set_radii
func go_mesh_set_radii(h uintptr, radius *float64, n uintptr) status {
	return with("mesh", h, func(m *mesh.Mesh) error {
		lengths, err := perVertex(m, "radius", radius, n)
		if err != nil {
			return err
		}
		return m.SetRadii(lengths)
	})
}

//export go_mesh_excluded
func go_mesh_excluded(h uintptr, kind int32, dst *int64, room uintptr, count *uintptr) status {
	return with("mesh", h, func(m *mesh.Mesh) error {
		if kind < int32(geom.VertexFace) || kind > int32(geom.EdgeFace) {
			return fail(C.CCD_E_ARGUMENT, "kind is %d: must be %d to %d", kind, geom.VertexFace, geom.EdgeFace)
		}
		return copyOut((*[2]int64)(unsafe.Pointer(dst)), room, count, m.Filter().Excluded(geom.Kind(kind)),
			func(to *[2]int64, from *uint64) {
				*to = [2]int64{int64(*from >> 32), int64(uint32(*from))}
			})
	})
}

//export go_mesh_exclude_near
func go_mesh_exclude_near(h uintptr, x *float64, n uintptr, rings int32, o unsafe.Pointer, count *uintptr) status {
	exclude := func(m *mesh.Mesh, x []float64, o *step.Options) error {
		added, err := step.ExcludeNear(m, x, rings, o)
		if err == nil {
			put(count, added)
		}
		return invalid(err)
	}
	return with("mesh", h, func(m *mesh.Mesh) error {
		if x == nil {
			if n != 0 {
				return fail(C.CCD_E_ARGUMENT, "x is NULL, but n is %d", uint64(n))
			}
			return exclude(m, nil, nil)
		}
		if n != uintptr(m.NV) {
			return fail(C.CCD_E_ARGUMENT, "n is %d: x has one row per vertex, and the mesh has %d", n, m.NV)
		}
		v, err := straightStep(m, x, x, n)
		if err != nil {
			return err
		}
		return v.call(v.domain(), o, func(c *stepCall) error { return exclude(c.mesh, c.x0, &c.options) })
	})
}

//export go_mesh_set_excluded
func go_mesh_set_excluded(h uintptr, kind int32, pairs unsafe.Pointer, count uintptr) status {
	return with("mesh", h, func(m *mesh.Mesh) error {
		list, err := view("pairs", (*[2]int64)(pairs), "count", count, 1)
		if err != nil {
			return err
		}
		return m.SetExcluded(geom.Kind(kind), list)
	})
}
