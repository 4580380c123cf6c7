// Package geom holds the vocabulary of every package above it.
//
//	kind.go	the kinds of a query and what they differ in
//	trajectories.go	the trajectories of a step's vertices
//	impact.go	the impact that a query reports, and its verdict
//	pose.go	positions and rotations of bodies; products of r3.Vec
//	vec.go	products of vectors that are arrays
//	interval.go, least.go   an interval of contact; a least distance over a step
//
// Coordinates are flat arrays of doubles, as the kernels read them.
package geom
