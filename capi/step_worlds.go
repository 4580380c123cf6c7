package main

// #include "internal.h"
import "C"

import (
	"unsafe"

	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/step"
)

// worlds is a call on the positions of several worlds of one mesh.
type worlds struct {
	mesh    *mesh.Mesh
	x0, x1  []float64
	out     []geom.Impact
	options step.Options
}

// onWorlds reads the arguments of a call on count worlds of m and runs call on them. mustList says
// that the caller needs the array of impacts, which otherwise may be NULL.
func onWorlds(m *mesh.Mesh, x0, x1 *float64, n, count uintptr, o, out unsafe.Pointer, mustList bool,
	call func(w *worlds) error) error {
	var s settings
	if err := s.read(&worldCalls, o); err != nil {
		return err
	}
	if n != uintptr(m.NV) {
		return fail(C.CCD_E_ARGUMENT, "n is %d: x0 and x1 have one row per vertex, and the mesh has %d", n, m.NV)
	}
	if most := mostWorlds(n); count > most {
		return fail(C.CCD_E_ARGUMENT, "count is %d: positions of that many worlds fit into no memory", count)
	}
	w := worlds{mesh: m}
	var err error
	if out != nil || mustList {
		if w.out, err = view("out", (*geom.Impact)(out), "count", count, 1); err != nil {
			return err
		}
	}
	if w.x0, err = view("x0", x0, "count x n", count*n, 3); err != nil {
		return err
	}
	if w.x1, err = view("x1", x1, "count x n", count*n, 3); err != nil {
		return err
	}
	checks := s.raw.flags&C.CCD_CHECK_START != 0
	w.options = step.Options{Options: s.narrow, CallOptions: s.call, CheckStart: checks, Region: s.region}
	done, err := s.device(&w.options)
	if err != nil {
		return err
	}
	defer done()
	if err := call(&w); err != nil {
		return invalid(err)
	}
	s.writeStats()
	return nil
}

// mostWorlds is a number of worlds of n vertices above which no memory holds their positions.
func mostWorlds(n uintptr) uintptr { return C.CCD_MAX_ITEMS / max(1, n) }

//export go_step_earliest_batch
func go_step_earliest_batch(h uintptr, x0, x1 *float64, n, count uintptr, o, out unsafe.Pointer) status {
	return with("mesh", h, func(m *mesh.Mesh) error {
		return onWorlds(m, x0, x1, n, count, o, out, true, func(w *worlds) error {
			return step.EarliestBatch(m, w.x0, w.x1, w.out, &w.options)
		})
	})
}

//export go_step_advance_batch
func go_step_advance_batch(h uintptr, x0, x1 *float64, n, count uintptr, share float64, o unsafe.Pointer,
	alphas, x *float64, out unsafe.Pointer) status {
	return with("mesh", h, func(m *mesh.Mesh) error {
		err := onWorlds(m, x0, x1, n, count, o, out, false, func(w *worlds) error {
			alpha, err := view("alphas", alphas, "count", count, 1)
			if err != nil {
				return err
			}
			to, err := view("x", x, "count x n", count*n, 3)
			if err != nil {
				return err
			}
			if err := apart("x", to, w.x0, w.x1); err != nil {
				return err
			}
			for i, other := range [][]float64{w.x0, w.x1, to} {
				if overlap(alpha, other) {
					name := [...]string{"x0", "x1", "x"}[i]
					return fail(C.CCD_E_ARGUMENT, "alphas overlaps %s: it must have memory of its own", name)
				}
			}
			return step.AdvanceBatch(m, w.x0, w.x1, share, alpha, to, w.out, &w.options)
		})
		if err != nil && n == uintptr(m.NV) && count <= mostWorlds(n) {
			stayAt(x0, x1, x, 3*count*n)
		}
		return err
	})
}

// apart returns an error where an array of positions for results overlaps the ends of a step in
// part.
func apart(name string, out, x0, x1 []float64) error {
	for i, in := range [][]float64{x0, x1} {
		if in != nil && partlyOverlap(out, in) {
			return fail(C.CCD_E_ARGUMENT, "%s overlaps x%d: it must be x0 or x1 or have no memory in common with them",
				name, i)
		}
	}
	return nil
}

// stayAt makes x the positions at the start after an error, unless one of the arrays is missing, or
// x overlaps another in part. They have count numbers.
func stayAt(x0, x1, x *float64, count uintptr) {
	if x0 == nil || x == nil {
		return
	}
	from, to := unsafe.Slice(x0, count), unsafe.Slice(x, count)
	if partlyOverlap(to, from) || x1 != nil && partlyOverlap(to, unsafe.Slice(x1, count)) {
		return
	}
	copy(to, from)
}

//export go_step_respond
func go_step_respond(h uintptr, x0, x1 *float64, n uintptr, inverseMass *float64, friction, keep float64,
	maxRounds int64, o unsafe.Pointer, x *float64, out unsafe.Pointer) status {
	return with("mesh", h, func(m *mesh.Mesh) error {
		v, err := straightStep(m, x0, x1, n)
		if err != nil {
			return err
		}
		err = v.call(&respondCalls, o, func(c *stepCall) error {
			to, err := c.positions("x", x, n)
			if err != nil {
				return err
			}
			ro := step.RespondOptions{Friction: friction, Keep: keep, MaxRounds: int(min(maxRounds, 1<<31-1))}
			if inverseMass != nil {
				if ro.InverseMass, err = view("inverse_mass", inverseMass, "n", n, 1); err != nil {
					return err
				}
				if overlap(to, ro.InverseMass) {
					return fail(C.CCD_E_ARGUMENT, "x overlaps inverse_mass: it must have memory of its own")
				}
			}
			r, err := step.Respond(m, c.x0, c.x1, to, &ro, &c.options)
			if err == nil && out != nil {
				*(*step.Response)(out) = r
			}
			return err
		})
		if err != nil {
			stayAt(x0, x1, x, 3*n)
		}
		return err
	})
}
