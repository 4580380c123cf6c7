package main

// #include "internal.h"
import "C"

import (
	"fmt"
	"math"
	"strings"
	"sync"
	"unsafe"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/rigid"
	"ccd/core/rigid/poses"
)

// atMotion puts the index of a query of several into an error about its motion.
func atMotion(err error, i, count int) error {
	text := err.Error()
	for _, side := range []string{"ma", "mb"} {
		if rest, ok := strings.CutPrefix(text, side+":"); ok && count > 1 {
			return fail(statusOfKind(err), "%s[%d]:%s", side, i, rest)
		}
	}
	return err
}

// solvers is a pool, so that later calls reuse the memory.
var solvers = sync.Pool{New: func() any { return new(rigid.Solver) }}

//export go_rigid_body_create
func go_rigid_body_create(vertices *float64, nVertices uintptr, faces *int32, nFaces uintptr, out *uintptr) status {
	return guard(func() error {
		return created(out, func() (*rigid.Body, error) {
			v, err := view("vertices", vertices, "n_vertices", nVertices, 3)
			if err != nil {
				return nil, err
			}
			f, err := view("faces", (*[3]int32)(unsafe.Pointer(faces)), "n_faces", nFaces, 1)
			if err != nil {
				return nil, err
			}
			return rigid.NewBody(v, f, new(engine.CallOptions).Workers())
		})
	})
}

//export go_rigid_earliest_batch
func go_rigid_earliest_batch(a uintptr, ma unsafe.Pointer, b uintptr, mb unsafe.Pointer, count uintptr,
	o, out unsafe.Pointer) status {
	return with("a", a, func(ba *rigid.Body) error {
		bb, err := resolve[*rigid.Body]("b", b)
		if err != nil {
			return err
		}
		var set settings
		if err := set.read(&rigidCalls, o); err != nil {
			return err
		}
		options := set.rigid()
		motionsA, err := view("ma", (*rigid.Motion)(ma), "count", count, 1)
		if err != nil {
			return err
		}
		motionsB, err := view("mb", (*rigid.Motion)(mb), "count", count, 1)
		if err != nil {
			return err
		}
		answers, err := view("out", (*rigid.Impact)(out), "count", count, 1)
		if err != nil {
			return err
		}
		solver := solvers.Get().(*rigid.Solver)
		defer solvers.Put(solver)
		for i := range answers {
			x, y := motionsA[i], motionsB[i]
			var im rigid.Impact
			if err := solver.Earliest(ba, bb, &x, &y, &options, &im); err != nil {
				return atMotion(err, i, len(answers))
			}
			answers[i] = im
		}
		return nil
	})
}

//export go_rigid_motion_pose
func go_rigid_motion_pose(motion unsafe.Pointer, t float64, rotation, position *float64) status {
	return guard(func() error {
		if motion == nil {
			return null("motion")
		}
		m := *(*rigid.Motion)(motion)
		if !(math.Abs(t) <= rigid.MaxMagnitude) {
			return fail(C.CCD_E_NONFINITE, "t is %v: not finite or above 1e60", t)
		}
		if err := m.Check(t, t); err != nil {
			return err
		}
		p := m.At(t)
		fill(rotation, []float64{p.Rotation.Real, p.Rotation.Imag, p.Rotation.Jmag, p.Rotation.Kmag})
		fill(position, []float64{p.Position.X, p.Position.Y, p.Position.Z})
		return nil
	})
}

// finiteNumbers returns the n numbers of an argument, which must be finite.
func finiteNumbers(name string, p *float64, n int) ([]float64, error) {
	if p == nil {
		return nil, null(name)
	}
	x := unsafe.Slice(p, n)
	for i, v := range x {
		if !(math.Abs(v) <= rigid.MaxMagnitude) {
			return nil, fail(C.CCD_E_NONFINITE, "%s[%d] is %g: not finite or above %g in magnitude",
				name, i, v, rigid.MaxMagnitude)
		}
	}
	return x, nil
}

// poseOf makes a pose of the caller's numbers. suffix follows the names of the arguments in errors.
func poseOf(suffix string, rotation, position *float64) (p geom.Pose, err error) {
	q, err := finiteNumbers("rotation"+suffix, rotation, 4)
	if err != nil {
		return p, err
	}
	x, err := finiteNumbers("position"+suffix, position, 3)
	if err != nil {
		return p, err
	}
	return geom.Pose{Rotation: quat.Number{Real: q[0], Imag: q[1], Jmag: q[2], Kmag: q[3]}, Position: geom.VecOf(x)},
		nil
}

// vectorOf makes a vector of the caller's three numbers.
func vectorOf(name string, p *float64) (r3.Vec, error) {
	x, err := finiteNumbers(name, p, 3)
	if err != nil {
		return r3.Vec{}, err
	}
	return geom.VecOf(x), nil
}

//export go_rigid_motion_between
func go_rigid_motion_between(rotation0, position0, rotation1, position1 *float64, duration float64, pivot *float64,
	out unsafe.Pointer) status {
	return guard(func() error {
		from, err := poseOf("0", rotation0, position0)
		if err != nil {
			return err
		}
		to, err := poseOf("1", rotation1, position1)
		if err != nil {
			return err
		}
		var about r3.Vec
		if pivot != nil {
			if about, err = vectorOf("pivot", pivot); err != nil {
				return err
			}
		}
		if math.IsNaN(duration) || math.IsInf(duration, 0) {
			return fail(C.CCD_E_NONFINITE, "duration is %v: not finite", duration)
		}
		return answer("out", out, func() (rigid.Motion, error) { return poses.Between(from, to, duration, about) })
	})
}

//export go_rigid_motion_screw
func go_rigid_motion_screw(rotation, position, axisPoint, angularVelocity *float64, speed float64,
	out unsafe.Pointer) status {
	return guard(func() error {
		pose, err := poseOf("", rotation, position)
		if err != nil {
			return err
		}
		on, err := vectorOf("axis_point", axisPoint)
		if err != nil {
			return err
		}
		turn, err := vectorOf("angular_velocity", angularVelocity)
		if err != nil {
			return err
		}
		if _, err := finiteNumbers("speed", &speed, 1); err != nil {
			return err
		}
		return answer("out", out, func() (rigid.Motion, error) {
			if err := (&rigid.Motion{Rotation: pose.Rotation, Position: pose.Position}).Check(0, 0); err != nil {
				return rigid.Motion{}, err
			}
			m := poses.Screw(pose, on, turn, speed)
			// Even finite numbers may make a motion that is too fast, or that turns too little.
			if err := m.Check(0, 0); err != nil {
				return m, fmt.Errorf("out would be no motion: %w", err)
			}
			return m, nil
		})
	})
}
