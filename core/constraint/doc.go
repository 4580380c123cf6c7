// Package constraint has contact constraints for solvers, and the numbers that a solver makes of
// them: the rows of the contact Jacobian, tangents, effective masses and colors. See
// docs/numerics.md, contact Jacobians, for the laws.
//
//	constraint.go   Constraint, and Of, which linearizes the impact of a pair
//	jacobian.go     Jacobian, a sparse matrix; mass.go has EffectiveMass
//	tangents.go     Tangents, which completes normals to frames
//	colors.go       Colors, so that constraints of a color share no vertex
//	push.go         Push, a round of Gauss-Seidel over positions
//	check.go        checks of what a caller passes
package constraint
