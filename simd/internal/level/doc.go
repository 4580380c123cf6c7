// Package level is the level of SIMD in use, as the kernels read it.
//
//	level.go       the levels, and which of them the machine has
//	assembly_*.go  whether this build has generated kernels
package level
