// Package simd contains the innermost loops. Its functions take and return flat slices; it imports no other package of the library.
//
// Every kernel has one exported function whose doc comment is its contract, a reference implementation in plain Go that is always
// compiled (KERNEL_generic.go), and generated assembly for AVX2 and AVX-512 (KERNEL_amd64.s, made by _gen with avo). All
// three return the same bits: they round every operation in the same order, and nothing is fused unless all three fuse it.
// The generator has a table of the kernels (_gen/kernels.go), from which it writes the functions that choose one of the three by the level.
// The filter, the pieces and the roots are printed as C, CUDA and OpenCL C too (package simd/text), from the same programs.
// `go generate ./simd` writes assembly and text; `make check` fails if they differ. The error bounds are constants of this
// package, from which _gen reads them.
//
// Two layouts are shared by all kernels. A vertex record is eight doubles {x0 y0 z0 0 x1 y1 z1 0}: one vertex at both ends
// of its motion. A query is four record numbers: vertex-face {v, f0, f1, f2} or edge-edge {a0, a1, b0, b1}. Kernels take
// lists of positions in a slice of queries and write the positions that survive. Indices are not checked: the entry points of the library
// have validated them.
package simd

//go:generate go -C _gen run . -dir ..
