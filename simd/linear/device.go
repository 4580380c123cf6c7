package linear

import "ccd/simd/internal/vec"

// This file has the constants that package gpu passes to its kernels, and the reference of their
// results.

// PieceBounds holds the separation with slack, once and three times; then the weights, on the eight
// pieces of [0, tmax], of the Bernstein coefficients of the whole motion.
func PieceBounds(tmax, sep float64) [130]float64 { return makePieceBounds(tmax, sep) }

// Form returns the coplanarity cubic of a query in Bernstein form on [0, 1], the middle
// coefficients times three, and the bounds below which the signs of coefficients on a piece of time
// are not certain, as TimePiecesVF computes them at separation 0.
func Form(rec []float64, at *[4]int32, face bool) (f [6]float64) {
	var q filterQuery
	q.load(rec, at, face)
	q.measure()
	volume := vec.Dot(q.ma, vec.Permanent(q.mb, q.mc))
	f[0], f[1], f[2], f[3], _ = q.bernstein()
	f[4], f[5] = volume*pieceEndBound, volume*pieceMiddleBound
	return f
}
