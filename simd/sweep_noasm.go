//go:build !amd64

package simd

import "unsafe"

// Without assembly every level is the generic one.

func sweepSelf512(q, t, s *byte, out [][2]int32) int     { return sweepNoasm(q, t, sweepSelf, s, out) }
func sweepSelf256(q, t, s *byte, out [][2]int32) int     { return sweepNoasm(q, t, sweepSelf, s, out) }
func sweepBA512(q, t, s *byte, out [][2]int32) int       { return sweepNoasm(q, t, sweepBA, s, out) }
func sweepBA256(q, t, s *byte, out [][2]int32) int       { return sweepNoasm(q, t, sweepBA, s, out) }
func sweepAB512(q, t, s *byte, out [][2]int32) int       { return sweepNoasm(q, t, sweepAB, s, out) }
func sweepAB256(q, t, s *byte, out [][2]int32) int       { return sweepNoasm(q, t, sweepAB, s, out) }
func sweepRestSelf512(q, t, s *byte, out [][2]int32) int { return sweepNoasm(q, t, sweepSelf, s, out) }
func sweepRestSelf256(q, t, s *byte, out [][2]int32) int { return sweepNoasm(q, t, sweepSelf, s, out) }
func sweepRestBA512(q, t, s *byte, out [][2]int32) int   { return sweepNoasm(q, t, sweepBA, s, out) }
func sweepRestBA256(q, t, s *byte, out [][2]int32) int   { return sweepNoasm(q, t, sweepBA, s, out) }
func sweepRestAB512(q, t, s *byte, out [][2]int32) int   { return sweepNoasm(q, t, sweepAB, s, out) }
func sweepRestAB256(q, t, s *byte, out [][2]int32) int   { return sweepNoasm(q, t, sweepAB, s, out) }
func sweepFE512(q, t, s *byte, out [][2]int32) int       { return sweepNoasm(q, t, sweepFE, s, out) }
func sweepFE256(q, t, s *byte, out [][2]int32) int       { return sweepNoasm(q, t, sweepFE, s, out) }
func sweepEF512(q, t, s *byte, out [][2]int32) int       { return sweepNoasm(q, t, sweepEF, s, out) }
func sweepEF256(q, t, s *byte, out [][2]int32) int       { return sweepNoasm(q, t, sweepEF, s, out) }
func blockSelf(q, t, s *byte, out [][2]int32) int        { return sweepNoasm(q, t, sweepSelf, s, out) }
func blockBA(q, t, s *byte, out [][2]int32) int          { return sweepNoasm(q, t, sweepBA, s, out) }
func blockAB(q, t, s *byte, out [][2]int32) int          { return sweepNoasm(q, t, sweepAB, s, out) }
func blockRestSelf(q, t, s *byte, out [][2]int32) int    { return sweepNoasm(q, t, sweepSelf, s, out) }
func blockRestBA(q, t, s *byte, out [][2]int32) int      { return sweepNoasm(q, t, sweepBA, s, out) }
func blockRestAB(q, t, s *byte, out [][2]int32) int      { return sweepNoasm(q, t, sweepAB, s, out) }
func blockFE(q, t, s *byte, out [][2]int32) int          { return sweepNoasm(q, t, sweepFE, s, out) }
func blockEF(q, t, s *byte, out [][2]int32) int          { return sweepNoasm(q, t, sweepEF, s, out) }

func sweepNoasm(q, t *byte, mode int, s *byte, out [][2]int32) int {
	a, b := (*SweepList)(unsafe.Pointer(q)), (*SweepList)(unsafe.Pointer(t))
	return sweepGeneric(a, b, mode, (*SweepState)(unsafe.Pointer(s)), out)
}
