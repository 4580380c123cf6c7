//go:build !amd64

package simd

func ranks256(keys, ranks []int32, n int) { ranksGeneric(keys, ranks[:n]) }
