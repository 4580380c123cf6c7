//go:build !amd64

package simd

// Without assembly every level is the generic one.

func kinetic512(a, b []float32, pairs, out [][2]int32) int { return kineticGeneric(a, b, pairs, out) }
func kinetic256(a, b []float32, pairs, out [][2]int32) int { return kineticGeneric(a, b, pairs, out) }
