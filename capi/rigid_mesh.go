package main

// #include "internal.h"
import "C"

import (
	"sync"
	"unsafe"

	"ccd/core/mesh"
	"ccd/core/rigid"
)

// meshScenes is a pool of scenes. Each keeps its buffers and the tree over its last mesh, so that a
// repeated call is cheaper.
var meshScenes = sync.Pool{New: func() any { return new(rigid.MeshScene) }}

// onMesh runs call on a scene of the bodies and the mesh, and on the mesh's vertices at both ends
// of the step.
func (raw *rigidScene) onMesh(h uintptr, x0, x1 *float64, n uintptr,
	call func(s *rigid.MeshScene, a, b []float64, o *rigid.Options) error) status {
	return with("mesh", h, func(m *mesh.Mesh) error {
		a, b, err := vertices(m, x0, x1, n)
		if err != nil {
			return err
		}
		scene := meshScenes.Get().(*rigid.MeshScene)
		scene.Mesh = m
		err = raw.callMesh(scene, func(o *rigid.Options) error { return call(scene, a, b, o) })
		scene.Release()
		meshScenes.Put(scene) // After a panic the scene may be inconsistent, and is not put back.
		return err
	})
}

// callMesh reads the bodies and the options into the scene and runs call.
func (raw *rigidScene) callMesh(scene *rigid.MeshScene, call func(*rigid.Options) error) (err error) {
	if scene.Bodies, scene.Motions, err = raw.moving(); err != nil {
		return err
	}
	var set settings
	if err := set.read(&rigidCalls, raw.options); err != nil {
		return err
	}
	options := set.rigid()
	scene.CallOptions = set.call
	if err := call(&options); err != nil {
		return err
	}
	set.writeStats()
	return nil
}

//export go_rigid_mesh_earliest
func go_rigid_mesh_earliest(bodies *uintptr, motions unsafe.Pointer, count uintptr, mesh uintptr,
	x0, x1 *float64, n uintptr, o, out unsafe.Pointer) status {
	raw := rigidScene{bodies: bodies, motions: motions, count: count, options: o}
	return raw.onMesh(mesh, x0, x1, n, func(s *rigid.MeshScene, a, b []float64, o *rigid.Options) error {
		return answer("out", out, func() (rigid.MeshImpact, error) { return s.Earliest(a, b, o) })
	})
}

//export go_rigid_mesh_collisions
func go_rigid_mesh_collisions(bodies *uintptr, motions unsafe.Pointer, count uintptr, mesh uintptr,
	x0, x1 *float64, n uintptr, o unsafe.Pointer, out *uintptr) status {
	raw := rigidScene{bodies: bodies, motions: motions, count: count, options: o}
	return raw.onMesh(mesh, x0, x1, n, func(s *rigid.MeshScene, a, b []float64, o *rigid.Options) error {
		return listed(out, func() ([]rigid.MeshImpact, error) { return s.Collisions(a, b, o) })
	})
}
