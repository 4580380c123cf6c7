//go:build !amd64

package simd

// Without assembly every level is the generic one; these are never called.

func reachAlong512(x *float64, pad int, n0, n1, n2, t0, t1 float64, r *byte) {}
func reachAlong256(x *float64, pad int, n0, n1, n2, t0, t1 float64, r *byte) {}
func reachAt512(r *byte, pad int, t float64)                                 {}
func reachAt256(r *byte, pad int, t float64)                                 {}
