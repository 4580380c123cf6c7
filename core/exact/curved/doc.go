// Package curved decides when two primitives whose points move on polynomials in t first touch, or
// come within a separation: MotionResolver, by the stages of packages exact and clearance.
//
//	motion.go             MotionQuery and MotionResolver, the ladder of the stages
//	float.go              proofs in floats, on intervals of time that are halved
//	still.go              points that rest, without a separation
//	planar.go, planar_value.go    contact without a separation, by the points on one plane
//	planar_fine.go        the same where its coefficients are all rounding, in double-doubles
//	passing.go            edges that are parallel up to rounding and pass each other in one plane
//	distance.go           contact with a separation in the Euclidean norm, in double-doubles
//	follow.go             what slides near the separation, or near a plane, and all pairs in the max
//	                      norm, in double-doubles
//	cube.go               first contacts in the max norm, foreseen in floats
//	resting.go            what rests on an axis at exactly the separation
//	level.go              the same in the Euclidean norm, in floats, by the sides of a polygon
//	wide.go, max.go       integers of any width, in the Euclidean norm and in the max norm
//	roots.go              CurveFinder, which decides batches with the processor's kernels
//	place.go, place_double.go     where the points touch
//
// The theorems and bounds are in docs/proofs/motions.md.
package curved
