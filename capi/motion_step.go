package main

// #include "internal.h"
import "C"

import (
	"unsafe"

	"ccd/core/broad"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/motion"
	"ccd/core/narrow"
	"ccd/core/step"
)

// onMotion checks the arguments that the calls on a mesh and a motion share, and runs call on them.
func onMotion(h, moves uintptr, o unsafe.Pointer, call func(m *mesh.Mesh, mo *motion.Motion, o *step.Options) error) status {
	return with("mesh", h, func(m *mesh.Mesh) error { return motionOn(m, moves, o, call) })
}

// onMotionPairs is onMotion for a call that may concern the pairs of a region.
func onMotionPairs(h, moves uintptr, o unsafe.Pointer, call func(m *mesh.Mesh, mo *motion.Motion, o *step.Options) error) status {
	return with("mesh", h, func(m *mesh.Mesh) error { return motionBy(motionRegionCalls, m, moves, o, call) })
}

// motionOn is onMotion for a mesh whose handle is resolved.
func motionOn(m *mesh.Mesh, moves uintptr, o unsafe.Pointer, call func(m *mesh.Mesh, mo *motion.Motion, o *step.Options) error) error {
	return motionBy(&motionStepCalls, m, moves, o, call)
}

// motionBy is motionOn for a call of a domain.
func motionBy(d *domain, m *mesh.Mesh, moves uintptr, o unsafe.Pointer, call func(m *mesh.Mesh, mo *motion.Motion, o *step.Options) error) error {
	mo, err := resolve[*motion.Motion]("motion", moves)
	if err != nil {
		return err
	}
	var s settings
	if err := s.read(d, o); err != nil {
		return err
	}
	options := step.Options{Options: s.narrow, CallOptions: s.call, CheckStart: s.raw.flags&C.CCD_CHECK_START != 0, Region: s.region}
	if err := call(m, mo, &options); err != nil {
		return invalid(err)
	}
	s.writeStats()
	return nil
}

// onMotionAmong is onMotion for known candidates, on their mesh.
func onMotionAmong(h, moves uintptr, o unsafe.Pointer, call func(m *mesh.Mesh, mo *motion.Motion, o *step.Options) error) status {
	return with("candidates", h, func(known *broad.Candidates) error {
		return motionOn(known.Mesh(), moves, o, func(m *mesh.Mesh, mo *motion.Motion, o *step.Options) error {
			o.Candidates = known
			return call(m, mo, o)
		})
	})
}

//export go_motion_earliest
func go_motion_earliest(h, moves uintptr, o, out unsafe.Pointer) status {
	return onMotionPairs(h, moves, o, func(m *mesh.Mesh, mo *motion.Motion, o *step.Options) error {
		return answer("out", out, func() (geom.Impact, error) { return step.EarliestOf(m, mo, o) })
	})
}

//export go_motion_collisions
func go_motion_collisions(h, moves uintptr, o unsafe.Pointer, out *uintptr) status {
	return onMotionPairs(h, moves, o, func(m *mesh.Mesh, mo *motion.Motion, o *step.Options) error {
		return listed(out, func() ([]geom.Impact, error) { return step.CollisionsOf(m, mo, o) })
	})
}

//export go_motion_size
func go_motion_size(h, moves uintptr, o unsafe.Pointer, alpha *float64) status {
	return onMotionPairs(h, moves, o, func(m *mesh.Mesh, mo *motion.Motion, o *step.Options) error {
		return answer("alpha", unsafe.Pointer(alpha), func() (float64, error) { return step.SizeOf(m, mo, o) })
	})
}

//export go_motion_linesearch
func go_motion_linesearch(h, moves uintptr, keepRatio float64, o, out unsafe.Pointer) status {
	return onMotion(h, moves, o, func(m *mesh.Mesh, mo *motion.Motion, o *step.Options) error {
		return answer("out", out, func() (step.Bound, error) { return step.LineSearchOf(m, mo, keepRatio, o) })
	})
}

//export go_motion_visit
func go_motion_visit(h, moves uintptr, o unsafe.Pointer, visit, user uintptr) status {
	return onMotionPairs(h, moves, o, func(m *mesh.Mesh, mo *motion.Motion, o *step.Options) error {
		if visit == 0 { // a NULL function pointer
			return null("visit")
		}
		return step.VisitOf(m, mo, o, visitor(visit, user))
	})
}

//export go_motion_mesh_pairs
func go_motion_mesh_pairs(h, moves uintptr, kind int32, pairs unsafe.Pointer, count uintptr, o, out unsafe.Pointer) status {
	return onMotion(h, moves, o, func(m *mesh.Mesh, mo *motion.Motion, o *step.Options) error {
		if o.CheckStart {
			return motionPairCalls.check(&rawOptions{flags: C.CCD_CHECK_START})
		}
		k, err := kindOf(kind)
		if err != nil {
			return err
		}
		given, err := view("pairs", (*[2]int64)(pairs), "count", count, 1)
		if err != nil {
			return err
		}
		answers, err := view("out", (*geom.Impact)(out), "count", count, 1)
		if err != nil {
			return err
		}
		list, err := step.PairsOf(m, mo, k, given, o)
		copy(answers, list)
		return err
	})
}

//export go_motion_candidates
func go_motion_candidates(h, moves uintptr, o unsafe.Pointer, out *uintptr) status {
	return onMotionPairs(h, moves, o, func(m *mesh.Mesh, mo *motion.Motion, o *step.Options) error {
		return created(out, func() (*broad.Candidates, error) {
			return step.CandidatesOf(m, mo, o.Flags&narrow.BruteForce != 0, broad.Options{
				MinSeparation: o.MinSeparation, Threads: o.Workers(), Progress: o.Progress, MemoryLimit: o.MemoryLimit, Stats: o.Stats, Region: o.Region,
			})
		})
	})
}

//export go_candidates_motion_earliest
func go_candidates_motion_earliest(h, moves uintptr, o, out unsafe.Pointer) status {
	return onMotionAmong(h, moves, o, func(m *mesh.Mesh, mo *motion.Motion, o *step.Options) error {
		return answer("out", out, func() (geom.Impact, error) { return step.EarliestOf(m, mo, o) })
	})
}

//export go_candidates_motion_collisions
func go_candidates_motion_collisions(h, moves uintptr, o unsafe.Pointer, out *uintptr) status {
	return onMotionAmong(h, moves, o, func(m *mesh.Mesh, mo *motion.Motion, o *step.Options) error {
		return listed(out, func() ([]geom.Impact, error) { return step.CollisionsOf(m, mo, o) })
	})
}

//export go_candidates_motion_size
func go_candidates_motion_size(h, moves uintptr, o unsafe.Pointer, alpha *float64) status {
	return onMotionAmong(h, moves, o, func(m *mesh.Mesh, mo *motion.Motion, o *step.Options) error {
		return answer("alpha", unsafe.Pointer(alpha), func() (float64, error) { return step.SizeOf(m, mo, o) })
	})
}

//export go_motion_advance
func go_motion_advance(h, moves uintptr, share float64, o unsafe.Pointer, alpha, x *float64, n uintptr) status {
	return toStart(moves, x, n, onMotion(h, moves, o, func(m *mesh.Mesh, mo *motion.Motion, o *step.Options) error {
		if n != uintptr(m.NV) {
			return fail(C.CCD_E_ARGUMENT, "n is %d: the mesh has %d vertices", n, m.NV)
		}
		if alpha == nil {
			return null("alpha")
		}
		out, err := view("x", x, "n", n, 3)
		if err != nil {
			return err
		}
		*alpha, err = step.AdvanceOf(m, mo, out, share, o)
		return err
	}))
}

// toStart makes x the positions at the start if a call failed, unless the motion or the array is not what the call needs.
func toStart(moves uintptr, x *float64, n uintptr, was status) status {
	if was == C.CCD_OK || x == nil {
		return was
	}
	if mo, err := resolve[*motion.Motion]("motion", moves); err == nil && n == uintptr(mo.Vertices()) {
		copy(unsafe.Slice(x, 3*mo.Vertices()), mo.Control())
	}
	return was
}

//export go_motion_cut
func go_motion_cut(moves uintptr, ends *float64, n uintptr, out *uintptr) status {
	return with("motion", moves, func(mo *motion.Motion) error {
		return created(out, func() (*motion.Motion, error) {
			if n != uintptr(mo.Vertices()) {
				return nil, fail(C.CCD_E_ARGUMENT, "n is %d: the motion has %d vertices", n, mo.Vertices())
			}
			e, err := view("ends", ends, "n", n, 1)
			if err != nil {
				return nil, err
			}
			for i, t := range e {
				if !(t >= 0 && t <= 1) {
					return nil, fail(C.CCD_E_ARGUMENT, "ends[%d] is %v: must be in [0, 1]", i, t)
				}
			}
			if mo.Pieces() > 1 {
				return nil, fail(C.CCD_E_UNSUPPORTED, "motion has %d pieces: paths that end at different times need one", mo.Pieces())
			}
			return mo.Cut(e), nil
		})
	})
}

//export go_motion_sizes
func go_motion_sizes(h, moves uintptr, groups *int32, share, keepRatio float64, maxPasses int64, o unsafe.Pointer, alphas, y *float64, n uintptr,
	out unsafe.Pointer) status {
	was := onMotion(h, moves, o, func(m *mesh.Mesh, mo *motion.Motion, o *step.Options) error {
		if n != uintptr(m.NV) {
			return fail(C.CCD_E_ARGUMENT, "n is %d: the mesh has %d vertices", n, m.NV)
		}
		so := step.SizesOptions{Share: share, KeepRatio: keepRatio, MaxPasses: int(min(maxPasses, 1<<31-1))}
		var err error
		if so.Groups, err = perVertex(m, "groups", groups, n); err != nil {
			return err
		}
		alpha, err := view("alphas", alphas, "n", n, 1)
		if err != nil {
			return err
		}
		positions, err := view("y", y, "n", n, 3)
		if err != nil {
			return err
		}
		if overlap(alpha, positions) {
			return fail(C.CCD_E_ARGUMENT, "alphas overlaps y: it must have memory of its own")
		}
		report, err := step.SizesOf(m, mo, alpha, positions, &so, o)
		if err == nil && out != nil {
			*(*step.SizesReport)(out) = report
		}
		return err
	})
	if was != C.CCD_OK && alphas != nil && y != nil && n <= C.CCD_MAX_ITEMS && !overlap(unsafe.Slice(alphas, n), unsafe.Slice(y, 3*n)) {
		toStart(moves, y, n, was)
		if mo, err := resolve[*motion.Motion]("motion", moves); err == nil && n == uintptr(mo.Vertices()) {
			clear(unsafe.Slice(alphas, n))
		}
	}
	return was
}
