// Package text contains the kernels filter, pieces and roots as text of C: for OpenCL, for CUDA,
// and for C99. The same program that the assembly of ccd/simd is made from writes them, so each
// rounds every operation in the same order and gives the same bits; TestTextLaw7SameBits of
// ccd/simd/linear compares them with the reference implementations in Go.
//
// They are functions of one query, without loops over queries: who compiles them writes the kernels
// that load records, call these functions and store their answers. Names that begin with ccdk_ and
// CCDK_ are theirs.
package text

import _ "embed" // The texts are embedded.

// Prelude is what C99, CUDA C++ and OpenCL C write differently. It comes first.
//
//go:embed prelude.h
var Prelude string

// Filter proves that queries are apart, on the whole motion (ccdk_filter_whole_vf,
// ccdk_filter_part_vf) and on pieces of time (ccdk_piece_form, ccdk_signs, ccdk_turns_vf). It
// follows Prelude.
//
//go:embed filter.cl
var Filter string

// Roots finds the first contact of a query on a piece of time (ccdk_roots_vf, ccdk_roots_ee). It
// follows Filter.
//
//go:embed roots.cl
var Roots string
