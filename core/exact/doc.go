// Package exact decides linear continuous collision queries without any tolerance: whether two
// primitives touch during the step, and the earliest time at which they do, an algebraic number,
// rounded down to a double.
//
// The Resolver tries cheap proofs first, and integers only where floats cannot tell. Its stages, in
// order:
//
//	axis.go      comparisons of coordinates: exact, a few nanoseconds
//	filter.go    signs of the coplanarity cubic and of projections, in floats with a bound on every error; filter_codim.go for points and edges
//	double.go    the cubic's roots in double-doubles, with bounds too (cubic.go finds them, for this stage and the next)
//	fixed.go     the same in integers of 64 to 512 bits, when the coordinates fit 60 bits after scaling each axis
//	wide.go      integers of any width in preallocated storage: every degenerate case ends here
//	place.go     where the primitives touch, once it is known that and when they do; place_kernel.go for the plain ones
//	batch.go     lists of queries: the first two stages and the first roots by the kernels
//	resolver.go  the ladder of these stages
//	before.go, level.go   proofs that a pair is apart before a time; pairs whose primitives are level on an axis
//	crossing.go  whether an edge and a face share a point
//	intervals.go, intervals_wide.go   all contacts of a query; the latter for any width
//	fixed_planar.go, fixed_tight.go   degenerate cases in integers of fixed width
//	nearest_wide.go   the points of a pair nearest to each other at one time, in integers
//	place_double.go   places in double-doubles
//
// Their arithmetic is in package internal/algebra: integers, polynomials and their roots.
//
// Package clearance does the same with a minimum separation, in the max norm and in the Euclidean
// norm, and package curved for paths that are polynomials in t. The ladders of all three have the
// same steps, and each has a reference implementation in core/reference/oracle, over math/big. All
// have separate derivations, so that their agreement at separation 0, and of the two norms along a
// line, is a check of each.
//
// The mathematics, why no contact can be missed, and every bound are derived in docs/proofs: "The
// exact method" and "The exact minimum separation".
package exact
