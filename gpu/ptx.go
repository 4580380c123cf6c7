package gpu

import (
	"bytes"
	"compress/bzip2"
	_ "embed"
	"fmt"
	"io"
)

// This file has the kernels as PTX, compiled ahead of time: other forms that NVIDIA's driver takes
// need a toolkit. Registers are written by their age (registers.go). TestPTXIsCurrent compares the
// file with what clang makes of the text; CCD_WRITE_PTX=1 lets it write the file. Other versions of
// clang make other texts.
//
//go:embed kernels/kernels.ptx.bz2
var compressedPTX []byte

// ptxFlags are clang's. sm_70 is the oldest processor that takes the PTX; the driver compiles it
// for all newer ones.
var ptxFlags = []string{
	"-x", "cl", "-cl-std=CL1.2", "-Xclang", "-finclude-default-header", "--target=nvptx64-nvidia-cuda", "-nogpulib",
	"-march=sm_70",
	"-O2", "-ffp-contract=off", "-S",
}

// clangVersion is the version that the file was made by.
const clangVersion = "14.0"

// programFor returns the kernels as a device's driver takes them.
func programFor(of *Info) (string, error) {
	if of.driver != cuda {
		return Program(), nil
	}
	text, err := io.ReadAll(bzip2.NewReader(bytes.NewReader(compressedPTX)))
	if err != nil {
		return "", fmt.Errorf("the kernels: %w", err)
	}
	return numberRegisters(string(text)), nil
}
