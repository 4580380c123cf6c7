package simd
