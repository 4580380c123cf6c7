package main

// #include "internal.h"
import "C"

import (
	"fmt"
	"math"
	"slices"
	"unsafe"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
	"ccd/core/rigid"
	"ccd/core/robot"
)

// robotJoint is ccd_robot_joint.
type robotJoint struct {
	kind, parent, child, variable int32
	factor, offset                float64
	rotation                      geom.Mat
	position, axis                r3.Vec
	off                           float64
}

// robotShape is ccd_robot_shape.
type robotShape struct {
	body, link             int32
	vertices, edges, faces int64
}

// robotEdge is ccd_robot_edge.
type robotEdge struct {
	verdict       int32
	flags         uint32
	bodyA, bodyB  int32
	how, reserved int32
	s, sFree      float64
	point, normal r3.Vec
	iterations    int64
}

// robotArrays are the arrays that shapes are cut from.
type robotArrays struct {
	vertices []r3.Vec
	radii    []float64
	edges    [][2]int32
	faces    [][3]int32
}

//export go_robot_create
func go_robot_create(nVariables uintptr, joints unsafe.Pointer, nJoints uintptr, shapes unsafe.Pointer, nShapes uintptr,
	vertices *float64, nVertices uintptr, radii *float64, edges *int32, nEdges uintptr, faces *int32, nFaces uintptr,
	pairs *int32, nPairs uintptr, separations *float64, out *uintptr) status {
	return guard(func() error {
		return created(out, func() (*robot.Robot, error) {
			if nVariables > C.INT32_MAX {
				return nil, fail(C.CCD_E_ARGUMENT, "n_variables is %d: at most %d", nVariables, C.INT32_MAX)
			}
			given, err := view("joints", (*robotJoint)(joints), "n_joints", nJoints, 1)
			if err != nil {
				return nil, err
			}
			raw := robotBodies{(*robotShape)(shapes), nShapes, vertices, nVertices, radii, edges, nEdges, faces, nFaces,
				pairs, nPairs, separations}
			change, err := raw.read(0)
			if err != nil {
				return nil, err
			}
			m := robot.Model{Links: len(given) + 1, Variables: int(nVariables), Bodies: change.Bodies,
				Pairs: change.Pairs, Separations: change.Separations}
			for i := range given {
				m.Joints = append(m.Joints, given[i].joint())
			}
			r, err := robot.New(&m)
			return r, invalid(err)
		})
	})
}

//export go_robot_change
func go_robot_change(h uintptr, shapes unsafe.Pointer, nShapes uintptr, vertices *float64, nVertices uintptr,
	radii *float64, edges *int32, nEdges uintptr, faces *int32, nFaces uintptr, pairs *int32, nPairs uintptr,
	separations *float64, without *int32, nWithout uintptr, out *uintptr) status {
	return with("robot", h, func(r *robot.Robot) error {
		return created(out, func() (*robot.Robot, error) {
			raw := robotBodies{(*robotShape)(shapes), nShapes, vertices, nVertices, radii, edges, nEdges, faces, nFaces,
				pairs, nPairs, separations}
			change, err := raw.read(r.Bodies())
			if err != nil {
				return nil, err
			}
			gone, err := view("without", without, "n_without", nWithout, 1)
			if err != nil {
				return nil, err
			}
			for _, b := range gone {
				change.Without = append(change.Without, int(b))
			}
			changed, err := r.With(&change)
			return changed, invalid(err)
		})
	})
}

// robotBodies is the arguments that give bodies and pairs.
type robotBodies struct {
	shapes      *robotShape
	nShapes     uintptr
	vertices    *float64
	nVertices   uintptr
	radii       *float64
	edges       *int32
	nEdges      uintptr
	faces       *int32
	nFaces      uintptr
	pairs       *int32
	nPairs      uintptr
	separations *float64
}

// read copies bodies, whose numbers begin with `first`, and pairs.
func (b *robotBodies) read(first int) (c robot.Change, err error) {
	list, err := view("shapes", b.shapes, "n_shapes", b.nShapes, 1)
	if err != nil {
		return c, err
	}
	var a robotArrays
	x := (*r3.Vec)(unsafe.Pointer(b.vertices))
	if a.vertices, err = view("vertices", x, "n_vertices", b.nVertices, 1); err != nil {
		return c, err
	}
	if b.radii != nil {
		a.radii = unsafe.Slice(b.radii, b.nVertices)
	}
	if a.edges, err = view("edges", (*[2]int32)(unsafe.Pointer(b.edges)), "n_edges", b.nEdges, 1); err != nil {
		return c, err
	}
	if a.faces, err = view("faces", (*[3]int32)(unsafe.Pointer(b.faces)), "n_faces", b.nFaces, 1); err != nil {
		return c, err
	}
	tested, err := view("pairs", (*[2]int32)(unsafe.Pointer(b.pairs)), "n_pairs", b.nPairs, 1)
	if err != nil {
		return c, err
	}
	if c.Bodies, err = a.bodies(list, first); err != nil {
		return c, err
	}
	for _, p := range tested {
		c.Pairs = append(c.Pairs, [2]int{int(p[0]), int(p[1])})
	}
	if b.separations != nil {
		c.Separations = slices.Clone(unsafe.Slice(b.separations, b.nPairs))
	}
	return c, nil
}

func (j *robotJoint) joint() robot.Joint {
	return robot.Joint{Kind: robot.JointKind(j.kind), Parent: int(j.parent), Child: int(j.child),
		Variable: int(j.variable), Factor: j.factor, Offset: j.offset, Rotation: j.rotation, Position: j.position,
		Axis: j.axis, Error: j.off}
}

// bodies copies the shapes of all bodies, whose numbers begin with `first`.
func (a *robotArrays) bodies(shapes []robotShape, first int) (list []robot.Body, err error) {
	for i := range shapes {
		s := &shapes[i]
		body := int64(s.body) - int64(first)
		switch last := len(list) - 1; {
		case last >= 0 && body == int64(last) && s.link == int32(list[last].Link):
		case last >= 0 && body == int64(last):
			return nil, fail(C.CCD_E_ARGUMENT, "shapes[%d].link is %d: the body's first shape has %d", i, s.link,
				list[last].Link)
		case body == int64(last+1):
			list = append(list, robot.Body{Link: int(s.link)})
		default:
			must := fmt.Sprint(first + last + 1)
			if last >= 0 {
				must = fmt.Sprintf("%d or %d", first+last, first+last+1)
			}
			return nil, fail(C.CCD_E_ARGUMENT, "shapes[%d].body is %d: must be %s, as bodies are numbered in order", i,
				s.body, must)
		}
		var shape robot.Shape
		if a.radii != nil {
			if shape.Radii, err = taken(&a.radii, i, "vertices", s.vertices); err != nil {
				return nil, err
			}
		}
		if shape.Vertices, err = taken(&a.vertices, i, "vertices", s.vertices); err != nil {
			return nil, err
		}
		if shape.Edges, err = taken(&a.edges, i, "edges", s.edges); err != nil {
			return nil, err
		}
		if shape.Faces, err = taken(&a.faces, i, "faces", s.faces); err != nil {
			return nil, err
		}
		list[len(list)-1].Shapes = append(list[len(list)-1].Shapes, shape)
	}
	if n := [3]int{len(a.vertices), len(a.edges), len(a.faces)}; n != [3]int{} {
		return nil, fail(C.CCD_E_ARGUMENT, "shapes: %d vertices, %d edges and %d faces are in no shape",
			n[0], n[1], n[2])
	}
	return list, nil
}

// taken copies the first n items of an array, and leaves the rest.
func taken[T any](array *[]T, shape int, name string, n int64) ([]T, error) {
	if n < 0 || n > int64(len(*array)) {
		return nil, fail(C.CCD_E_ARGUMENT, "shapes[%d].%s is %d: %d are left", shape, name, n, len(*array))
	}
	first := slices.Clone((*array)[:n])
	*array = (*array)[n:]
	return first, nil
}

// robotOptions reads the options of a check.
func robotOptions(o unsafe.Pointer, anyContact int32) (out robot.Options, threads int, err error) {
	var set settings
	if err := set.read(&robotCalls, o); err != nil {
		return out, 0, err
	}
	if set.raw.tMax != 1 {
		return out, 0, fail(C.CCD_E_UNSUPPORTED, "options.t_max is %v: ccd_robot_* check whole edges", set.raw.tMax)
	}
	if anyContact != 0 && anyContact != 1 {
		return out, 0, fail(C.CCD_E_ARGUMENT, "any is %d: must be 0 or 1", anyContact)
	}
	if d := set.raw.minSeparation; !(d <= robot.MaxMagnitude) {
		return out, 0, fail(C.CCD_E_ARGUMENT, "options.min_separation is %v: must be in [0, 1e60]", d)
	}
	if x := set.raw.tolerance; !(x > 0 && x <= robot.MaxMagnitude) {
		return out, 0, fail(C.CCD_E_ARGUMENT, "options.tolerance is %v: must be above 0, at most 1e60", x)
	}
	out = robot.Options{Separation: set.raw.minSeparation, Tolerance: set.raw.tolerance,
		MaxIntervals: set.raw.maxIterations, Any: anyContact == 1}
	if out.MaxIntervals == 0 {
		out.MaxIntervals = math.MaxInt64
	}
	return out, set.call.Workers(), nil
}

//export go_robot_check
func go_robot_check(h uintptr, q0, q1 *float64, count uintptr, path, anyContact int32, o, out unsafe.Pointer) status {
	return with("robot", h, func(r *robot.Robot) error {
		options, threads, err := robotOptions(o, anyContact)
		if err != nil {
			return err
		}
		n := r.Variables()
		var from, to []float64
		if path != 0 {
			if count == 0 {
				return fail(C.CCD_E_ARGUMENT, "count is below 2: a path has at least two waypoints")
			}
			all, err := view("waypoints", q0, "count", count+1, n)
			if err != nil {
				return err
			}
			if err := finiteRows("waypoints", all, n); err != nil {
				return err
			}
			from, to = all[:len(all)-n], all[n:]
		} else {
			if from, err = view("q0", q0, "count", count, n); err != nil {
				return err
			}
			if to, err = view("q1", q1, "count", count, n); err != nil {
				return err
			}
			if err := finiteRows("q0", from, n); err != nil {
				return err
			}
			if err := finiteRows("q1", to, n); err != nil {
				return err
			}
		}
		results, err := view("out", (*robotEdge)(out), "count", count, 1)
		if err != nil {
			return err
		}
		got := make([]robot.Result, count)
		if err := r.CheckInto(got, from, to, &options, threads); err != nil {
			return invalid(err)
		}
		for i := range got {
			results[i] = robotResult(&got[i])
		}
		return nil
	})
}

// robotCurves is the arguments of the calls on polynomials.
type robotCurves struct {
	control *float64
	degree  int32
	count   uintptr
}

// view returns the control values of all edges.
func (c *robotCurves) view(r *robot.Robot) ([]float64, error) {
	if c.degree < 0 || c.degree > robot.HighestDegree {
		return nil, fail(C.CCD_E_ARGUMENT, "degree is %d: must be in [0, %d]", c.degree, robot.HighestDegree)
	}
	n := r.Variables()
	all, err := view("control", c.control, "count", c.count, n*int(c.degree+1))
	if err != nil {
		return nil, err
	}
	return all, finiteRows("control", all, n)
}

//export go_robot_check_curves
func go_robot_check_curves(h uintptr, control *float64, degree int32, count uintptr, anyContact int32,
	o, out unsafe.Pointer) status {
	return with("robot", h, func(r *robot.Robot) error {
		options, threads, err := robotOptions(o, anyContact)
		if err != nil {
			return err
		}
		all, err := (&robotCurves{control, degree, count}).view(r)
		if err != nil {
			return err
		}
		results, err := view("out", (*robotEdge)(out), "count", count, 1)
		if err != nil {
			return err
		}
		got := make([]robot.Result, count)
		if err := r.CheckCurves(got, all, int(degree), &options, threads); err != nil {
			return invalid(err)
		}
		for i := range got {
			results[i] = robotResult(&got[i])
		}
		return nil
	})
}

//export go_robot_clearance
func go_robot_clearance(h uintptr, control *float64, degree int32, count, parts uintptr, o, out unsafe.Pointer) status {
	return with("robot", h, func(r *robot.Robot) error {
		options, threads, err := robotOptions(o, 0)
		if err != nil {
			return err
		}
		all, err := (&robotCurves{control, degree, count}).view(r)
		if err != nil {
			return err
		}
		if parts == 0 || count > C.CCD_MAX_ITEMS/parts {
			return fail(C.CCD_E_ARGUMENT, "parts is %d: must be at least 1, and count * parts at most 2^39", parts)
		}
		results, err := view("out", (*rigid.SceneGap)(out), "count * parts", count*parts, 1)
		if err != nil {
			return err
		}
		got := make([]robot.Gap, count*parts)
		if err := r.Clearances(got, all, int(degree), int(parts), &options, threads); err != nil {
			return invalid(err)
		}
		for i := range got {
			results[i] = robotGap(&got[i])
		}
		return nil
	})
}

// robotGap is a gap as ccd.h has it.
func robotGap(g *robot.Gap) (out rigid.SceneGap) {
	out.A, out.B = int64(g.A), int64(g.B)
	out.Gap = rigid.Gap{Lo: g.Lo, Hi: g.Hi, IndexA: int64(g.IndexA), IndexB: int64(g.IndexB), FeatureA: -1,
		FeatureB: -1, PointA: g.PointA, PointB: g.PointB, Normal: g.Normal, Epsilon: g.Epsilon, Time: g.S,
		Iterations: g.Counts.Intervals}
	if g.Touches {
		out.Gap.Flags |= C.CCD_GAP_INTERSECTING
	}
	if g.Unfinished {
		out.Gap.Flags |= C.CCD_GAP_UNFINISHED
	}
	return out
}

//export go_robot_touching
func go_robot_touching(h uintptr, control *float64, degree, anyContact int32, o, dst unsafe.Pointer, room uintptr,
	count *uintptr) status {
	return with("robot", h, func(r *robot.Robot) error {
		options, _, err := robotOptions(o, anyContact)
		if err != nil {
			return err
		}
		all, err := (&robotCurves{control, degree, 1}).view(r)
		if err != nil {
			return err
		}
		if count == nil {
			return null("count")
		}
		found, err := r.Touching(all, int(degree), &options)
		if err != nil {
			return invalid(err)
		}
		return copyOut((*robotEdge)(dst), room, count, found, func(to *robotEdge, from *robot.Result) {
			*to = robotResult(from)
		})
	})
}

// robotMeeting is ccd_robot_meeting.
type robotMeeting struct {
	verdict, bodyA, bodyB, reserved int32
	iterations                      int64
}

//export go_robot_ranges
func go_robot_ranges(h uintptr, lower, upper *float64, o, dst unsafe.Pointer, room uintptr, count *uintptr) status {
	return with("robot", h, func(r *robot.Robot) error {
		options, _, err := robotOptions(o, 0)
		if err != nil {
			return err
		}
		var ends [2][]float64
		for i, end := range [2]*float64{lower, upper} {
			name := [2]string{"lower", "upper"}[i]
			if ends[i], err = view(name, end, "n_variables", 1, r.Variables()); err != nil {
				return err
			}
			if err := finiteRows(name, ends[i], r.Variables()); err != nil {
				return err
			}
		}
		if count == nil {
			return null("count")
		}
		found, err := r.Ranges(ends[0], ends[1], &options)
		if err != nil {
			return invalid(err)
		}
		return copyOut((*robotMeeting)(dst), room, count, found, func(to *robotMeeting, from *robot.Meeting) {
			*to = robotMeeting{verdict: int32(from.Verdict), bodyA: int32(from.A), bodyB: int32(from.B),
				iterations: from.Counts.Intervals}
		})
	})
}

// finiteRows returns an error for a value that no joint can have.
func finiteRows(name string, rows []float64, n int) error {
	for i, v := range rows {
		if !(math.Abs(v) <= robot.MaxMagnitude) {
			if len(rows) == n {
				return fail(C.CCD_E_NONFINITE, "%s[%d] is %v: not finite or above 1e60 in magnitude", name, i, v)
			}
			return fail(C.CCD_E_NONFINITE, "%s[%d][%d] is %v: not finite or above 1e60 in magnitude", name, i/n, i%n, v)
		}
	}
	return nil
}

var robotReasons = map[robot.Reason]uint32{robot.ReasonCoarse: C.CCD_REASON_COARSE,
	robot.ReasonIterations: C.CCD_REASON_ITERATIONS}

func robotResult(r *robot.Result) robotEdge {
	return robotEdge{verdict: int32(r.Verdict), flags: robotReasons[r.Reason], bodyA: int32(r.A), bodyB: int32(r.B),
		how: int32(r.How), s: r.S, sFree: r.SFree, point: r.Point, normal: r.Normal, iterations: r.Counts.Intervals}
}
