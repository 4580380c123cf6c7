//go:build !amd64

package simd

import "unsafe"

// Without assembly every level is the generic one.

func vertexRecords(rec []float64, m *byte, out []float32) {
	vertexRecordsGeneric(rec, (*VertexMap)(unsafe.Pointer(m)), out)
}

func vertexRecordsUntil(rec []float64, m *byte, out []float32) {
	vertexRecordsGeneric(rec, (*VertexMap)(unsafe.Pointer(m)), out)
}
