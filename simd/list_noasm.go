//go:build !amd64

package simd

import "unsafe"

// Without assembly every level is the generic one.

func listSelf512(q, t, s *byte, out, doubt [][2]int32) int {
	return listNoasm(q, t, sweepSelf, s, out, doubt)
}
func listSelf256(q, t, s *byte, out, doubt [][2]int32) int {
	return listNoasm(q, t, sweepSelf, s, out, doubt)
}
func listBA512(q, t, s *byte, out, doubt [][2]int32) int {
	return listNoasm(q, t, sweepBA, s, out, doubt)
}
func listBA256(q, t, s *byte, out, doubt [][2]int32) int {
	return listNoasm(q, t, sweepBA, s, out, doubt)
}
func listAB512(q, t, s *byte, out, doubt [][2]int32) int {
	return listNoasm(q, t, sweepAB, s, out, doubt)
}
func listAB256(q, t, s *byte, out, doubt [][2]int32) int {
	return listNoasm(q, t, sweepAB, s, out, doubt)
}

func listNoasm(q, t *byte, mode int, s *byte, out, doubt [][2]int32) int {
	a, b := (*SweepList)(unsafe.Pointer(q)), (*SweepList)(unsafe.Pointer(t))
	return listGeneric(a, b, mode, (*SweepState)(unsafe.Pointer(s)), out, doubt)
}
