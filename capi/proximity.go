package main

// #include "internal.h"
import "C"

import (
	"sync/atomic"
	"unsafe"

	"ccd/core/mesh"
	"ccd/core/narrow"
	"ccd/core/proximity"
)

// onMesh checks the shared arguments of the calls on a mesh at rest and runs call on them.
func onMesh(h uintptr, x *float64, n uintptr, o unsafe.Pointer,
	call func(m *mesh.Mesh, x []float64, o *proximity.Options) error) status {
	return with("mesh", h, func(m *mesh.Mesh) error {
		return onConfiguration(m, x, n, o, func(x []float64, o *proximity.Options) error { return call(m, x, o) })
	})
}

// onConfiguration is onMesh for a mesh whose handle is resolved.
func onConfiguration(m *mesh.Mesh, x *float64, n uintptr, o unsafe.Pointer,
	call func(x []float64, o *proximity.Options) error) error {
	return configurationBy(&proximityCalls, m, x, n, o, call)
}

// configurationBy is onConfiguration for a call of a domain.
func configurationBy(d *domain, m *mesh.Mesh, x *float64, n uintptr, o unsafe.Pointer,
	call func(x []float64, o *proximity.Options) error) error {
	var s settings
	if err := s.read(d, o); err != nil {
		return err
	}
	if n != uintptr(m.NV) {
		return fail(C.CCD_E_ARGUMENT, "n is %d: x has one row per vertex, and the mesh has %d", n, m.NV)
	}
	positions, err := view("x", x, "n", n, 3)
	if err != nil {
		return err
	}
	options := proximity.Options{CallOptions: s.call, BruteForce: s.narrow.Flags&narrow.BruteForce != 0,
		Region: s.region}
	if err := call(positions, &options); err != nil {
		return invalid(err)
	}
	s.writeStats()
	return nil
}

//export go_proximity_intersections
func go_proximity_intersections(h uintptr, x *float64, n uintptr, o unsafe.Pointer, out *uintptr) status {
	return onMesh(h, x, n, o, func(m *mesh.Mesh, x []float64, o *proximity.Options) error {
		return listed(out, func() ([]proximity.Intersection, error) { return proximity.Intersections(m, x, o) })
	})
}

//export go_proximity_intersects
func go_proximity_intersects(h uintptr, x *float64, n uintptr, o unsafe.Pointer, out *int32) status {
	return onMesh(h, x, n, o, func(m *mesh.Mesh, x []float64, o *proximity.Options) error {
		if out == nil {
			return null("out")
		}
		some, err := proximity.Intersects(m, x, o)
		if err == nil && !some {
			*out = 0
		}
		return err
	})
}

//export go_proximity_near
func go_proximity_near(h uintptr, x *float64, n uintptr, d float64, o unsafe.Pointer, out *uintptr) status {
	return with("mesh", h, func(m *mesh.Mesh) error {
		return configurationBy(nearCalls, m, x, n, o, func(x []float64, o *proximity.Options) error {
			return created(out, func() (*nearPairs, error) { return asNearPairs(proximity.Near(m, x, d, o)) })
		})
	})
}

// nearPairs is a list whose memory later calls use, once its handle is destroyed and the last call
// that holds it has returned.
type nearPairs struct {
	list[proximity.NearPair]
	held atomic.Int32 // number of calls that hold it
}

func asNearPairs(l []proximity.NearPair, err error) (*nearPairs, error) {
	return &nearPairs{list: l}, err
}

func (l *nearPairs) Hold() { l.held.Add(1) }

func (l *nearPairs) Release() {
	if l.held.Add(-1) < 0 {
		proximity.Reuse(l.list)
		l.list = nil
	}
}

//export go_proximity_distance
func go_proximity_distance(h uintptr, x *float64, n uintptr, o, out unsafe.Pointer) status {
	return onMesh(h, x, n, o, func(m *mesh.Mesh, x []float64, o *proximity.Options) error {
		return answer("out", out, func() (proximity.NearPair, error) { return proximity.Distance(m, x, o) })
	})
}
