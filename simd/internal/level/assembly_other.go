//go:build !amd64

package level

// assembly is false where this build has no generated kernels: every level is then the generic one.
const assembly = false
