//go:build !amd64

package simd

import "unsafe"

// Without assembly every level is the generic one.

func joinBlocks1(rec []float32, ids []int32, blocks []float32) {
	joinBlocksGeneric(rec, ids, 1, blocks)
}
func joinBlocks2(rec []float32, ids []int32, blocks []float32) {
	joinBlocksGeneric(rec, ids, 2, blocks)
}
func joinBlocks3(rec []float32, ids []int32, blocks []float32) {
	joinBlocksGeneric(rec, ids, 3, blocks)
}

func meetBlocks(a, b *[BlockLen]float32, masks *[BlockLanes]uint8) { meetBlocksGeneric(a, b, masks) }

func crossVF256(a, b *byte, idx [][4]int32, lanes [][2]int32) int {
	return crossGeneric((*Cross)(unsafe.Pointer(a)), (*Cross)(unsafe.Pointer(b)), 1, 3, 2, idx, lanes)
}
func crossEE256(a, b *byte, idx [][4]int32, lanes [][2]int32) int {
	return crossGeneric((*Cross)(unsafe.Pointer(a)), (*Cross)(unsafe.Pointer(b)), 2, 2, 2, idx, lanes)
}
func crossVF512(a, b *byte, idx [][4]int32, lanes [][2]int32) int {
	return crossVF256(a, b, idx, lanes)
}
func crossEE512(a, b *byte, idx [][4]int32, lanes [][2]int32) int {
	return crossEE256(a, b, idx, lanes)
}
