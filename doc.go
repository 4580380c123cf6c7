// Package ccd computes when two parts of a moving mesh first touch: continuous collision detection.
//
// A simulator moves a mesh from x0 to x1 in one step; vertex i moves on the segment x0[i] -> x1[i],
// in real arithmetic, as t runs from 0 to 1. Earliest returns the first impact of such a step, and
// a proof if there is none:
//
//	mesh, err := ccd.NewMesh(6, nil, []int32{0, 1, 2, 3, 4, 5})
//	hit, err := ccd.Earliest(mesh, x0, x1, nil)
//	if hit.Verdict == ccd.Contact { ... }
//
// The names, the meanings and the bits of the results are those of the C interface: Earliest is
// ccd_step_earliest, Near is ccd_proximity_near, RigidEarliest is ccd_rigid_earliest. The numbered
// laws of include/ccd.h and docs/numerics.md hold here too. In particular, results do not depend on
// the number of threads or on the processor.
//
// # Conventions
//
// Coordinates are row-major: 3 numbers for each vertex, finite, and at most 1e150 in magnitude
// (1e60 for rigid bodies), in one unit of length throughout. Times are fractions of the step; for
// rigid bodies they are in the unit of the velocities. Calls read their slices during the call only
// and do not change them. All calls may come from any goroutine, and goroutines may share a Mesh,
// Candidates, Neighbors, a Motion, bodies and a Scene.
//
// An error names the argument, and the index in it, that is wrong; its kind is one of ErrArgument,
// ErrIndex and so on. Its text has the names of the C interface: options.min_separation is
// Options.MinSeparation. A call that fails returns zero values beside the error; the zero Verdict
// is Undecided. No call panics.
//
// # Files
//
//	mesh.go, options.go, impact.go   Mesh; Options and Stats; Impact and what it says
//	step.go, vertex_steps.go         Step; a step for each vertex, and constraints
//	step_worlds.go, respond.go       steps of many worlds; positions after contact
//	why.go                           Why: what limits a step
//	step_pairs.go                    given pairs, intervals, least distance and gradients of a step
//	motion.go                        Motion, paths of vertices
//	groups.go                        Group, and the step between two
//	candidates.go, neighbors.go      pairs of a step, and near pairs, kept
//	pair.go                          single pairs and lists of them
//	proximity.go, scene.go           one configuration; Scene, a mesh with its positions
//	rigid.go, rigid_distance.go      rigid bodies in motion; their distances at poses
//	rigid_manifold.go                where rigid bodies touch, and how long they slide
//	rigid_penetration.go             how deep they overlap
//	untangle.go                      starts that cross, and positions nearby that do not
//	rigid_shape.go                   rigid bodies of shapes, and with padding
//	containment.go                   what is inside of closed surfaces
//	overlap.go                       volumes that solids have in common, and depths of points
//	patch.go, patch_faces.go         curved patches; faces with loops
//
// # What is promised
//
// From version 1 on, the exported names of this package, their types and their meanings stay as
// they are within a major version; before it, CHANGELOG.md lists what changes. The packages below
// core and simd are for this module's own use: other modules can import them, but their names and
// types change without notice.
//
// This package has steps of meshes, on segments and on paths, with every call of the C interface;
// candidate pairs, neighbor lists, single pairs, proximity, rigid bodies by the default method,
// curved patches by the default method, scenes of meshes, and files of surfaces and patches.
// Volumes, chains of joints, robots, Jacobians, regions, the reference methods, and graphics
// processors are in the C interface and its bindings only.
package ccd

import "ccd/core/status"

// The kinds of error; errors.Is finds them.
var (
	ErrArgument    = status.ErrArgument    // a size, shape, option or value is out of its range
	ErrIndex       = status.ErrIndex       // an index is out of range, or repeated where it must not be
	ErrNonFinite   = status.ErrNonFinite   // a coordinate is NaN, infinite, or above 1e150 in magnitude
	ErrUnsupported = status.ErrUnsupported // a call does not support an option, or a combination of options
	ErrFile        = status.ErrFile        // a file cannot be opened, or is truncated or malformed
	ErrCancelled   = status.ErrCancelled   // Options.Progress returned true
	ErrMemory      = status.ErrMemory      // the results of a call do not fit in Options.MemoryLimit
	ErrInternal    = status.ErrInternal    // a defect of the library; please report the text
)

// entered is deferred by every exported function that can fail: it gives each error a kind, and
// makes an error of a panic.
func entered(err *error) {
	if p := recover(); p != nil {
		*err = status.Recovered(p)
	}
	*err = status.Invalid(*err)
}
