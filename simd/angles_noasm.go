//go:build !amd64

package simd

// Without assembly every level is the generic one; this is never called.

func turn256(m *[48][4]float64, a *byte) {}
