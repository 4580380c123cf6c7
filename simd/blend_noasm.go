//go:build !amd64

package simd

// Without assembly every level is the generic one; these are never called.

func blend512(rows, weights *float64, counts *int, n int, out *float64) {}
func blend256(rows, weights *float64, counts *int, n int, out *float64) {}
