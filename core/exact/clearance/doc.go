// Package clearance decides when two primitives that move on lines come within a minimum separation
// d: in the max norm (SeparationResolver) and in the Euclidean norm (EuclideanResolver). Like
// package exact, it has stages in floats, double-doubles and integers. In place of the roots of one
// cubic, it looks for directions that separate, or for the nearest features.
//
//	separation.go           SeparationResolver, its theorem and its shapes
//	separation_float.go     lower bounds on certificates, in floats; separation_advance.go goes on
//	                        in time
//	separation_double.go    the same in double-doubles
//	separation_wide.go      the same in integers of any width
//	separation_place.go     where the primitives touch
//	separation_intervals.go, separation_intervals_wide.go   all contacts of a query
//	resting.go              both norms: pairs that rest at exactly d on an axis, decided in a plane
//	euclid.go               EuclideanResolver, its theorem and its features
//	euclid_nearest.go       the nearest point of a polygon to the origin, in floats
//	euclid_float.go, euclid_double.go, euclid_wide.go       the three stages
//	euclid_follow.go        pairs that slide near d: their features followed over time
//	follower.go, follower_far.go, follower_flat.go, bernstein.go   the features over time, and
//	                        polynomials with bounds in double-doubles
//	follower_search.go, follower_turn.go   the search, and parts of time in which a polynomial turns
//	follower_border.go      changes that are foreseen at single times, before any polynomial
//	follower_cube.go, follower_cube_turn.go, follower_cube_ends.go   the certificates of the max
//	                        norm over time
//	euclid_place.go, euclid_tie.go   where the primitives touch, and where several places are as
//	                                 near
//	euclid_intervals.go     all contacts of a query
//	euclid_least.go, euclid_least_time.go   the least distance over a step, and the time that has it
package clearance
