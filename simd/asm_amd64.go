package simd

// assembly tells detect that this build holds the generated kernels.
const assembly = true
