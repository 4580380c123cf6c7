package main

// #include "internal.h"
import "C"

import (
	"unsafe"

	"ccd/core/mesh"
	"ccd/core/neighbors"
	"ccd/core/proximity"
)

//export go_neighbors_create
func go_neighbors_create(h uintptr, x *float64, n uintptr, reach float64, o unsafe.Pointer, out *uintptr) status {
	return onMesh(h, x, n, o, func(m *mesh.Mesh, x []float64, o *proximity.Options) error {
		return created(out, func() (*neighbors.List, error) { return neighbors.New(m, x, reach, o) })
	})
}

//export go_neighbors_near
func go_neighbors_near(h uintptr, x *float64, n uintptr, d float64, o unsafe.Pointer, out *uintptr) status {
	return with("neighbors", h, func(l *neighbors.List) error {
		return onConfiguration(l.Mesh(), x, n, o, func(x []float64, o *proximity.Options) error {
			return created(out, func() (*nearPairs, error) { return asNearPairs(l.Near(x, d, o)) })
		})
	})
}

//export go_neighbors_state
func go_neighbors_state(h uintptr, out unsafe.Pointer) status {
	return with("neighbors", h, func(l *neighbors.List) error {
		return answer("out", out, func() (neighbors.Report, error) { return l.Report(), nil })
	})
}
