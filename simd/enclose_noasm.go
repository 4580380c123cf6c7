//go:build !amd64

package simd

import "unsafe"

// Without assembly every level is the generic one.

func encloseVF512(rec []float64, idx [][4]int32, list []int32, out *float64) {
	encloseGeneric(rec, idx, list, (*Enclosures)(unsafe.Pointer(out)), true)
}

func encloseVF256(rec []float64, idx [][4]int32, list []int32, out *float64) {
	encloseGeneric(rec, idx, list, (*Enclosures)(unsafe.Pointer(out)), true)
}

func encloseEE512(rec []float64, idx [][4]int32, list []int32, out *float64) {
	encloseGeneric(rec, idx, list, (*Enclosures)(unsafe.Pointer(out)), false)
}

func encloseEE256(rec []float64, idx [][4]int32, list []int32, out *float64) {
	encloseGeneric(rec, idx, list, (*Enclosures)(unsafe.Pointer(out)), false)
}
