//go:build !amd64

package simd

// assembly tells detect that this build holds no generated kernels: every level is then the generic one.
const assembly = false
