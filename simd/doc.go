// Package simd is the level of SIMD in use; its families are the innermost loops. Functions of a family take and return flat slices. No
// package here imports one of core.
//
//	level.go         the levels, and the one in use
//	box              boxes of primitives: records, cells, sweeps, blocks
//	linear           queries whose vertices move linearly: filters, pieces of time, roots, places
//	still            queries at the start of a motion: distances, crossings
//	curve            queries whose vertices move on polynomials of degree 2 and 3
//	solid            rigid bodies that move on screws: nodes of boxes, triangles
//	patch            control nets of patches: sums, gaps, halves
//	text             the filters and roots of linear as C, CUDA and OpenCL C
//	pairs            the broad phase of package gpu in plain Go
//	internal/level   detection, and the level as the families read it
//	internal/vec     vectors and double-doubles, as all families round them
//	internal/query   the records of a query, and the range of magnitudes in which bounds hold
//	internal/checks  what tests of the families share
//	_gen             the generator: `go generate ./simd`
//
// A kernel is a function in plain Go, always compiled, and generated assembly for AVX2 and AVX-512. All three return the same bits: they
// round every operation in the same order, and nothing is fused unless all three fuse it. _gen/kernels.go is the table of kernels. From it
// the generator writes a package's assembly (FILE_amd64.s, with avo) and the functions that choose by the level (kernels_amd64.go, and
// kernels_other.go for processors without assembly, which call plain Go). Text is printed from the same programs. `make check` fails if the
// files differ. The error bounds are constants of the packages, from which _gen reads them.
//
// Two layouts are shared by all families. A vertex record is eight doubles {x0 y0 z0 0 x1 y1 z1 0}: one vertex at both ends
// of its motion. A query is four record numbers: vertex-face {v, f0, f1, f2} or edge-edge {a0, a1, b0, b1}. Kernels take
// lists of positions in a slice of queries and write the positions that survive. Indices are not checked: the entry points of the library
// have validated them.
package simd

//go:generate go -C _gen run . -dir ..
