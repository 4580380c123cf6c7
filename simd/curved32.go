package simd

// The float filter of curved paths in single precision: twice as many queries in a register. The differences of control points are taken in double precision and
// rounded; the rest is the program of curved.go on float32, with the axes too. Axes, directions and signs are tested on each half of the time: something must keep a query apart on the first, and something on the second.
//
// docs/proofs/motions.md, "In single precision": the bounds are those of curved.go with U = 2^-24, and M is at least least32.
const (
	// The bounds of curved.go. A coefficient of a half is off by 11U more: a product with a rounded number, and 3k averages. curvedSignBound32 covers 28U, curvedPartSignBound32 55U, curvedNormBound32 29U.
	curvedSignBound32     = 32 * 0x1p-24
	curvedPartSignBound32 = 64 * 0x1p-24
	curvedNormBound32     = 40 * 0x1p-24
	// curvedRangeBound32: a half takes k averages, each U of the size, behind the 15U of curvedRangeBound.
	curvedRangeBound32 = 24 * 0x1p-24
)

// Curved32VF is CurvedVF in single precision, with the coordinate axes: it writes to out, in the order of list, those positions of list whose vertex-face query may touch within sep at a time in
// [0, tmax], as far as single precision can tell, and returns how many there are. Control points may be off by off on each axis. A position left out is a proof that |F|max > sep throughout. out may
// be list itself and must hold len(list) entries.
func Curved32VF(rec []float64, degree int, idx [][4]int32, list []int32, tmax, sep, off float64, out []int32) int {
	out = out[:len(list)]
	bounds, whole := curvedBounds32(tmax, sep, off)
	switch {
	case degree == 2 && whole:
		return curved32Whole2VF(rec, idx, list, &bounds, out)
	case degree == 2:
		return curved32Part2VF(rec, idx, list, &bounds, out)
	case whole:
		return curved32Whole3VF(rec, idx, list, &bounds, out)
	}
	return curved32Part3VF(rec, idx, list, &bounds, out)
}

// Curved32EE is Curved32VF for edge-edge queries.
func Curved32EE(rec []float64, degree int, idx [][4]int32, list []int32, tmax, sep, off float64, out []int32) int {
	out = out[:len(list)]
	bounds, whole := curvedBounds32(tmax, sep, off)
	switch {
	case degree == 2 && whole:
		return curved32Whole2EE(rec, idx, list, &bounds, out)
	case degree == 2:
		return curved32Part2EE(rec, idx, list, &bounds, out)
	case whole:
		return curved32Whole3EE(rec, idx, list, &bounds, out)
	}
	return curved32Part3EE(rec, idx, list, &bounds, out)
}

// curvedBounds32 is filterBounds32 with the separation of computed paths: those of a query are nearer to each other by at most 2 off. The sum errs by U of doubles, which the slack covers. whole reports
// whether this is the whole motion without a separation.
func curvedBounds32(tmax, sep, off float64) (bounds [4]float32, whole bool) {
	bounds, _ = filterBounds32(tmax, sep+2*off)
	return bounds, bounds[1] == 1 && sep == 0
}
