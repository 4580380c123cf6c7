// Package inclusion finds the earliest root of a function of time that has an inclusion function
// (firstroot.go, parabola.go). The generic search over boxes of any dimension, the reference for
// Tight Inclusion, is a test: core/ccdtest/inclusion_search_test.go.
//
// An inclusion function maps an interval to one that contains all values of the function on it,
// including rounding errors (Snyder 1992). FirstRoot shortens the interval of time with parabolas
// that bound the function (D2M, [Buddingh2017], algorithms 1 to 3). Bisect is its reference
// implementation.
//
// Separate is a proof. Otherwise there is no root before Lo. If the budget runs out, the verdict is
// Undecided and Lo is the bound proven so far. A Finder holds working memory: each goroutine needs
// its own.
package inclusion
