package main

// #include "internal.h"
import "C"

import (
	"sync"
	"unsafe"

	"ccd/core/mesh"
	"ccd/core/penetration"
	"ccd/core/proximity"
	"ccd/core/untangle"
)

// penetrations is a pool, so that later calls reuse the memory.
var penetrations = sync.Pool{New: func() any { return new(penetration.Solver) }}

//export go_rigid_penetration_batch
func go_rigid_penetration_batch(a uintptr, pa unsafe.Pointer, b uintptr, pb unsafe.Pointer, count uintptr,
	o, out unsafe.Pointer) status {
	return atPosesBy(&penetrations, a, pa, b, pb, count, o, (*penetration.Depth)(out), (*penetration.Solver).Depth)
}

//export go_rigid_penetration_gradients
func go_rigid_penetration_gradients(a uintptr, pa unsafe.Pointer, b uintptr, pb unsafe.Pointer, count uintptr,
	o, out unsafe.Pointer) status {
	return atPosesBy(&penetrations, a, pa, b, pb, count, o, (*penetration.Gradient)(out),
		(*penetration.Solver).Gradient)
}

//export go_proximity_crossings
func go_proximity_crossings(h uintptr, x *float64, n uintptr, o unsafe.Pointer, out *uintptr) status {
	return onMesh(h, x, n, o, func(m *mesh.Mesh, x []float64, o *proximity.Options) error {
		return listed(out, func() ([]untangle.Crossing, error) { return untangle.Crossings(m, x, o) })
	})
}

//export go_proximity_untangle
func go_proximity_untangle(h uintptr, x *float64, n uintptr, masses *float64, rounds int32, o unsafe.Pointer,
	y *float64, out unsafe.Pointer) status {
	return onMesh(h, x, n, o, func(m *mesh.Mesh, x []float64, o *proximity.Options) error {
		var weights []float64
		if masses != nil {
			var err error
			if weights, err = view("masses", masses, "n", n, 1); err != nil {
				return err
			}
		}
		positions, err := view("y", y, "n", n, 3)
		if err != nil {
			return err
		}
		return answer("out", out, func() (untangle.Result, error) {
			found := make([]float64, len(positions))
			r, err := untangle.Untangle(m, x, weights, int(rounds), o, found)
			if err == nil {
				copy(positions, found)
			}
			return r, err
		})
	})
}
