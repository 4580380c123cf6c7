//go:build !amd64

package simd

// Without assembly every level is the generic one; these are never called.

func gapEight512(q *byte, a *float64, padA int, b *float64, padB int) int   { return 0 }
func gapSixteen512(q *byte, a *float64, padA int, b *float64, padB int) int { return 0 }
func gapEight256(q *byte, a *float64, padA int, b *float64, padB int) int   { return 0 }
func gapSixteen256(q *byte, a *float64, padA int, b *float64, padB int) int { return 0 }
