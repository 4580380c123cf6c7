package gpu

import (
	_ "embed"
	"strings"

	"ccd/simd/text"
)

//go:embed kernels/device.h
var deviceHeader string

//go:embed kernels/filter32.cl
var filter32Kernels string

//go:embed kernels/lists.cl
var listKernels string

//go:embed kernels/broad.cl
var broadKernels string

//go:embed kernels/euclid.cl
var euclidKernels string

//go:embed kernels/narrow.cl
var narrowKernels string

//go:embed kernels/pack.cl
var packKernels string

//go:embed kernels/probe.cl
var probeKernels string

// buildOptions ask for OpenCL C 1.2 and for nothing that relaxes arithmetic. Contraction is
// forbidden in the text (FP_CONTRACT OFF).
const buildOptions = "-cl-std=CL1.2"

// Program returns the text of all kernels: OpenCL C 1.2, and CUDA C++ for NVRTC and nvcc.
func Program() string {
	return strings.Join([]string{text.Prelude, deviceHeader, text.Filter, text.Roots, listKernels, filter32Kernels,
		broadKernels, euclidKernels, narrowKernels, packKernels, probeKernels}, "\n")
}
