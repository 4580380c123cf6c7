// Package num holds what floating point can promise: directed rounding, intervals, error-free
// transforms, and the bounds of the error filters.
//
//	eft.go        sums and products with their rounding errors
//	round.go      directed rounding
//	interval.go   intervals
//	trig.go       sine and cosine with a proven bound
//	filter.go     the error bound of F = A + uB + vC
//	integer.go    vectors of integers of any size
//	ball.go       balls of double-doubles
//
// Throughout, u = 2^-53 is the unit roundoff of a double and eta = 2^-1074 the smallest denormal.
// Sums and differences have no underflow error; a product or quotient that underflows errs by at
// most eta/2.
package num
