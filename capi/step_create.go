package main

// #include "internal.h"
import "C"

import (
	"slices"
	"unsafe"

	"ccd/core/broad"
	"ccd/core/mesh"
	"ccd/core/neighbors"
	"ccd/core/scene"
	"ccd/core/step"
)

//export go_step_create
func go_step_create(h uintptr, x0, x1 *float64, n uintptr, out *uintptr) status {
	return with("mesh", h, func(m *mesh.Mesh) error {
		return created(out, func() (*stepValue, error) { return straightStep(m, x0, x1, n) })
	})
}

//export go_step_create_motion
func go_step_create_motion(h, moves uintptr, out *uintptr) status {
	return with("mesh", h, func(m *mesh.Mesh) error {
		v, err := curvedStep(m, moves)
		if err != nil {
			return err
		}
		return created(out, func() (*stepValue, error) { return v, nil })
	})
}

//export go_step_create_candidates
func go_step_create_candidates(h uintptr, x0, x1 *float64, n uintptr, out *uintptr) status {
	return with("candidates", h, func(known *broad.Candidates) error {
		v, err := straightStep(known.Mesh(), x0, x1, n)
		return v.among(known, err, out)
	})
}

//export go_step_create_candidates_motion
func go_step_create_candidates_motion(h, moves uintptr, out *uintptr) status {
	return with("candidates", h, func(known *broad.Candidates) error {
		v, err := curvedStep(known.Mesh(), moves)
		return v.among(known, err, out)
	})
}

// among makes a step whose pairs are the given candidates, which it holds until the step is
// destroyed, and writes the step's handle.
func (v *stepValue) among(known *broad.Candidates, err error, out *uintptr) error {
	if err != nil {
		return err
	}
	return created(out, func() (*stepValue, error) {
		v.known = known
		v.Hold()
		return v, nil
	})
}

//export go_step_create_neighbors
func go_step_create_neighbors(h uintptr, x0, x1 *float64, n uintptr, out *uintptr) status {
	return with("neighbors", h, func(l *neighbors.List) error {
		return created(out, func() (*stepValue, error) {
			v, err := straightStep(l.Mesh(), x0, x1, n)
			if err == nil {
				v.list = l
			}
			return v, err
		})
	})
}

//export go_step_create_scene
func go_step_create_scene(h uintptr, moved *int32, x1 *float64, count uintptr, out *uintptr) status {
	return with("scene", h, func(s *scene.Scene) error {
		return created(out, func() (*stepValue, error) {
			if _, _, err := movedTo(s, moved, "x1", x1, count); err != nil {
				return nil, err
			}
			return &stepValue{scene: s, moved: addressOf(moved), x1: addressOf(x1), n: count}, nil
		})
	})
}

//export go_step_create_between
func go_step_create_between(h uintptr, a, b unsafe.Pointer, out *uintptr) status {
	return onStep(h, func(v *stepValue) error {
		var groups [2]step.Group
		var err error
		for i, p := range [2]unsafe.Pointer{a, b} {
			if groups[i], err = groupOf([]string{"a", "b"}[i], (*C.ccd_group)(p)); err != nil {
				return err
			}
		}
		return created(out, func() (*stepValue, error) { return v.between(&groups) })
	})
}

// groupOf returns a copy of a caller's group.
func groupOf(name string, g *C.ccd_group) (group step.Group, err error) {
	if g == nil {
		return group, null(name)
	}
	copied := func(what, number string, p *C.int32_t, n C.size_t) []int32 {
		var list []int32
		if err == nil {
			list, err = view(name+"."+what, (*int32)(p), name+"."+number, uintptr(n), 1)
		}
		return slices.Clone(list)
	}
	group.Vertices = copied("vertices", "vertex_count", g.vertices, g.vertex_count)
	group.Edges = copied("edges", "edge_count", g.edges, g.edge_count)
	group.Faces = copied("faces", "face_count", g.faces, g.face_count)
	return group, err
}

// between returns the step with the pairs between two groups alone. It finds by a step without
// positions what is wrong with the groups, or with a step that has no such pairs.
func (v *stepValue) between(groups *[2]step.Group) (*stepValue, error) {
	var like *step.Step
	switch {
	case v.scene != nil:
		like = v.scene.Step(nil, nil)
	case v.list != nil:
		like = v.list.Step(nil, nil)
	default:
		like = step.Straight(v.mesh, nil, nil)
	}
	var err error
	if v.groups != nil {
		if like, err = like.Between(v.groups[0], v.groups[1]); err != nil {
			return nil, invalid(err)
		}
	}
	if _, err = like.Between(groups[0], groups[1]); err != nil {
		return nil, invalid(err)
	}
	w := *v
	w.groups = groups
	w.Hold()
	return &w, nil
}

//export go_step_earliest
func go_step_earliest(h uintptr, x0, x1 *float64, n uintptr, o, out unsafe.Pointer) status {
	return onMeshStep(h, x0, x1, n, func(v *stepValue) error { return v.earliest(o, out) })
}

//export go_step_collisions
func go_step_collisions(h uintptr, x0, x1 *float64, n uintptr, o unsafe.Pointer, out *uintptr) status {
	return onMeshStep(h, x0, x1, n, func(v *stepValue) error { return v.collisions(o, out) })
}

//export go_step_size
func go_step_size(h uintptr, x0, x1 *float64, n uintptr, o unsafe.Pointer, alpha *float64) status {
	return onMeshStep(h, x0, x1, n, func(v *stepValue) error { return v.size(o, alpha) })
}

//export go_step_advance
func go_step_advance(h uintptr, x0, x1 *float64, n uintptr, share float64, o unsafe.Pointer, alpha, x *float64) status {
	return onMeshStep(h, x0, x1, n, func(v *stepValue) error { return v.advance(share, o, alpha, x, n) })
}

// onMeshStep runs a call on the step of a mesh from x0 to x1: what a caller without a ccd_step
// names in the call itself.
func onMeshStep(h uintptr, x0, x1 *float64, n uintptr, call func(v *stepValue) error) status {
	return with("mesh", h, func(m *mesh.Mesh) error {
		v, err := straightStep(m, x0, x1, n)
		if err != nil {
			return err
		}
		return call(v)
	})
}
