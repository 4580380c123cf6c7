package main

// #include "internal.h"
import "C"

import (
	"fmt"
	"sync"
	"unsafe"

	"ccd/core/rigid"
)

// rigidContacts are those of a handle. They have the layout of ccd_rigid_contact: a mismatch does not compile.
type rigidContacts []rigid.SceneImpact

var (
	_ [unsafe.Sizeof(rigid.SceneImpact{}) - C.sizeof_ccd_rigid_contact]byte
	_ [C.sizeof_ccd_rigid_contact - unsafe.Sizeof(rigid.SceneImpact{})]byte
	_ [unsafe.Offsetof(rigid.SceneImpact{}.Impact) - unsafe.Offsetof(C.ccd_rigid_contact{}.impact)]byte
	_ [unsafe.Offsetof(C.ccd_rigid_contact{}.impact) - unsafe.Offsetof(rigid.SceneImpact{}.Impact)]byte
)

// rigidScene is what the calls on a scene have in common, as they come.
type rigidScene struct {
	bodies  *uintptr
	motions unsafe.Pointer
	count   uintptr
	groups  *int32
	skip    unsafe.Pointer
	nSkip   uintptr
	rigid   unsafe.Pointer
	options unsafe.Pointer
}

// rigidScenes are kept between calls with their memory.
var rigidScenes = sync.Pool{New: func() any { return new(rigid.Scene) }}

// on makes a call on the scene.
func (raw *rigidScene) on(call func(*rigid.Scene, *rigid.Options) error) (s status) {
	defer recovered(&s)
	scene := rigidScenes.Get().(*rigid.Scene)
	err := raw.ask(scene, call)
	scene.Release()
	rigidScenes.Put(scene) // not after a panic
	return statusOf(err)
}

func (raw *rigidScene) ask(scene *rigid.Scene, call func(*rigid.Scene, *rigid.Options) error) error {
	if err := raw.read(scene); err != nil {
		return err
	}
	options, common, err := raw.settings()
	if err != nil {
		return err
	}
	scene.CallOptions = common.call
	if err := call(scene, &options); err != nil {
		return err
	}
	common.writeStats()
	return nil
}

// settings are both structs of options.
func (raw *rigidScene) settings() (options rigid.Options, common *settings, err error) {
	common = new(settings) // it holds the statistics that the call fills
	if options, err = rigidOptions(raw.rigid); err == nil {
		err = common.read(raw.options)
	}
	return options, common, err
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
	nSkip uintptr, o, common, out unsafe.Pointer) status {
	raw := rigidScene{bodies, motions, count, groups, skip, nSkip, o, common}
	return raw.on(func(s *rigid.Scene, o *rigid.Options) error {
		if out == nil {
			return null("out")
		}
		first, err := s.Earliest(o)
		if err == nil {
			*(*rigid.SceneImpact)(out) = first
		}
		return err
	})
}

//export go_rigid_scene_contacts
func go_rigid_scene_contacts(bodies *uintptr, motions unsafe.Pointer, count uintptr, groups *int32, skip unsafe.Pointer,
	nSkip uintptr, o, common unsafe.Pointer, out *uintptr) status {
	raw := rigidScene{bodies, motions, count, groups, skip, nSkip, o, common}
	return raw.on(func(s *rigid.Scene, o *rigid.Options) error {
		return listed[rigidContacts](out, func() ([]rigid.SceneImpact, error) { return s.Collisions(o) })
	})
}

//export go_rigid_contacts_count
func go_rigid_contacts_count(h uintptr, count *uintptr) status {
	return with("contacts", h, func(list rigidContacts) error {
		put(count, len(list))
		return nil
	})
}

//export go_rigid_contacts_copy
func go_rigid_contacts_copy(h uintptr, dst unsafe.Pointer, room uintptr, count *uintptr) status {
	return with("contacts", h, func(list rigidContacts) error {
		return copyOut((*rigid.SceneImpact)(dst), room, count, list, same)
	})
}

//export go_rigid_contacts_destroy
func go_rigid_contacts_destroy(h uintptr) (s status) {
	defer recovered(&s)
	return statusOf(destroy[rigidContacts]("contacts", h))
}
