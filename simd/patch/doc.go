// Package patch has the kernels on control nets of patches, for core/patch. See package simd for what all kernels keep.
//
//	blend.go      weighted sums of rows of numbers
//	reach.go      the points of a set that are highest along a direction, at two times
//	gap.go        how long two sets of points stay apart along a direction
//	halve.go      nets halved by de Casteljau's scheme, and the length of their rows
//
//	kernels_*.go  generated: the choice between assembly and plain Go
package patch
