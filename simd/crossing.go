package simd

const (
	// crossingBound: the determinant of three vectors is a sum of six products. Each passes at most eight roundings (three differences
	// of points, two products, the difference in the cross product, two sums), so the determinant errs by ((1+U)^8 - 1) of the sum of the
	// exact products' magnitudes. Each of these is at most 1/(1-U)^3 times the product of the largest computed components of its vectors,
	// M: the error is below 48U M (1 + 8U). The computed bound has three roundings, of (64 M1 M2) M3 and of the product with 52U/64:
	// at least 52U M (1 - 3U).
	crossingBound = 52 * 0x1p-53 / 64
	// crossingScale: a determinant is at most 6 M, and a sum of four of them 24 M. So where the bound, computed with the scale first, does
	// not overflow, nothing does. The largest component is below 2^502, so 64 M1 M2 is finite.
	crossingScale = 64
	// crossingSum: the determinant of the third side is (q - p) - (c - b) of the determinants of the ends (p, q) and of the other sides
	// (b, c). Their errors add up to 96U (M + N), M and N their bounds without 48U, and three differences round by U (12M), U (12N) and
	// U (12M + 12N): 120U (M + N) in all, below 2.5 x 52U (M + N).
	crossingSum = 2.5
	// crossingTiny: what underflows adds at most 2^-1075 for each of the six inner products, times a component below 2^502, and 2^-1075
	// for each outer one: less than 2^-570. The computed bound loses as little.
	crossingTiny = 0x1p-560
)
