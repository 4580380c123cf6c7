// Package inclusion finds the earliest root of any function that can be enclosed: the generic search (search.go), the root finder in one
// variable (firstroot.go, parabola.go), and their reference implementations. Other packages fuse such loops with what they enclose.
//
// An inclusion function takes a box of parameters to a box that holds every value there, rounding included (Snyder 1992).
// Search bisects boxes of any dimension, the earliest first: the scheme of Tight Inclusion [Wang2021] and of the
// traditional method that [Chen2024] compare with, written once for any function. FirstRoot works on one variable, time,
// and shortens intervals by parabolas (D2M, [Buddingh2017], algorithms 1 to 3).
//
// Both answer as the whole library does: Separate is a proof, Lo is free of roots before it, and what the budget does not
// reach is Undecided with the bound proven so far. A Searcher or Finder is the scratch of one goroutine.
package inclusion
