package main

// #include "internal.h"
import "C"

import (
	"sync"
	"unsafe"

	"ccd/core/mesh"
	"ccd/core/rigid"
)

// rigidMeshContacts are those of a handle. They have the layout of ccd_rigid_mesh_contact: a mismatch does not compile.
type rigidMeshContacts []rigid.MeshImpact

var (
	_ [unsafe.Sizeof(rigid.MeshImpact{}) - C.sizeof_ccd_rigid_mesh_contact]byte
	_ [C.sizeof_ccd_rigid_mesh_contact - unsafe.Sizeof(rigid.MeshImpact{})]byte
	_ [unsafe.Offsetof(rigid.MeshImpact{}.Shape) - unsafe.Offsetof(C.ccd_rigid_mesh_contact{}.element)]byte
	_ [unsafe.Offsetof(rigid.MeshImpact{}.Impact) - unsafe.Offsetof(C.ccd_rigid_mesh_contact{}.impact)]byte
	_ [unsafe.Offsetof(C.ccd_rigid_mesh_contact{}.impact) - unsafe.Offsetof(rigid.MeshImpact{}.Impact)]byte
)

// meshScenes are kept between calls with their memory, and with the tree over the mesh that each saw last.
var meshScenes = sync.Pool{New: func() any { return new(rigid.MeshScene) }}

// onMesh makes a call on bodies over a mesh. The mesh is borrowed as in onStep.
func (raw *rigidScene) onMesh(h uintptr, x0, x1 *float64, n uintptr,
	call func(s *rigid.MeshScene, a, b []float64, o *rigid.Options) error) status {
	return with("mesh", h, func(m *mesh.Mesh) error {
		a, b, err := frames(m, x0, x1, n)
		if err != nil {
			return err
		}
		scene := meshScenes.Get().(*rigid.MeshScene)
		scene.Mesh = m
		err = raw.askMesh(scene, func(o *rigid.Options) error { return call(scene, a, b, o) })
		scene.Release()
		meshScenes.Put(scene) // not after a panic
		return err
	})
}

func (raw *rigidScene) askMesh(scene *rigid.MeshScene, call func(*rigid.Options) error) (err error) {
	if scene.Bodies, scene.Motions, err = raw.moving(); err != nil {
		return err
	}
	options, common, err := raw.settings()
	if err != nil {
		return err
	}
	scene.CallOptions = common.call
	if err := call(&options); err != nil {
		return err
	}
	common.writeStats()
	return nil
}

//export go_rigid_mesh_earliest
func go_rigid_mesh_earliest(bodies *uintptr, motions unsafe.Pointer, count uintptr, mesh uintptr, x0, x1 *float64, n uintptr,
	o, common, out unsafe.Pointer) status {
	raw := rigidScene{bodies: bodies, motions: motions, count: count, rigid: o, options: common}
	return raw.onMesh(mesh, x0, x1, n, func(s *rigid.MeshScene, a, b []float64, o *rigid.Options) error {
		if out == nil {
			return null("out")
		}
		first, err := s.Earliest(a, b, o)
		if err == nil {
			*(*rigid.MeshImpact)(out) = first
		}
		return err
	})
}

//export go_rigid_mesh_collisions
func go_rigid_mesh_collisions(bodies *uintptr, motions unsafe.Pointer, count uintptr, mesh uintptr, x0, x1 *float64, n uintptr,
	o, common unsafe.Pointer, out *uintptr) status {
	raw := rigidScene{bodies: bodies, motions: motions, count: count, rigid: o, options: common}
	return raw.onMesh(mesh, x0, x1, n, func(s *rigid.MeshScene, a, b []float64, o *rigid.Options) error {
		return listed[rigidMeshContacts](out, func() ([]rigid.MeshImpact, error) { return s.Collisions(a, b, o) })
	})
}

//export go_rigid_mesh_contacts_count
func go_rigid_mesh_contacts_count(h uintptr, count *uintptr) status {
	return with("contacts", h, func(list rigidMeshContacts) error {
		put(count, len(list))
		return nil
	})
}

//export go_rigid_mesh_contacts_copy
func go_rigid_mesh_contacts_copy(h uintptr, dst unsafe.Pointer, room uintptr, count *uintptr) status {
	return with("contacts", h, func(list rigidMeshContacts) error {
		return copyOut((*rigid.MeshImpact)(dst), room, count, list, same)
	})
}

//export go_rigid_mesh_contacts_destroy
func go_rigid_mesh_contacts_destroy(h uintptr) (s status) {
	defer recovered(&s)
	return statusOf(destroy[rigidMeshContacts]("contacts", h))
}
