package main

// #include "internal.h"
import "C"

import (
	"math"
	"slices"
	"unsafe"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/linkage"
	"ccd/core/robot"
)

// robotLoop is ccd_robot_loop.
type robotLoop struct {
	a, b, rows, reserved int32
	pointA, pointB       r3.Vec
	across               [3]r3.Vec
}

//export go_robot_closed_create
func go_robot_closed_create(nVariables uintptr, joints unsafe.Pointer, nJoints uintptr, loops unsafe.Pointer,
	nLoops uintptr, follow *int32, start *float64, nFollow uintptr, control *float64, degree int32, count uintptr,
	tolerance float64, out *uintptr) status {
	return guard(func() error {
		return created(out, func() (*linkage.Closed, error) {
			if nVariables > C.INT32_MAX {
				return nil, fail(C.CCD_E_ARGUMENT, "n_variables is %d: at most %d", nVariables, C.INT32_MAX)
			}
			given, err := view("joints", (*robotJoint)(joints), "n_joints", nJoints, 1)
			if err != nil {
				return nil, err
			}
			closing, err := view("loops", (*robotLoop)(loops), "n_loops", nLoops, 1)
			if err != nil {
				return nil, err
			}
			c := linkage.Chain{Links: len(given) + 1, Variables: int(nVariables)}
			for i := range given {
				c.Joints = append(c.Joints, given[i].joint())
			}
			for i := range closing {
				l := &closing[i]
				if l.rows < 1 || l.rows > 3 {
					return nil, fail(C.CCD_E_ARGUMENT, "loops[%d].rows is %d: must be 1 to 3", i, l.rows)
				}
				c.Loops = append(c.Loops, linkage.Loop{A: int(l.a), B: int(l.b), PointA: l.pointA, PointB: l.pointB,
					Across: slices.Clone(l.across[:l.rows])})
			}
			variables, err := view("follow", follow, "n_follow", nFollow, 1)
			if err != nil {
				return nil, err
			}
			for _, v := range variables {
				c.Follow = append(c.Follow, int(v))
			}
			near, err := view("start", start, "n_follow", nFollow, 1)
			if err != nil {
				return nil, err
			}
			for i, v := range near {
				if !(math.Abs(v) <= robot.MaxMagnitude) {
					return nil, fail(C.CCD_E_NONFINITE, "start[%d] is %v: not finite or above 1e60 in magnitude", i, v)
				}
			}
			if degree < 0 || degree > robot.HighestDegree {
				return nil, fail(C.CCD_E_ARGUMENT, "degree is %d: must be in [0, %d]", degree, robot.HighestDegree)
			}
			per := c.Variables * int(degree+1)
			if count == 0 || per > 0 && count > C.CCD_MAX_ITEMS/uintptr(per) {
				return nil, fail(C.CCD_E_ARGUMENT, "count is %d: must be at least 1, and fit into memory", count)
			}
			rows, err := view("control", control, "count", count, per)
			if err != nil {
				return nil, err
			}
			if err := finiteRows("control", rows, max(1, c.Variables)); err != nil {
				return nil, err
			}
			closed, err := c.Close(rows, int(degree), near, tolerance)
			return closed, invalid(err)
		})
	})
}

//export go_robot_closed_counts
func go_robot_closed_counts(h uintptr, pieces, drives *uintptr) status {
	return with("closed", h, func(c *linkage.Closed) error {
		put(pieces, len(c.Pieces))
		put(drives, len(c.Drives))
		return nil
	})
}

//export go_robot_closed_copy
func go_robot_closed_copy(h uintptr, control *float64, edges *int64, ends, errors *float64, drives *int32) status {
	return with("closed", h, func(c *linkage.Closed) error {
		var of []int64
		var parts []float64
		for _, p := range c.Pieces {
			of, parts = append(of, int64(p.Edge)), append(parts, p.S0, p.S1)
		}
		fill(control, c.Control)
		fill(edges, of)
		fill(ends, parts)
		fill(errors, c.Errors)
		var variables []int32
		for _, v := range c.Drives {
			variables = append(variables, int32(v))
		}
		fill(drives, variables)
		return nil
	})
}
