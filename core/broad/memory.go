package broad

import (
	"math/bits"
	"unsafe"

	"ccd/core/bound"
	"ccd/core/engine"
	"ccd/simd/box"
)

// grow sets the length of *s to n and reuses its memory; the contents are undefined.
func grow[T any](s *[]T, n int) []T {
	if cap(*s) < n {
		*s = make([]T, n)
	}
	*s = (*s)[:n]
	return *s
}

// alignedRecords grows *s to n records, the first of which is aligned to 64 bytes.
func alignedRecords(s *[]float32, n int) []float32 { return aligned(s, bound.RecordLen*n) }

// aligned grows *s to n floats, the first of which is aligned to 64 bytes.
func aligned(s *[]float32, n int) []float32 {
	b := grow(s, n+15)
	skip := (64 - uintptr(unsafe.Pointer(unsafe.SliceData(b)))%64) % 64 / 4
	return b[skip : int(skip)+n]
}

const rangeBytes = int(unsafe.Sizeof(box.CellRange{}))

// flat returns a slice of pairs or triples as one slice of numbers.
func flat[T [2]int32 | [3]int32](s []T) []int32 {
	return unsafe.Slice((*int32)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*int(unsafe.Sizeof(*new(T))/4))
}

// blockPrimitives is the number of primitives that are worth a thread.
const blockPrimitives = 2048

// inBlocks divides 0 to n-1 into at most one block per thread and calls work on all blocks in
// parallel.
func inBlocks(n, threads int, work func(block, from, to int)) error {
	blocks := blocks(n, threads)
	return engine.Parallel(blocks, func(i int) { work(i, n*i/blocks, n*(i+1)/blocks) })
}

// blocks returns how many threads to use for n primitives.
func blocks(n, threads int) int { return max(1, min(threads, n/blockPrimitives)) }

// must passes an internal error of a goroutine on to the caller.
func must(err error) {
	if err != nil {
		panic(err)
	}
}

// keep returns the pairs that pass the test, in place.
func keep(pairs [][2]int32, test func(a, b int32) bool) [][2]int32 {
	kept := pairs[:0]
	for _, x := range pairs {
		if test(x[0], x[1]) {
			kept = append(kept, x)
		}
	}
	return kept
}

// ones returns the number of bits that are set.
func ones(words []uint64) (n int) {
	for _, w := range words {
		n += bits.OnesCount64(w)
	}
	return n
}
