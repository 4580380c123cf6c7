//go:build !amd64

package simd

// Without assembly every level is the generic one; these are never called.

func gap512(q *byte, a *float64, padA int, b *float64, padB int) int { return 0 }
func gap256(q *byte, a *float64, padA int, b *float64, padB int) int { return 0 }
