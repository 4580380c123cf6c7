// Package inclusion finds the earliest root of a function of time that can be enclosed (firstroot.go, parabola.go). The generic search over
// boxes of any dimension, the reference for Tight Inclusion, is a test: core/ccdtest/inclusion_search_test.go.
//
// An inclusion function takes an interval to one that holds every value there, rounding included (Snyder 1992).
// FirstRoot shortens intervals by parabolas (D2M, [Buddingh2017], algorithms 1 to 3); Bisect is its reference implementation.
//
// Separate is a proof, Lo is free of roots before it, and what the budget does not reach is Undecided with the bound proven so far. A Finder
// is the scratch of one goroutine.
package inclusion
