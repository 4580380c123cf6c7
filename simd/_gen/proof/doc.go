// Package proof checks rounding bounds of straight-line programs in exact arithmetic.
//
// A kernel compares a computed value f with a computed bound b. The claim of a test is
//
//	|f - F| <= b    for all inputs within the program's limit, where the guard of the test holds
//
// where F is what f would be without rounding. The checker knows nothing of the kernel but its
// operations. It follows the model of docs/proofs/kernels.md; docs/explanation/guarantees.md lists
// what is proven so:
//
//	number.go   numbers that are exact, and numbers that are rounded up or down
//	program.go  Program: the operations of a kernel, and its maxima, weights and blends
//	poly.go     Poly: a value as a polynomial, with its error
//	choices.go  the polynomials among which minima and maxima choose
//	check.go    Check: the claim of one test
//	pairs.go    the same for operations on double-doubles
//	gappa.go    Brackets: the claims as scripts for Gappa
//	norms.go    Norms: the bound of the normal that multiplies a separation
//	meaning.go  Formula: what F should be, to compare with
//
// A value is a polynomial in atoms. For each monomial m there are three numbers: c, the exact
// coefficient of F; e, so that |f - F| <= sum of e |m| + under; and g, so that |f| <= sum of g
// |m| + under. In |m| an input stands for the computed maximum M of magnitudes that the bound has
// for it: |X| <= (1 + entry) M, and the input is off by at most entry M.
//
// An operation is fl(x op y) = (x op y)(1 + d) + n with |d| <= u, |n| <= eta, and n = 0 for sums.
// So
//
//	sum:     e = e1 + e2 + u (g1 + g2)                          g = (g1 + g2)(1 + u)
//	product: e = e1 |c2| + |c1| e2 + e1 e2 + u g1 g2            g = g1 g2 (1 + u)
//
// and what underflows is carried in under, with ranges of the values that it is multiplied by.
package proof
