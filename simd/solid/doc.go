// Package solid has the kernels on rigid bodies that move on screws, for package rigid. See package
// simd for what all kernels keep.
//
//	advance.go    a time before which boxes of two bodies stay apart; the rows of boxes and of
//	              motions
//	turning.go    what AdvanceTurning adds: bounds that follow how boxes turn
//	four.go       the same for four pairs of boxes, each at a time of its own
//	angles.go     sines and cosines of the angles by which two bodies have turned
//	triangles.go  nearest points of two triangles, and a time before which they stay apart along a
//	              direction
//
//	kernels_*.go  generated: the choice between assembly and plain Go
package solid
