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
	"ccd/core/reference/d2m"
	"ccd/core/rigid"
)

// Motions and impacts have the layouts of ccd_rigid_motion and ccd_rigid_impact: a mismatch with the header does not compile.
var (
	_ [unsafe.Sizeof(rigid.Motion{}) - C.sizeof_ccd_rigid_motion]byte
	_ [C.sizeof_ccd_rigid_motion - unsafe.Sizeof(rigid.Motion{})]byte
	_ [unsafe.Offsetof(rigid.Motion{}.Pivot) - unsafe.Offsetof(C.ccd_rigid_motion{}.pivot)]byte
	_ [unsafe.Sizeof(rigid.Impact{}) - C.sizeof_ccd_rigid_impact]byte
	_ [C.sizeof_ccd_rigid_impact - unsafe.Sizeof(rigid.Impact{})]byte
	_ [unsafe.Offsetof(rigid.Impact{}.PointA) - unsafe.Offsetof(C.ccd_rigid_impact{}.point_a)]byte
	_ [unsafe.Offsetof(C.ccd_rigid_impact{}.point_a) - unsafe.Offsetof(rigid.Impact{}.PointA)]byte
)

// rawRigidOptions is ccd_rigid_options.
type rawRigidOptions struct {
	structSize            uintptr
	t0, t1                float64
	separation, tolerance float64
	maxSteps              int64
	method                int32
	flags                 uint32
}

const rigidOptionsSize = unsafe.Sizeof(rawRigidOptions{})

var (
	_ [rigidOptionsSize - C.sizeof_ccd_rigid_options]byte
	_ [C.sizeof_ccd_rigid_options - rigidOptionsSize]byte
)

// rigidOptions reads the caller's options, of this version's size or of a newer one that says nothing new.
func rigidOptions(o unsafe.Pointer) (rigid.Options, error) {
	options := rigid.DefaultOptions()
	if o == nil {
		options.MinSeparation = 1e-10 // as ccd_rigid_options_init
		return options, nil
	}
	size := *(*uintptr)(o)
	if size < rigidOptionsSize || size > structMax || size%8 != 0 {
		return options, fail(C.CCD_E_ARGUMENT, "options.struct_size is %d: prepare the options with ccd_rigid_options_init", size)
	}
	for i, b := range unsafe.Slice((*byte)(o), size)[rigidOptionsSize:] {
		if b != 0 {
			return options, fail(C.CCD_E_UNSUPPORTED, "options has a value at byte %d, beyond what this version of the library knows",
				int(rigidOptionsSize)+i)
		}
	}
	raw := (*rawRigidOptions)(o)
	options = rigid.Options{
		TMin: raw.t0, TMax: raw.t1, MinSeparation: raw.separation, Tolerance: raw.tolerance, MaxIterations: raw.maxSteps, Flags: raw.flags,
	}
	switch raw.method {
	case C.CCD_RIGID_DEFAULT:
	case C.CCD_RIGID_D2M:
		options.Search = d2m.Search{}
	case C.CCD_RIGID_CAPOEIRA:
		options.Search = d2m.Search{SpheresOnly: true}
	default:
		return options, fail(C.CCD_E_ARGUMENT, "options.method is %d: from 0 to %d", raw.method, C.CCD_RIGID_CAPOEIRA)
	}
	return options, nil
}

// atMotion puts the index of a query into an error about its motion.
func atMotion(err error, i int) error {
	text := err.Error()
	for _, side := range []string{"motion a", "motion b"} {
		if rest, ok := strings.CutPrefix(text, side); ok {
			return fail(statusOfKind(err), "%s[%d]%s", side, i, rest)
		}
	}
	return err
}

// solvers are kept between calls with their memory.
var solvers = sync.Pool{New: func() any { return new(rigid.Solver) }}

//export go_rigid_body_create
func go_rigid_body_create(vertices *float64, nVertices uintptr, faces *int32, nFaces uintptr, out *uintptr) (s status) {
	defer recovered(&s)
	if out == nil {
		return statusOf(null("out"))
	}
	v, err := view("vertices", vertices, "n_vertices", nVertices, 3)
	if err != nil {
		return statusOf(err)
	}
	f, err := view("faces", (*[3]int32)(unsafe.Pointer(faces)), "n_faces", nFaces, 1)
	if err != nil {
		return statusOf(err)
	}
	b, err := rigid.NewBody(v, f, new(engine.CallOptions).Workers())
	if err != nil {
		return statusOf(err)
	}
	*out = issue(b)
	return C.CCD_OK
}

//export go_rigid_body_destroy
func go_rigid_body_destroy(h uintptr) (s status) {
	defer recovered(&s)
	return statusOf(destroy[*rigid.Body]("body", h))
}

//export go_rigid_batch
func go_rigid_batch(a uintptr, ma unsafe.Pointer, b uintptr, mb unsafe.Pointer, count uintptr, o, out unsafe.Pointer) status {
	return with("a", a, func(ba *rigid.Body) error {
		bb, err := resolve[*rigid.Body]("b", b)
		if err != nil {
			return err
		}
		options, err := rigidOptions(o)
		if err != nil {
			return err
		}
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
				return atMotion(err, i)
			}
			answers[i] = im
		}
		return nil
	})
}

//export go_rigid_pose
func go_rigid_pose(motion unsafe.Pointer, t float64, rotation, position *float64) (s status) {
	defer recovered(&s)
	if motion == nil {
		return statusOf(null("motion"))
	}
	m := *(*rigid.Motion)(motion)
	if !(math.Abs(t) <= rigid.MaxMagnitude) {
		return statusOf(fail(C.CCD_E_NONFINITE, "t is %v: not finite or above 1e60", t))
	}
	if err := m.Check(t, t); err != nil {
		return statusOf(err)
	}
	p := m.At(t)
	fill(rotation, []float64{p.Rotation.Real, p.Rotation.Imag, p.Rotation.Jmag, p.Rotation.Kmag})
	fill(position, []float64{p.Position.X, p.Position.Y, p.Position.Z})
	return C.CCD_OK
}

// finiteNumbers is an argument of so many numbers, all of them finite.
func finiteNumbers(name string, p *float64, n int) ([]float64, error) {
	if p == nil {
		return nil, null(name)
	}
	x := unsafe.Slice(p, n)
	for i, v := range x {
		if !(math.Abs(v) <= rigid.MaxMagnitude) {
			return nil, fail(C.CCD_E_NONFINITE, "%s[%d] is %g: not finite or above %g in magnitude", name, i, v, rigid.MaxMagnitude)
		}
	}
	return x, nil
}

//export go_rigid_between
func go_rigid_between(rotation0, position0, rotation1, position1 *float64, duration float64, pivot *float64, out unsafe.Pointer) (s status) {
	defer recovered(&s)
	var x [4][]float64
	for i, a := range []struct {
		name string
		at   *float64
		n    int
	}{{"rotation0", rotation0, 4}, {"position0", position0, 3}, {"rotation1", rotation1, 4}, {"position1", position1, 3}} {
		var err error
		if x[i], err = finiteNumbers(a.name, a.at, a.n); err != nil {
			return statusOf(err)
		}
	}
	about := []float64{0, 0, 0}
	if pivot != nil {
		var err error
		if about, err = finiteNumbers("pivot", pivot, 3); err != nil {
			return statusOf(err)
		}
	}
	if out == nil {
		return statusOf(null("out"))
	}
	if math.IsNaN(duration) || math.IsInf(duration, 0) {
		return statusOf(fail(C.CCD_E_NONFINITE, "duration is %v: not finite", duration))
	}
	pose := func(q, at []float64) geom.Pose {
		return geom.Pose{Rotation: quat.Number{Real: q[0], Imag: q[1], Jmag: q[2], Kmag: q[3]}, Position: geom.VecOf(at)}
	}
	m, err := rigid.Between(pose(x[0], x[1]), pose(x[2], x[3]), duration, geom.VecOf(about))
	if err == nil {
		*(*rigid.Motion)(out) = m
	}
	return statusOf(err)
}

//export go_rigid_screw
func go_rigid_screw(rotation, position, on, spin *float64, slide float64, out unsafe.Pointer) (s status) {
	defer recovered(&s)
	if out == nil {
		return statusOf(null("out"))
	}
	q, err := finiteNumbers("rotation", rotation, 4)
	if err != nil {
		return statusOf(err)
	}
	var vectors [3]r3.Vec
	for i, p := range []*float64{position, on, spin} {
		numbers, err := finiteNumbers([]string{"position", "on", "spin"}[i], p, 3)
		if err != nil {
			return statusOf(err)
		}
		vectors[i] = geom.VecOf(numbers)
	}
	if _, err := finiteNumbers("slide", &slide, 1); err != nil {
		return statusOf(err)
	}
	pose := geom.Pose{
		Rotation: quat.Number{Real: q[0], Imag: q[1], Jmag: q[2], Kmag: q[3]},
		Position: vectors[0],
	}
	m := rigid.Screw(pose, vectors[1], vectors[2], slide)
	if err := m.Check(0, 0); err != nil { // finite numbers may make a motion that is too fast, or turns too little
		return statusOf(fmt.Errorf("out would be no motion: %w", err))
	}
	*(*rigid.Motion)(out) = m
	return C.CCD_OK
}
