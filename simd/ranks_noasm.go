//go:build !amd64

package simd

func ranks512(keys, ranks []int32) { ranksGeneric(keys, ranks) }
func ranks256(keys, ranks []int32) { ranksGeneric(keys, ranks) }
