//go:build !amd64

package simd

import "unsafe"

// Without assembly every level is the generic one.

func sweepSelf512(q, t, s *byte, out [][2]int32) int { return sweepNoasm(q, t, sweepSelf, s, out, nil) }
func sweepSelf256(q, t, s *byte, out [][2]int32) int { return sweepNoasm(q, t, sweepSelf, s, out, nil) }
func sweepBA512(q, t, s *byte, out [][2]int32) int   { return sweepNoasm(q, t, sweepBA, s, out, nil) }
func sweepBA256(q, t, s *byte, out [][2]int32) int   { return sweepNoasm(q, t, sweepBA, s, out, nil) }
func sweepAB512(q, t, s *byte, out [][2]int32) int   { return sweepNoasm(q, t, sweepAB, s, out, nil) }
func sweepAB256(q, t, s *byte, out [][2]int32) int   { return sweepNoasm(q, t, sweepAB, s, out, nil) }

func listSelf512(q, t, s *byte, out, doubt [][2]int32) int {
	return sweepNoasm(q, t, sweepSelf, s, out, doubt)
}
func listSelf256(q, t, s *byte, out, doubt [][2]int32) int {
	return sweepNoasm(q, t, sweepSelf, s, out, doubt)
}
func listBA512(q, t, s *byte, out, doubt [][2]int32) int {
	return sweepNoasm(q, t, sweepBA, s, out, doubt)
}
func listBA256(q, t, s *byte, out, doubt [][2]int32) int {
	return sweepNoasm(q, t, sweepBA, s, out, doubt)
}
func listAB512(q, t, s *byte, out, doubt [][2]int32) int {
	return sweepNoasm(q, t, sweepAB, s, out, doubt)
}
func listAB256(q, t, s *byte, out, doubt [][2]int32) int {
	return sweepNoasm(q, t, sweepAB, s, out, doubt)
}

func sweepNoasm(q, t *byte, mode int, s *byte, out, doubt [][2]int32) int {
	a, b := (*SweepList)(unsafe.Pointer(q)), (*SweepList)(unsafe.Pointer(t))
	return sweepGeneric(a, b, mode, (*SweepState)(unsafe.Pointer(s)), out, doubt)
}
