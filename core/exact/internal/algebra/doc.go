// Package algebra has the arithmetic of package exact: integers, polynomials in t with integer
// coefficients, and their roots. Nothing in it is rounded unless its comment says so.
//
//	int_fixed.go   integers of 128 to 512 bits in two's complement
//	int_wide.go    Int, of any width, in the storage of an Arena that a query reuses
//	poly_wide.go   Poly: polynomials of degree 3 at most, over Int; Dyadic: times
//	root_wide.go   Root and Solver: their roots in [0, 1], isolated, narrowed and compared
//	residue.go     proofs modulo a prime that polynomials have no common root
//	big_poly.go    BigPoly: polynomials of any degree, over math/big; vectors of them
//	big_roots.go   their roots
//
// There are two stacks, one over Int and one over math/big. The first allocates nothing once its
// storage has grown, so linear motions, which reach integers more often, take tens of microseconds.
// The second is for polynomials of degree up to 30, of curved paths and Euclidean separations: one
// of degree 3 in fixed arrays would not do, and there the time goes into the products of math/big.
package algebra
