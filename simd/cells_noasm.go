//go:build !amd64

package simd

import "unsafe"

// Without assembly every level is the generic one.

func cellRanges1(rec []float32, verts []int32, grid *byte, out *byte, n int) {
	cellRangesNoasm(rec, verts, 1, grid, out, n)
}

func cellRanges2(rec []float32, verts []int32, grid *byte, out *byte, n int) {
	cellRangesNoasm(rec, verts, 2, grid, out, n)
}

func cellRanges3(rec []float32, verts []int32, grid *byte, out *byte, n int) {
	cellRangesNoasm(rec, verts, 3, grid, out, n)
}

func cellRangesNoasm(rec []float32, verts []int32, width int, grid, out *byte, n int) {
	ranges := unsafe.Slice((*CellRange)(unsafe.Pointer(out)), n)
	CellRangesOf(rec, verts, width, nil, (*CellGrid)(unsafe.Pointer(grid)), ranges)
}
