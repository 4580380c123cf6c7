package main

import "C"

import "ccd/simd"

// go_simd_level returns the level as an index into the names in simd.c, which outlive every call.
//
//export go_simd_level
func go_simd_level() int32 {
	switch simd.Level() {
	case "avx512":
		return 2
	case "avx2":
		return 1
	}
	return 0
}
