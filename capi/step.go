package main

// #include "internal.h"
import "C"

import (
	"math"
	"unsafe"

	"ccd/core/broad"
	"ccd/core/constraint"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/motion"
	"ccd/core/neighbors"
	"ccd/core/scene"
	"ccd/core/step"
)

// stepValue is the object of a ccd_step: what moves, and where the pairs come from. It holds the
// objects, and has the addresses of the caller's arrays.
//
// The addresses stay numbers between calls: an array may be freed before the step is destroyed, and
// the garbage collector must not follow an address that is no longer the array's.
type stepValue struct {
	mesh   *mesh.Mesh        // nil for a scene
	paths  *motion.Motion    // nil for a straight step
	known  *broad.Candidates // nil, or the candidates that are the pairs
	list   *neighbors.List   // nil, or the neighbor list that has the pairs
	scene  *scene.Scene      // nil, or the scene that has the vertices
	x0, x1 address           // arrays of positions; 0 where there is none
	moved  address           // the moved vertices of a scene
	n      uintptr           // vertices whose positions the caller gives
	groups *[2]step.Group    // nil, or the groups between which the pairs are
}

// address is that of an array of the caller's.
type address uintptr

func addressOf[T any](p *T) address { return address(unsafe.Pointer(p)) }

// numbersAt returns the pointer to an array of doubles.
func numbersAt(a *address) *float64 { return *(**float64)(unsafe.Pointer(a)) }

// indicesAt returns the pointer to an array of indices.
func indicesAt(a *address) *int32 { return *(**int32)(unsafe.Pointer(a)) }

// Hold holds the candidates, whose memory is reused.
func (v *stepValue) Hold() {
	if v.known != nil {
		v.known.Hold()
	}
}

// Release ends a Hold.
func (v *stepValue) Release() {
	if v.known != nil {
		v.known.Release()
	}
}

// straightStep returns the step of a mesh from x0 to x1, or an error for another number of
// vertices.
func straightStep(m *mesh.Mesh, x0, x1 *float64, n uintptr) (*stepValue, error) {
	if n != uintptr(m.NV) {
		return nil, fail(C.CCD_E_ARGUMENT, "n is %d: x0 and x1 have one row per vertex, and the mesh has %d", n, m.NV)
	}
	return &stepValue{mesh: m, x0: addressOf(x0), x1: addressOf(x1), n: n}, nil
}

// curvedStep returns the step of a mesh on the paths of a motion.
func curvedStep(m *mesh.Mesh, moves uintptr) (*stepValue, error) {
	paths, err := resolve[*motion.Motion]("motion", moves)
	if err != nil {
		return nil, err
	}
	if paths.Vertices() != m.NV {
		return nil, fail(C.CCD_E_ARGUMENT, "motion has %d vertices: the mesh has %d", paths.Vertices(), m.NV)
	}
	return &stepValue{mesh: m, paths: paths, n: uintptr(m.NV)}, nil
}

// domain describes the options of calls on the step that concern near pairs.
func (v *stepValue) domain() *domain {
	switch {
	case v.scene != nil:
		return &sceneCalls
	case v.paths != nil:
		return &motionStepCalls
	}
	return &stepCalls
}

// partDomain is domain for calls that may concern the pairs of a region.
func (v *stepValue) partDomain() *domain {
	d := v.domain()
	if v.scene != nil || v.list != nil || v.known != nil {
		return d
	}
	return d.withRegions()
}

// pairDomain is domain for calls on given pairs, which have no start to check.
func (v *stepValue) pairDomain() *domain {
	if v.scene != nil {
		return &sceneCalls // The core returns an error that says why it has no such calls.
	}
	d := *v.domain()
	d.calls, d.flags = "calls on given pairs", stepFlags
	return &d
}

// stepCall is a call on a step: the settings, read, and the step of the core.
type stepCall struct {
	*step.Step
	of      *stepValue
	mesh    *mesh.Mesh
	x0, x1  []float64 // positions of a straight step; a scene has x1 alone
	moved   []int32   // the moved vertices of a scene
	options step.Options
}

// call reads the options of a call of a domain and the arrays of the step, and runs a call on them.
func (v *stepValue) call(d *domain, o unsafe.Pointer, run func(c *stepCall) error) error {
	var s settings
	if err := s.read(d, o); err != nil {
		return err
	}
	checks := s.raw.flags&C.CCD_CHECK_START != 0
	c := stepCall{of: v, mesh: v.mesh}
	c.options = step.Options{Options: s.narrow, CallOptions: s.call, CheckStart: checks, Region: s.region}
	done, err := s.begin(d, &c, o)
	if err != nil {
		return err
	}
	defer done()
	if v.groups != nil {
		if c.Step, err = c.Between(v.groups[0], v.groups[1]); err != nil {
			return invalid(err)
		}
	}
	if err := run(&c); err != nil {
		return invalid(err)
	}
	s.writeStats()
	return nil
}

// begin finds the arrays of a step and opens its device. done is to be called when the call ends.
func (s *settings) begin(d *domain, c *stepCall, o unsafe.Pointer) (done func(), err error) {
	v, nothing := c.of, func() {}
	switch {
	case v.scene != nil:
		if c.moved, c.x1, err = v.rows(); err != nil {
			return nothing, err
		}
		c.Step = v.scene.Step(c.moved, c.x1)
		if !d.devices {
			return nothing, nil
		}
		return s.device(&c.options)
	case v.paths != nil && v.known != nil:
		c.Step = step.CurvedAmong(v.known, v.paths)
		return nothing, nil
	case v.paths != nil:
		c.Step = step.Curved(v.mesh, v.paths)
		return nothing, nil
	}
	if s.raw.deviceX0 != 0 || s.raw.deviceX1 != 0 {
		done, err = s.beginOnDevice(c, numbersAt(&v.x0), numbersAt(&v.x1), v.n, (*C.ccd_options)(o))
	} else if c.x0, c.x1, err = vertices(v.mesh, numbersAt(&v.x0), numbersAt(&v.x1), v.n); err != nil || !d.devices {
		done = nothing
	} else {
		done, err = s.device(&c.options)
	}
	switch {
	case err != nil:
	case v.list != nil:
		c.Step = v.list.Step(c.x0, c.x1)
	case v.known != nil:
		c.Step = step.Among(v.known, c.x0, c.x1)
	default:
		c.Step = step.Straight(v.mesh, c.x0, c.x1)
	}
	return done, err
}

// rows returns the vertices of a scene that move, and where they go.
func (v *stepValue) rows() (moved []int32, x1 []float64, err error) {
	return movedTo(v.scene, indicesAt(&v.moved), "x1", numbersAt(&v.x1), v.n)
}

// onStep runs a call on the step of a handle.
func onStep(h uintptr, call func(v *stepValue) error) status { return with("step", h, call) }

func (v *stepValue) earliest(o, out unsafe.Pointer) error {
	return v.call(v.partDomain(), o, func(c *stepCall) error {
		return answer("out", out, func() (geom.Impact, error) { return c.Earliest(&c.options) })
	})
}

func (v *stepValue) collisions(o unsafe.Pointer, out *uintptr) error {
	return v.call(v.partDomain(), o, func(c *stepCall) error {
		return listed(out, func() ([]geom.Impact, error) { return c.Collisions(&c.options) })
	})
}

func (v *stepValue) size(o unsafe.Pointer, alpha *float64) error {
	return v.call(v.partDomain(), o, func(c *stepCall) error {
		return answer("alpha", unsafe.Pointer(alpha), func() (float64, error) { return c.Size(&c.options) })
	})
}

//export go_step_run_earliest
func go_step_run_earliest(h uintptr, o, out unsafe.Pointer) status {
	return onStep(h, func(v *stepValue) error { return v.earliest(o, out) })
}

//export go_step_run_collisions
func go_step_run_collisions(h uintptr, o unsafe.Pointer, out *uintptr) status {
	return onStep(h, func(v *stepValue) error { return v.collisions(o, out) })
}

//export go_step_run_first_impacts
func go_step_run_first_impacts(h, count uintptr, o unsafe.Pointer, out *uintptr) status {
	return onStep(h, func(v *stepValue) error {
		return v.call(v.partDomain(), o, func(c *stepCall) error {
			if count == 0 {
				return fail(C.CCD_E_ARGUMENT, "count is 0: must be at least 1")
			}
			most := int(min(count, math.MaxInt))
			return listed(out, func() ([]geom.Impact, error) { return c.FirstImpacts(most, &c.options) })
		})
	})
}

//export go_step_run_size
func go_step_run_size(h uintptr, o unsafe.Pointer, alpha *float64) status {
	return onStep(h, func(v *stepValue) error { return v.size(o, alpha) })
}

//export go_step_run_visit
func go_step_run_visit(h uintptr, o unsafe.Pointer, visit, user uintptr) status {
	return onStep(h, func(v *stepValue) error {
		return v.call(v.partDomain(), o, func(c *stepCall) error {
			if visit == 0 { // The function pointer is NULL.
				return null("visit")
			}
			return c.Visit(&c.options, func(portion []geom.Impact) bool {
				first, count := unsafe.Pointer(&portion[0]), C.size_t(len(portion))
				return C.ccd_visit_call(C.uintptr_t(visit), first, count, C.uintptr_t(user)) != 0
			})
		})
	})
}

//export go_step_run_activeset
func go_step_run_activeset(h uintptr, o unsafe.Pointer, out *uintptr) status {
	return onStep(h, func(v *stepValue) error {
		return v.call(v.domain(), o, func(c *stepCall) error {
			return listed(out, func() ([]constraint.Constraint, error) { return c.ActiveSet(&c.options) })
		})
	})
}

//export go_step_run_linesearch
func go_step_run_linesearch(h uintptr, keepRatio float64, o, out unsafe.Pointer) status {
	return onStep(h, func(v *stepValue) error {
		return v.call(v.domain(), o, func(c *stepCall) error {
			return answer("out", out, func() (step.Bound, error) { return c.LineSearch(keepRatio, &c.options) })
		})
	})
}
