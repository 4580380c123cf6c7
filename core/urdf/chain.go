package urdf

import (
	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
	"ccd/core/robot"
)

// identity is the rotation by 0.
var identity = geom.Mat{X: r3.Vec{X: 1}, Y: r3.Vec{Y: 1}, Z: r3.Vec{Z: 1}}

// axes are those of coordinates.
var axes = [3]r3.Vec{{X: 1}, {Y: 1}, {Z: 1}}

// step is a slide or a turn of a joint of several values.
type step struct {
	kind robot.JointKind
	axis int
}

// steps are those of joints of several values. Five turns stand for a quaternion: on an edge of
// slerp the third of them moves alone (docs/proofs/robots.md, "Joints of several values").
var steps = map[string][]step{
	"planar": {{robot.Prismatic, 0}, {robot.Prismatic, 1}, {robot.Revolute, 2}},
	"floating": {{robot.Prismatic, 0}, {robot.Prismatic, 1}, {robot.Prismatic, 2}, {robot.Revolute, 2},
		{robot.Revolute, 1}, {robot.Revolute, 2}, {robot.Revolute, 1}, {robot.Revolute, 2}},
}

// chain adds a joint to the robot: one, or the slides and turns of one of several values, with
// links of their own between them.
func (b *builder) chain(r *Robot, j *joint) {
	one := robot.Joint{Parent: b.index[j.parent], Child: b.index[j.child], Variable: max(j.source, 0),
		Factor: j.factor, Offset: j.offset, Rotation: j.rotation, Position: j.position, Axis: j.axis}
	way, several := steps[j.kind]
	if !several {
		switch j.kind {
		case "revolute", "continuous":
			one.Kind = robot.Revolute
		case "prismatic":
			one.Kind = robot.Prismatic
		}
		r.Joints, r.Names = append(r.Joints, one), append(r.Names, j.name)
		return
	}
	child := one.Child
	for i, s := range way {
		one.Kind, one.Axis, one.Variable, one.Child = s.kind, axes[s.axis], j.source+i, child
		if i < len(way)-1 {
			one.Child = len(r.Links)
			r.Links = append(r.Links, j.name+"/"+parts[j.kind][i])
		}
		r.Joints, r.Names = append(r.Joints, one), append(r.Names, j.name)
		one.Parent, one.Rotation, one.Position = one.Child, identity, r3.Vec{}
	}
}
