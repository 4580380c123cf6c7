package main

// #include "internal.h"
import "C"

import (
	"fmt"
	"sync"
	"unsafe"

	"ccd/core/rigid"
)

// rigidScene holds the unchecked arguments that the calls on a scene share.
type rigidScene struct {
	bodies  *uintptr
	motions unsafe.Pointer
	count   uintptr
	groups  *int32
	skip    unsafe.Pointer
	nSkip   uintptr
	options unsafe.Pointer
	still   bool // the call reads no motions
}

// rigidScenes is a pool of scenes, so that later calls reuse their memory.
var rigidScenes = sync.Pool{New: func() any { return new(rigid.Scene) }}

// on runs a call on the scene.
func (raw *rigidScene) on(call func(*rigid.Scene, *rigid.Options) error) (s status) {
	defer recovered(&s)
	scene := rigidScenes.Get().(*rigid.Scene)
	err := raw.call(scene, call)
	scene.Release()
	rigidScenes.Put(scene) // After a panic the scene may be inconsistent, and is not put back.
	return statusOf(err)
}

func (raw *rigidScene) call(scene *rigid.Scene, call func(*rigid.Scene, *rigid.Options) error) error {
	if err := raw.read(scene); err != nil {
		return err
	}
	var set settings
	if err := set.read(rigidSceneCalls, raw.options); err != nil {
		return err
	}
	options := set.rigid()
	scene.CallOptions, scene.Separations = set.call, set.separations
	if err := call(scene, &options); err != nil {
		return err
	}
	set.writeStats()
	return nil
}

// moving resolves bodies; their motions are borrowed for the call.
func (raw *rigidScene) moving() (bodies []*rigid.Body, motions []rigid.Motion, err error) {
	handles, err := view("bodies", raw.bodies, "count", raw.count, 1)
	if err != nil {
		return nil, nil, err
	}
	bodies = make([]*rigid.Body, len(handles))
	for i, h := range handles {
		if bodies[i], err = resolve[*rigid.Body](fmt.Sprintf("bodies[%d]", i), h); err != nil {
			return nil, nil, err
		}
	}
	if raw.still {
		return bodies, nil, nil
	}
	motions, err = view("motions", (*rigid.Motion)(raw.motions), "count", raw.count, 1)
	return bodies, motions, err
}

// read fills the scene; groups and pairs are borrowed for the call.
func (raw *rigidScene) read(scene *rigid.Scene) (err error) {
	if scene.Bodies, scene.Motions, err = raw.moving(); err != nil {
		return err
	}
	if raw.groups != nil {
		if scene.Groups, err = view("groups", raw.groups, "count", raw.count, 1); err != nil {
			return err
		}
	}
	scene.Skip, err = view("skip", (*[2]int32)(raw.skip), "n_skip", raw.nSkip, 1)
	return err
}

//export go_rigid_scene_earliest
func go_rigid_scene_earliest(bodies *uintptr, motions unsafe.Pointer, count uintptr, groups *int32, skip unsafe.Pointer,
	nSkip uintptr, o, out unsafe.Pointer) status {
	raw := rigidScene{bodies, motions, count, groups, skip, nSkip, o, false}
	return raw.on(func(s *rigid.Scene, o *rigid.Options) error {
		return answer("out", out, func() (rigid.SceneImpact, error) { return s.Earliest(o) })
	})
}

//export go_rigid_scene_collisions
func go_rigid_scene_collisions(bodies *uintptr, motions unsafe.Pointer, count uintptr, groups *int32,
	skip unsafe.Pointer,
	nSkip uintptr, o unsafe.Pointer, out *uintptr) status {
	raw := rigidScene{bodies, motions, count, groups, skip, nSkip, o, false}
	return raw.on(func(s *rigid.Scene, o *rigid.Options) error {
		return listed(out, func() ([]rigid.SceneImpact, error) { return s.Collisions(o) })
	})
}
