package main

// #include "internal.h"
import "C"

import (
	"unsafe"

	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/scene"
	"ccd/core/step"
)

// A sceneCall holds the arguments that the calls on a scene share: the scene, the vertices that move, where they go, and the options.
type sceneCall struct {
	scene   *scene.Scene
	moved   []int32
	x1      []float64
	options step.Options
}

// onScene checks the shared arguments of a ccd_scene function and runs call on them.
func onScene(h uintptr, moved *int32, x1 *float64, count uintptr, o unsafe.Pointer, call func(*sceneCall) error) status {
	return with("scene", h, func(s *scene.Scene) error { return sceneOf(s, moved, x1, count, o, call) })
}

// sceneOf is onScene for a scene whose handle is resolved.
func sceneOf(of *scene.Scene, moved *int32, x1 *float64, count uintptr, o unsafe.Pointer, call func(*sceneCall) error) error {
	var s settings
	if err := s.read(&sceneCalls, o); err != nil {
		return err
	}
	list, to, err := movedTo(of, moved, "x1", x1, count)
	if err != nil {
		return err
	}
	checks := s.raw.flags&C.CCD_CHECK_START != 0
	c := sceneCall{of, list, to, step.Options{Options: s.narrow, CallOptions: s.call, CheckStart: checks}}
	done, err := s.device(&c.options)
	if err != nil {
		return err
	}
	defer done()
	if err := call(&c); err != nil {
		return invalid(err)
	}
	s.writeStats()
	return nil
}

// movedTo returns the arrays of vertices and of their positions; name is that of the latter.
func movedTo(s *scene.Scene, moved *int32, name string, x *float64, count uintptr) (list []int32, to []float64, err error) {
	if moved == nil && count > 0 {
		n := s.Extent(geom.Vertex)
		if count != uintptr(n) {
			return nil, nil, fail(C.CCD_E_ARGUMENT, "moved is NULL, for all vertices, but count is %d: the scene has %d", count, n)
		}
		if !s.Full() {
			return nil, nil, fail(C.CCD_E_ARGUMENT, "moved is NULL, for all vertices, but a part was removed: some numbers are free")
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
		return nil, fail(C.CCD_E_ARGUMENT, "n is %d: the %s has %d vertices", n, of, vertices)
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

//export go_scene_earliest
func go_scene_earliest(h uintptr, moved *int32, x1 *float64, count uintptr, o, out unsafe.Pointer) status {
	return onScene(h, moved, x1, count, o, func(c *sceneCall) error {
		return answer("out", out, func() (geom.Impact, error) { return c.scene.Earliest(c.moved, c.x1, &c.options) })
	})
}

//export go_scene_collisions
func go_scene_collisions(h uintptr, moved *int32, x1 *float64, count uintptr, o unsafe.Pointer, out *uintptr) status {
	return onScene(h, moved, x1, count, o, func(c *sceneCall) error {
		return listed(out, func() ([]geom.Impact, error) { return c.scene.Collisions(c.moved, c.x1, &c.options) })
	})
}

//export go_scene_size
func go_scene_size(h uintptr, moved *int32, x1 *float64, count uintptr, o unsafe.Pointer, alpha *float64) status {
	return onScene(h, moved, x1, count, o, func(c *sceneCall) error {
		return answer("alpha", unsafe.Pointer(alpha), func() (float64, error) { return c.scene.Size(c.moved, c.x1, &c.options) })
	})
}

//export go_scene_advance
func go_scene_advance(h uintptr, moved *int32, x1 *float64, count uintptr, share float64, o unsafe.Pointer, alpha, x *float64) status {
	return with("scene", h, func(s *scene.Scene) error {
		err := sceneOf(s, moved, x1, count, o, func(c *sceneCall) error { return c.advance(share, alpha, x) })
		return orStayIn(err, s, moved, x1, count, nil, x)
	})
}

func (c *sceneCall) advance(share float64, alpha, x *float64) error {
	if alpha == nil {
		return null("alpha")
	}
	to, err := view("x", x, "count", uintptr(len(c.moved)), 3)
	if err != nil {
		return err
	}
	if partlyOverlap(to, c.x1) {
		return fail(C.CCD_E_ARGUMENT, "x overlaps x1: it must be x1 or have no memory in common with it")
	}
	*alpha, err = c.scene.Advance(c.moved, c.x1, to, share, &c.options)
	return err
}

//export go_scene_sizes
func go_scene_sizes(h uintptr, moved *int32, x1 *float64, count uintptr, groups *int32, share, keepRatio float64, maxPasses int64, o unsafe.Pointer,
	alphas, y *float64, out unsafe.Pointer) status {
	return with("scene", h, func(s *scene.Scene) error {
		err := sceneOf(s, moved, x1, count, o, func(c *sceneCall) error {
			so := step.SizesOptions{Share: share, KeepRatio: keepRatio, MaxPasses: int(min(maxPasses, 1<<31-1))}
			return c.sizes(&so, groups, alphas, y, (*step.SizesReport)(out))
		})
		return orStayIn(err, s, moved, x1, count, alphas, y)
	})
}

func (c *sceneCall) sizes(so *step.SizesOptions, groups *int32, alphas, y *float64, out *step.SizesReport) (err error) {
	n := uintptr(len(c.moved))
	if groups != nil {
		if so.Groups, err = view("groups", groups, "count", n, 1); err != nil {
			return err
		}
	}
	alpha, err := view("alphas", alphas, "count", n, 1)
	if err != nil {
		return err
	}
	to, err := view("y", y, "count", n, 3)
	switch {
	case err != nil:
		return err
	case partlyOverlap(to, c.x1):
		return fail(C.CCD_E_ARGUMENT, "y overlaps x1: it must be x1 or have no memory in common with it")
	case overlap(alpha, c.x1):
		return fail(C.CCD_E_ARGUMENT, "alphas overlaps x1: it must have memory of its own")
	case overlap(alpha, to):
		return fail(C.CCD_E_ARGUMENT, "alphas overlaps y: it must have memory of its own")
	}
	report, err := c.scene.Sizes(c.moved, c.x1, alpha, to, so, &c.options)
	if err == nil && out != nil {
		*out = report
	}
	return err
}

// orStayIn writes where the vertices are to x, and 0 to alphas (which may be nil), if a call failed, unless the arrays are not what the call needs.
func orStayIn(err error, s *scene.Scene, moved *int32, x1 *float64, count uintptr, alphas, x *float64) error {
	if err == nil || x == nil {
		return err
	}
	list, from, bad := movedTo(s, moved, "x1", x1, count)
	if bad != nil {
		return err
	}
	to := unsafe.Slice(x, 3*len(list))
	if partlyOverlap(to, from) {
		return err
	}
	if alphas != nil {
		alpha := unsafe.Slice(alphas, len(list))
		if overlap(alpha, to) || overlap(alpha, from) {
			return err
		}
		clear(alpha)
	}
	s.PositionsOf(list, to)
	return err
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
