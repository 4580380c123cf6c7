// Package linear has the kernels on queries whose vertices move linearly. Package simd describes
// the layouts of records and queries, and the rules of all kernels.
//
//	axiscull.go   queries that no coordinate axis separates
//	diagonal.go   queries that no diagonal of coordinates separates
//	filter.go     the float filter, and the bounds that others here and in curve take from it
//	filter32.go   the same in single precision
//	inplane.go    directions within the plane of coplanar pairs
//	pieces.go     the filter on eight pieces of the time, by signs.go and turns.go
//	signs.go      pieces on which the cubic keeps its sign
//	turns.go      pieces on which a direction separates
//	roots.go      the first contact on a piece, to neighboring doubles
//	place.go      where and how a query touches
//	corners.go    F at the eight corners of a box in t, u and v
//	device.go     what package gpu passes to its kernels
//
//	kernels_*.go  generated: the choice between assembly and plain Go
package linear
