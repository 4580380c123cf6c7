//go:build js && wasm

package main

import (
	"syscall/js"

	"ccd"
)

// What makes motions, lists and steps. A step has copies of the arrays, because JavaScript's memory
// is not Go's.

func motionOf(v js.Value) *ccd.Motion       { return motions[v.Int()] }
func neighborsOf(v js.Value) *ccd.Neighbors { return neighbors[v.Int()] }

// stepCreate reads (mesh, x0, x1).
func stepCreate(args []js.Value) (any, error) {
	return numbered(steps, ccd.NewStep(meshOf(args[0]), list[float64](args[1]), list[float64](args[2]))), nil
}

// stepOfMotion reads (mesh, motion).
func stepOfMotion(args []js.Value) (any, error) {
	return numbered(steps, ccd.NewStepOn(meshOf(args[0]), motionOf(args[1]))), nil
}

// stepOfCandidates reads (candidates, x0, x1).
func stepOfCandidates(args []js.Value) (any, error) {
	return numbered(steps, candidatesOf(args[0]).Step(list[float64](args[1]), list[float64](args[2]))), nil
}

// stepOfCandidatesOn reads (candidates, motion).
func stepOfCandidatesOn(args []js.Value) (any, error) {
	return numbered(steps, candidatesOf(args[0]).StepOn(motionOf(args[1]))), nil
}

// stepOfNeighbors reads (neighbors, x0, x1).
func stepOfNeighbors(args []js.Value) (any, error) {
	return numbered(steps, neighborsOf(args[0]).Step(list[float64](args[1]), list[float64](args[2]))), nil
}

// stepOfScene reads (scene, moved, x1).
func stepOfScene(args []js.Value) (any, error) {
	return numbered(steps, sceneOf(args[0]).Step(list[int32](args[1]), list[float64](args[2]))), nil
}

// stepBetween reads (step, vertices, edges and faces of one group, and of the other).
func stepBetween(args []js.Value) (any, error) {
	return numbered(steps, stepOf(args[0]).Between(groupOf(args[1:4]), groupOf(args[4:7]))), nil
}

func groupOf(lists []js.Value) ccd.Group {
	return ccd.Group{Vertices: list[int32](lists[0]), Edges: list[int32](lists[1]), Faces: list[int32](lists[2])}
}

// meshGroupOf reads (mesh, vertices).
func meshGroupOf(args []js.Value) (any, error) {
	g, err := meshOf(args[0]).GroupOf(list[int32](args[1]))
	if err != nil {
		return nil, err
	}
	return map[string]any{"vertices": ints(g.Vertices), "edges": ints(g.Edges), "faces": ints(g.Faces)}, nil
}

// motionCreate reads (vertices, degree, times, control, radius).
func motionCreate(args []js.Value) (any, error) {
	times, control, radius := list[float64](args[2]), list[float64](args[3]), list[float64](args[4])
	m, err := ccd.NewMotion(args[0].Int(), args[1].Int(), times, control, radius)
	return kept(motions, m, err)
}

// motionAccelerated reads (x, v, a).
func motionAccelerated(args []js.Value) (any, error) {
	m, err := ccd.NewAcceleratedMotion(list[float64](args[0]), list[float64](args[1]), list[float64](args[2]))
	return kept(motions, m, err)
}

// motionHermite reads (vertices, times, x, v).
func motionHermite(args []js.Value) (any, error) {
	times, x, v := list[float64](args[1]), list[float64](args[2]), list[float64](args[3])
	m, err := ccd.NewHermiteMotion(args[0].Int(), times, x, v)
	return kept(motions, m, err)
}

// motionBSpline reads (vertices, degree, knots, control).
func motionBSpline(args []js.Value) (any, error) {
	m, err := ccd.NewBSplineMotion(args[0].Int(), args[1].Int(), list[float64](args[2]), list[float64](args[3]))
	return kept(motions, m, err)
}

// motionAffine reads (degree, x, matrix, offset).
func motionAffine(args []js.Value) (any, error) {
	m, err := ccd.NewAffineMotion(args[0].Int(), list[float64](args[1]), list[float64](args[2]), list[float64](args[3]))
	return kept(motions, m, err)
}

// motionSkinned reads (x, bones, weights, degree, pieces), where a bone is 16 numbers.
func motionSkinned(args []js.Value) (any, error) {
	bones := bonesOf(list[float64](args[1]))
	m, err := ccd.NewSkinnedMotion(list[float64](args[0]), bones, list[float64](args[2]), args[3].Int(), args[4].Int())
	return kept(motions, m, err)
}

// motionRigid reads (x, body, degree, pieces), where the body is 16 numbers.
func motionRigid(args []js.Value) (any, error) {
	body := bonesOf(list[float64](args[1]))[0]
	m, err := body.Paths(list[float64](args[0]), args[2].Int(), args[3].Int())
	return kept(motions, m, err)
}

// bonesOf returns motions of 16 numbers each: rotation, position, velocity, angular velocity,
// pivot.
func bonesOf(numbers []float64) []ccd.RigidMotion {
	bones := make([]ccd.RigidMotion, len(numbers)/16)
	for i := range bones {
		row, b := numbers[16*i:], &bones[i]
		copy(b.Rotation[:], row)
		copy(b.Position[:], row[4:])
		copy(b.Velocity[:], row[7:])
		copy(b.AngularVelocity[:], row[10:])
		copy(b.Pivot[:], row[13:])
	}
	return bones
}

func motionCounts(args []js.Value) (any, error) {
	m := motionOf(args[0])
	return map[string]any{"vertices": m.Vertices(), "degree": m.Degree(), "pieces": m.Pieces()}, nil
}

// motionAt reads (motion, t).
func motionAt(args []js.Value) (any, error) {
	x, radius, err := motionOf(args[0]).At(args[1].Float())
	if err != nil {
		return nil, err
	}
	return map[string]any{"x": floats(x), "radius": floats(radius)}, nil
}

// motionCut reads (motion, ends).
func motionCut(args []js.Value) (any, error) {
	m, err := motionOf(args[0]).Cut(list[float64](args[1]))
	return kept(motions, m, err)
}

// candidatesOn reads (mesh, motion, options).
func candidatesOn(args []js.Value) (any, error) {
	o, done := optionsOf(args[2])
	known, err := ccd.FindCandidatesOn(meshOf(args[0]), motionOf(args[1]), o)
	return result(done, known, err, func(known *ccd.Candidates) any { return numbered(candidates, known) })
}

// neighborsCreate reads (mesh, x, options, reach).
func neighborsCreate(args []js.Value) (any, error) {
	m, x, o, done := restOf(args)
	l, err := ccd.NewNeighbors(m, x, args[3].Float(), o)
	return result(done, l, err, func(l *ccd.Neighbors) any { return numbered(neighbors, l) })
}

// neighborsNear reads (neighbors, x, options, d).
func neighborsNear(args []js.Value) (any, error) {
	o, done := optionsOf(args[2])
	found, err := neighborsOf(args[0]).Near(list[float64](args[1]), args[3].Float(), o)
	return result(done, found, err, nearPairs)
}

func neighborsReport(args []js.Value) (any, error) {
	r := neighborsOf(args[0]).Report()
	return map[string]any{
		"reach": r.Reach, "pairs": r.Pairs, "bytes": r.Bytes, "builds": r.Builds, "served": r.Served, "fresh": r.Fresh,
	}, nil
}
