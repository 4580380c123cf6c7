package level

// assembly is true where this build has the generated kernels.
const assembly = true
