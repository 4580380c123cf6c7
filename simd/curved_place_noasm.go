//go:build !amd64

package simd

import "unsafe"

// Without assembly every level is the generic one.

func curvedPlace2VF512(rec []float64, idx [][4]int32, list []int32, toi []float64, out *float64, placed []uint8) {
	curvedPlaceGeneric(rec, 2, idx, list, toi, (*Places)(unsafe.Pointer(out)), placed, true)
}

func curvedPlace2VF256(rec []float64, idx [][4]int32, list []int32, toi []float64, out *float64, placed []uint8) {
	curvedPlaceGeneric(rec, 2, idx, list, toi, (*Places)(unsafe.Pointer(out)), placed, true)
}

func curvedPlace2EE512(rec []float64, idx [][4]int32, list []int32, toi []float64, out *float64, placed []uint8) {
	curvedPlaceGeneric(rec, 2, idx, list, toi, (*Places)(unsafe.Pointer(out)), placed, false)
}

func curvedPlace2EE256(rec []float64, idx [][4]int32, list []int32, toi []float64, out *float64, placed []uint8) {
	curvedPlaceGeneric(rec, 2, idx, list, toi, (*Places)(unsafe.Pointer(out)), placed, false)
}

func curvedPlace3VF512(rec []float64, idx [][4]int32, list []int32, toi []float64, out *float64, placed []uint8) {
	curvedPlaceGeneric(rec, 3, idx, list, toi, (*Places)(unsafe.Pointer(out)), placed, true)
}

func curvedPlace3VF256(rec []float64, idx [][4]int32, list []int32, toi []float64, out *float64, placed []uint8) {
	curvedPlaceGeneric(rec, 3, idx, list, toi, (*Places)(unsafe.Pointer(out)), placed, true)
}

func curvedPlace3EE512(rec []float64, idx [][4]int32, list []int32, toi []float64, out *float64, placed []uint8) {
	curvedPlaceGeneric(rec, 3, idx, list, toi, (*Places)(unsafe.Pointer(out)), placed, false)
}

func curvedPlace3EE256(rec []float64, idx [][4]int32, list []int32, toi []float64, out *float64, placed []uint8) {
	curvedPlaceGeneric(rec, 3, idx, list, toi, (*Places)(unsafe.Pointer(out)), placed, false)
}
