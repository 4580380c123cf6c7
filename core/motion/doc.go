// Package motion describes how points move over a step: on polynomials in t, piece by piece, with a
// radius that encloses what is not a polynomial.
//
//	motion.go      Motion: control points, times of the pieces, radii; validation and evaluation
//	enclose.go     control points and radii from intervals
//	polynomial.go  constant acceleration, cubic Hermite, B-splines, affine bodies
//	curve.go       bodies that move: the control points of pieces of degree 3 or 5 as maps of their
//	               points, in intervals
//	placement.go   such a map in doubles, with a bound on its error
//	source.go      paths of points of bodies, which are enclosed anew on shorter parts of time
//	bones.go       rigid bodies that turn at a constant rate, screws, linear blend skinning
//	chain.go       trees of revolute and prismatic joints
//	bow.go, midline.go   how far a polynomial is from its chord; a segment for each vertex, with
//	                     deviations
//	cut.go, parts.go, span.go   a motion until a time; parts of pieces; consecutive pieces
//
// A Motion states a set of paths: with s = (t - tau_j) / (tau_j+1 - tau_j), vertex i is, for tau_j
// <= t <= tau_j+1, within the radius r[j][i] of sum_l B_l(s) c[j][l][i], in the Euclidean norm and
// in real arithmetic. With radius 0 that is one path, which the doubles define exactly.
// docs/proofs/motions.md derives every radius.
package motion
