// Package vec has vectors and double-doubles as the kernels compute with them: every operation is rounded, in one order, and none is fused,
// so that plain Go and assembly have the same bits. (Package r3 promises no order, and double-doubles of core have other bounds.)
//
//	vector.go  vectors of float64
//	single.go  vectors of float32
//	double.go  double-doubles, vectors and cubics of them
package vec
