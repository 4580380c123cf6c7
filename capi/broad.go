package main

// #include "internal.h"
import "C"

import (
	"unsafe"

	"ccd/core/broad"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/narrow"
)

//export go_broad_candidates
func go_broad_candidates(h uintptr, x0, x1 *float64, n uintptr, o unsafe.Pointer, out *uintptr) status {
	return with("mesh", h, func(m *mesh.Mesh) error {
		var s settings
		if err := s.read(&broadCalls, o); err != nil {
			return err
		}
		return created(out, func() (*broad.Candidates, error) {
			a, b, err := vertices(m, x0, x1, n)
			if err != nil {
				return nil, err
			}
			return candidates(m, a, b, &s)
		})
	})
}

func candidates(m *mesh.Mesh, x0, x1 []float64, s *settings) (*broad.Candidates, error) {
	if s.region != nil && s.raw.device == C.CCD_DEVICE_GPU {
		return nil, fail(C.CCD_E_UNSUPPORTED, "options.device is CCD_DEVICE_GPU: the CPU finds the pairs of a region")
	}
	bruteForce, device := s.narrow.Flags&narrow.BruteForce != 0, s.finder
	if bruteForce || s.region != nil {
		device = s.noFinder
	}
	remote, only, done, err := device()
	if err != nil {
		return nil, err
	}
	defer done()
	c, err := broad.Find(m, x0, x1, bruteForce, broad.Options{
		MinSeparation: s.narrow.MinSeparation,
		Region:        s.region,
		Remote:        remote,
		Threads:       s.call.Workers(),
		Progress:      s.call.Progress,
		MemoryLimit:   s.call.MemoryLimit,
		Stats:         s.call.Stats,
	})
	if err != nil {
		return nil, err
	}
	if lost := remote.Err(); only && lost != nil {
		c.Release()
		return nil, fail(C.CCD_E_UNSUPPORTED, "options.device is CCD_DEVICE_GPU: %v", lost)
	}
	s.writeStats()
	return c, nil
}

// vertices returns the caller's positions of a mesh's vertices at both ends of a step.
func vertices(m *mesh.Mesh, x0, x1 *float64, n uintptr) (a, b []float64, err error) {
	if n != uintptr(m.NV) {
		return nil, nil, fail(C.CCD_E_ARGUMENT, "n is %d: x0 and x1 have one row per vertex, and the mesh has %d", n,
			m.NV)
	}
	if a, err = view("x0", x0, "n", n, 3); err != nil {
		return nil, nil, err
	}
	b, err = view("x1", x1, "n", n, 3)
	return a, b, err
}

//export go_candidates_count
func go_candidates_count(h uintptr, vertexFace, edgeEdge *uintptr) status {
	return with("candidates", h, func(c *broad.Candidates) error {
		put(vertexFace, c.Count(geom.VertexFace))
		put(edgeEdge, c.Count(geom.EdgeEdge))
		return nil
	})
}

//export go_candidates_count_kind
func go_candidates_count_kind(h uintptr, kind int32, count *uintptr) status {
	return with("candidates", h, func(c *broad.Candidates) error {
		if kind == 0 {
			put(count, c.Len())
			return nil
		}
		k, err := kindOf(kind)
		if err != nil {
			return err
		}
		put(count, c.Count(k))
		return nil
	})
}

//export go_candidates_copy
func go_candidates_copy(h uintptr, kind int32, pairs unsafe.Pointer, room uintptr, count *uintptr) status {
	return with("candidates", h, func(c *broad.Candidates) error {
		k, err := kindOf(kind)
		if err != nil {
			return err
		}
		return fillOut((*[2]int64)(pairs), room, count, c.Count(k), func(out [][2]int64) { c.Copy(k, out) })
	})
}
