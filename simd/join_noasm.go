//go:build !amd64

package simd

import "unsafe"

// Without assembly every level is the generic one.

func joinRecords1(rec []float32, verts []int32, ids []int32, out []float32, l *byte) {
	joinRecordsGeneric(rec, verts, 1, ids, out, (*SweepList)(unsafe.Pointer(l)))
}

func joinRecords2(rec []float32, verts []int32, ids []int32, out []float32, l *byte) {
	joinRecordsGeneric(rec, verts, 2, ids, out, (*SweepList)(unsafe.Pointer(l)))
}

func joinRecords3(rec []float32, verts []int32, ids []int32, out []float32, l *byte) {
	joinRecordsGeneric(rec, verts, 3, ids, out, (*SweepList)(unsafe.Pointer(l)))
}
