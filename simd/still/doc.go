// Package still has the kernels on queries at one time, the start of the motion: for distances and crossings. See package simd for the
// layouts of records and queries, and for what all kernels keep.
//
//	near.go       queries that are not certainly farther apart than a distance
//	enclose.go    bounds of the distance of queries, and the nearest points
//	crossing.go   edges and faces that certainly cross, and those that may
//
//	kernels_*.go  generated: the choice between assembly and plain Go
package still
