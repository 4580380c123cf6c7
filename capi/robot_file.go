package main

// #include "internal.h"
import "C"

import (
	"strings"
	"unsafe"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/robot"
	"ccd/core/urdf"
)

// robotVariable is ccd_robot_variable.
type robotVariable struct {
	lower, upper      float64
	turning, reserved int32
}

//export go_robot_file_read
func go_robot_file_read(path, srdf, packages *C.char, segments int32, flags uint32, out *uintptr) status {
	return guard(func() error {
		if path == nil {
			return null("urdf")
		}
		o := urdf.Options{Segments: int(segments), TestAdjacent: flags&C.CCD_ROBOT_TEST_ADJACENT != 0,
			Mobile: flags&C.CCD_ROBOT_MOBILE != 0}
		if segments == 0 {
			o.Segments = 32
		}
		if rest := flags &^ (C.CCD_ROBOT_TEST_ADJACENT | C.CCD_ROBOT_MOBILE); rest != 0 {
			return fail(C.CCD_E_ARGUMENT, "flags has the unknown bits %#x", rest)
		}
		if srdf != nil {
			if o.SRDF = C.GoString(srdf); o.SRDF == "" {
				return fail(C.CCD_E_ARGUMENT, "srdf is empty: must be NULL or a path")
			}
		}
		if packages != nil {
			takePackages(&o, C.GoString(packages))
		}
		return created(out, func() (*urdf.Robot, error) { return urdf.Read(C.GoString(path), o) })
	})
}

// takePackages reads lines that are FOLDER or NAME=FOLDER.
func takePackages(o *urdf.Options, lines string) {
	for line := range strings.Lines(lines) {
		line = strings.TrimSuffix(line, "\n")
		name, folder, named := strings.Cut(line, "=")
		switch {
		case line == "":
		case named && !strings.ContainsAny(name, `/\`):
			if o.Packages == nil {
				o.Packages = map[string]string{}
			}
			o.Packages[name] = folder
		default:
			o.Folders = append(o.Folders, line)
		}
	}
}

//export go_robot_file_counts
func go_robot_file_counts(h uintptr, links, variables, shapes, vertices, edges, faces, pairs *uintptr) status {
	return with("file", h, func(r *urdf.Robot) error {
		var n [4]int
		for i := range r.Bodies {
			for k := range r.Bodies[i].Shapes {
				s := &r.Bodies[i].Shapes[k]
				for at, more := range []int{1, len(s.Vertices), len(s.Edges), len(s.Faces)} {
					n[at] += more
				}
			}
		}
		for i, to := range []*uintptr{shapes, vertices, edges, faces} {
			put(to, n[i])
		}
		put(links, len(r.Links))
		put(variables, len(r.Variables))
		put(pairs, len(r.Pairs))
		return nil
	})
}

//export go_robot_file_copy
func go_robot_file_copy(h uintptr, joints, variables, shapes unsafe.Pointer, vertices, radii *float64,
	edges, faces, pairs *int32) status {
	return with("file", h, func(r *urdf.Robot) error {
		given := make([]robotJoint, len(r.Joints))
		for i := range given {
			given[i] = jointOf(&r.Joints[i])
		}
		values := make([]robotVariable, len(r.Variables))
		for i, v := range r.Variables {
			values[i] = robotVariable{lower: v.Lower, upper: v.Upper}
			if v.Turning {
				values[i].turning = 1
			}
		}
		var list []robotShape
		var a robotArrays
		for i := range r.Bodies {
			for k := range r.Bodies[i].Shapes {
				s := &r.Bodies[i].Shapes[k]
				list = append(list, robotShape{int32(i), int32(r.Bodies[i].Link), int64(len(s.Vertices)),
					int64(len(s.Edges)), int64(len(s.Faces))})
				a.add(s)
			}
		}
		tested := make([][2]int32, len(r.Pairs))
		for i, p := range r.Pairs {
			tested[i] = [2]int32{int32(p[0]), int32(p[1])}
		}
		fill((*robotJoint)(joints), given)
		fill((*robotVariable)(variables), values)
		fill((*robotShape)(shapes), list)
		fill((*r3.Vec)(unsafe.Pointer(vertices)), a.vertices)
		fill(radii, a.radii)
		fill((*[2]int32)(unsafe.Pointer(edges)), a.edges)
		fill((*[3]int32)(unsafe.Pointer(faces)), a.faces)
		fill((*[2]int32)(unsafe.Pointer(pairs)), tested)
		return nil
	})
}

// add adds a shape after the others.
func (a *robotArrays) add(s *robot.Shape) {
	a.vertices = append(a.vertices, s.Vertices...)
	a.edges = append(a.edges, s.Edges...)
	a.faces = append(a.faces, s.Faces...)
	if s.Radii == nil {
		a.radii = append(a.radii, make([]float64, len(s.Vertices))...)
	}
	a.radii = append(a.radii, s.Radii...)
}

// jointOf is robotJoint.joint turned round.
func jointOf(j *robot.Joint) robotJoint {
	return robotJoint{kind: int32(j.Kind), parent: int32(j.Parent), child: int32(j.Child), variable: int32(j.Variable),
		factor: j.Factor, offset: j.Offset, rotation: j.Rotation, position: j.Position, axis: j.Axis, off: j.Error}
}

//export go_robot_file_name
func go_robot_file_name(h uintptr, of int32, index uintptr, text unsafe.Pointer, room uintptr, length *uintptr) status {
	return with("file", h, func(r *urdf.Robot) error {
		count, name := 0, func(i uintptr) string { return r.Variables[i].Name }
		switch of {
		case C.CCD_ROBOT_LINK:
			count, name = len(r.Links), func(i uintptr) string { return r.Links[i] }
		case C.CCD_ROBOT_JOINT:
			count, name = len(r.Names), func(i uintptr) string { return r.Names[i] }
		case C.CCD_ROBOT_VARIABLE:
			count = len(r.Variables)
		default:
			return fail(C.CCD_E_ARGUMENT, "of is %d: must be CCD_ROBOT_LINK, _JOINT or _VARIABLE", of)
		}
		if index >= uintptr(count) {
			return fail(C.CCD_E_INDEX, "index is %d: there are %d", index, count)
		}
		if text == nil && room > 0 {
			return null("text")
		}
		copyText(text, room, length, name(index))
		return nil
	})
}
