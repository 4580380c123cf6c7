//go:build !amd64

package simd

import "unsafe"

// Without assembly every level is the generic one.

func placeVF512(rec []float64, idx [][4]int32, list []int32, toi []float64, out *float64, placed []uint8) {
	placeGeneric(rec, idx, list, toi, (*Places)(unsafe.Pointer(out)), placed, true)
}

func placeVF256(rec []float64, idx [][4]int32, list []int32, toi []float64, out *float64, placed []uint8) {
	placeGeneric(rec, idx, list, toi, (*Places)(unsafe.Pointer(out)), placed, true)
}

func placeEE512(rec []float64, idx [][4]int32, list []int32, toi []float64, out *float64, placed []uint8) {
	placeGeneric(rec, idx, list, toi, (*Places)(unsafe.Pointer(out)), placed, false)
}

func placeEE256(rec []float64, idx [][4]int32, list []int32, toi []float64, out *float64, placed []uint8) {
	placeGeneric(rec, idx, list, toi, (*Places)(unsafe.Pointer(out)), placed, false)
}
