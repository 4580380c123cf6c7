package main

// #include "internal.h"
import "C"

import (
	"unsafe"

	"ccd/core/mesh"
	"ccd/core/narrow"
	"ccd/core/proximity"
)

// intersections and nearPairs are those of a handle. They have the layouts of ccd_intersection and ccd_near_pair: a mismatch
// with the header does not compile.
type (
	intersections []proximity.Intersection
	nearPairs     []proximity.NearPair
)

var (
	_ [unsafe.Sizeof(proximity.Intersection{}) - C.sizeof_ccd_intersection]byte
	_ [C.sizeof_ccd_intersection - unsafe.Sizeof(proximity.Intersection{})]byte
	_ [unsafe.Sizeof(proximity.NearPair{}) - C.sizeof_ccd_near_pair]byte
	_ [C.sizeof_ccd_near_pair - unsafe.Sizeof(proximity.NearPair{})]byte
	_ [unsafe.Offsetof(proximity.NearPair{}.PointA) - unsafe.Offsetof(C.ccd_near_pair{}.point_a)]byte
	_ [unsafe.Offsetof(C.ccd_near_pair{}.point_a) - unsafe.Offsetof(proximity.NearPair{}.PointA)]byte
)

// onFrame checks the arguments that the calls on one frame have in common and makes one.
func onFrame(h uintptr, x *float64, n uintptr, o unsafe.Pointer,
	call func(m *mesh.Mesh, x []float64, o *proximity.Options) error) status {
	return with("mesh", h, func(m *mesh.Mesh) error {
		var s settings
		if err := s.read(o); err != nil {
			return err
		}
		if n != uintptr(m.NV) {
			return fail(C.CCD_E_ARGUMENT, "n is %d: the mesh has %d vertices", n, m.NV)
		}
		frame, err := view("x", x, "n", n, 3)
		if err != nil {
			return err
		}
		options := proximity.Options{CallOptions: s.call, BruteForce: s.narrow.Flags&narrow.BruteForce != 0}
		if err := call(m, frame, &options); err != nil {
			return invalid(err)
		}
		s.writeStats()
		return nil
	})
}

//export go_proximity_intersections
func go_proximity_intersections(h uintptr, x *float64, n uintptr, o unsafe.Pointer, out *uintptr) status {
	return onFrame(h, x, n, o, func(m *mesh.Mesh, x []float64, o *proximity.Options) error {
		return listed[intersections](out, func() ([]proximity.Intersection, error) { return proximity.Intersections(m, x, o) })
	})
}

//export go_proximity_intersects
func go_proximity_intersects(h uintptr, x *float64, n uintptr, o unsafe.Pointer, out *int32) status {
	return onFrame(h, x, n, o, func(m *mesh.Mesh, x []float64, o *proximity.Options) error {
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
	return onFrame(h, x, n, o, func(m *mesh.Mesh, x []float64, o *proximity.Options) error {
		return listed[nearPairs](out, func() ([]proximity.NearPair, error) { return proximity.Near(m, x, d, o) })
	})
}

//export go_proximity_distance
func go_proximity_distance(h uintptr, x *float64, n uintptr, o, out unsafe.Pointer) status {
	return onFrame(h, x, n, o, func(m *mesh.Mesh, x []float64, o *proximity.Options) error {
		nearest := (*proximity.NearPair)(out)
		if nearest == nil {
			return null("out")
		}
		pair, err := proximity.Distance(m, x, o)
		if err == nil {
			*nearest = pair
		}
		return err
	})
}

//export go_intersections_count
func go_intersections_count(h uintptr, count *uintptr) status {
	return with("intersections", h, func(list intersections) error {
		put(count, len(list))
		return nil
	})
}

//export go_intersections_copy
func go_intersections_copy(h uintptr, dst unsafe.Pointer, room uintptr, count *uintptr) status {
	return with("intersections", h, func(list intersections) error {
		return copyOut((*proximity.Intersection)(dst), room, count, list, same)
	})
}

//export go_intersections_destroy
func go_intersections_destroy(h uintptr) (s status) {
	defer recovered(&s)
	return statusOf(destroy[intersections]("intersections", h))
}

//export go_near_pairs_count
func go_near_pairs_count(h uintptr, count *uintptr) status {
	return with("near_pairs", h, func(list nearPairs) error {
		put(count, len(list))
		return nil
	})
}

//export go_near_pairs_copy
func go_near_pairs_copy(h uintptr, dst unsafe.Pointer, room uintptr, count *uintptr) status {
	return with("near_pairs", h, func(list nearPairs) error {
		return copyOut((*proximity.NearPair)(dst), room, count, list, same)
	})
}

//export go_near_pairs_destroy
func go_near_pairs_destroy(h uintptr) (s status) {
	defer recovered(&s)
	return statusOf(destroy[nearPairs]("near_pairs", h))
}
