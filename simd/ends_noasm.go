//go:build !amd64

package simd

import "unsafe"

// Without assembly every level is the generic one.

func joinEnds1(rec []float32, verts []int32, ids []int32, l *byte) {
	joinEndsGeneric(rec, verts, 1, ids, (*SweepList)(unsafe.Pointer(l)))
}

func joinEnds2(rec []float32, verts []int32, ids []int32, l *byte) {
	joinEndsGeneric(rec, verts, 2, ids, (*SweepList)(unsafe.Pointer(l)))
}

func joinEnds3(rec []float32, verts []int32, ids []int32, l *byte) {
	joinEndsGeneric(rec, verts, 3, ids, (*SweepList)(unsafe.Pointer(l)))
}

func joinRest1(rec []float32, verts []int32, ids []int32, l *byte) {
	joinEndsGeneric(rec, verts, 1, ids, (*SweepList)(unsafe.Pointer(l)))
}

func joinRest2(rec []float32, verts []int32, ids []int32, l *byte) {
	joinEndsGeneric(rec, verts, 2, ids, (*SweepList)(unsafe.Pointer(l)))
}

func joinRest3(rec []float32, verts []int32, ids []int32, l *byte) {
	joinEndsGeneric(rec, verts, 3, ids, (*SweepList)(unsafe.Pointer(l)))
}
