// Package gradient computes how the time of impact of a pair depends on its vertices: the
// derivatives of toi with respect to x0 and x1.
//
//	gradient.go	the result, its states, and the formula
//	pair.go	a query in balls of double-doubles, and the time narrowed by Newton's method
//	touching.go	the contact without a separation
//	euclidean.go	the contact with a separation in the Euclidean norm
//	max.go	the same in the max norm
//	nearest.go	the nearest points of primitives at rest, for distances of bodies
//
// Everything is computed in num.Ball, so a result comes with a proven bound on its error, and what
// cannot be distinguished from a case without a derivative is refused. docs/proofs/gradients.md has
// the proofs.
package gradient
