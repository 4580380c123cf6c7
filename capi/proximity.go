package main

// #include "internal.h"
import "C"

import (
	"unsafe"

	"ccd/core/geom"
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
		var stats proximity.Stats
		options := proximity.Options{
			Threads:     s.workers(),
			MemoryLimit: s.memoryLimit,
			BruteForce:  s.narrow.Flags&narrow.BruteForce != 0,
			Progress:    s.report(),
		}
		if s.stats != nil {
			options.Stats = &stats
		}
		if err := call(m, frame, &options); err != nil {
			return invalid(err)
		}
		if s.stats != nil {
			s.tellProximity(&stats)
		}
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

// tellProximity writes the statistics of a call on one frame. Edge-face pairs count with the vertex-face ones.
func (s *settings) tellProximity(from *proximity.Stats) {
	st := C.ccd_stats{
		struct_size:    s.stats.struct_size,
		boxes:          C.int64_t(from.Boxes),
		impacts:        C.int64_t(from.Found),
		seconds_build:  C.double(from.SecondsBuild),
		seconds_broad:  C.double(from.SecondsBroad),
		seconds_narrow: C.double(from.SecondsNarrow),
		seconds_total:  C.double(from.SecondsTotal),
		peak_bytes:     C.int64_t(from.PeakBytes),
		threads:        C.int32_t(from.Threads),
	}
	for _, k := range geom.StepKinds {
		st.candidates[k-1] = C.int64_t(from.Candidates[k-1])
	}
	st.candidates[0] += C.int64_t(from.Candidates[geom.EdgeFace-1])
	*s.stats = st
}
