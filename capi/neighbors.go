package main

// #include "internal.h"
import "C"

import (
	"unsafe"

	"ccd/core/mesh"
	"ccd/core/neighbors"
	"ccd/core/proximity"
	"ccd/core/step"
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

// onNeighbors checks the arguments of a call on a step through a list and runs call on them, with the pairs of the list where it has them.
func onNeighbors(l *neighbors.List, x0, x1 *float64, n uintptr, o unsafe.Pointer, call func(*stepCall) error) error {
	return stepOf(l.Mesh(), x0, x1, n, o, func(c *stepCall) error {
		own := c.options
		return l.Step(c.x0, c.x1, &own, func(o *step.Options) error {
			c.options = *o
			return call(c)
		})
	})
}

//export go_neighbors_earliest
func go_neighbors_earliest(h uintptr, x0, x1 *float64, n uintptr, o, out unsafe.Pointer) status {
	return with("neighbors", h, func(l *neighbors.List) error {
		return onNeighbors(l, x0, x1, n, o, func(c *stepCall) error { return c.earliest(out) })
	})
}

//export go_neighbors_collisions
func go_neighbors_collisions(h uintptr, x0, x1 *float64, n uintptr, o unsafe.Pointer, out *uintptr) status {
	return with("neighbors", h, func(l *neighbors.List) error {
		return onNeighbors(l, x0, x1, n, o, func(c *stepCall) error { return c.collisions(out) })
	})
}

//export go_neighbors_size
func go_neighbors_size(h uintptr, x0, x1 *float64, n uintptr, o unsafe.Pointer, alpha *float64) status {
	return with("neighbors", h, func(l *neighbors.List) error {
		return onNeighbors(l, x0, x1, n, o, func(c *stepCall) error { return c.size(alpha) })
	})
}

//export go_neighbors_advance
func go_neighbors_advance(h uintptr, x0, x1 *float64, n uintptr, share float64, o unsafe.Pointer, alpha, x *float64) status {
	return with("neighbors", h, func(l *neighbors.List) error {
		err := onNeighbors(l, x0, x1, n, o, func(c *stepCall) error { return c.advance(share, alpha, x) })
		return orStay(err, l.Mesh(), x0, n, x)
	})
}

//export go_neighbors_state
func go_neighbors_state(h uintptr, out unsafe.Pointer) status {
	return with("neighbors", h, func(l *neighbors.List) error {
		return answer("out", out, func() (neighbors.Report, error) { return l.Report(), nil })
	})
}
