// Command kernels prints the text of the kernels of package gpu, for the tools that compile it:
// NVRTC, and the stand-in for NVIDIA's driver.
//
//	go run ./core/ccdtest/kernels >build/kernels.cl
package main

import (
	"fmt"

	"ccd/gpu"
)

func main() { fmt.Print(gpu.Program()) }
