package still

import (
	"math"

	"ccd/simd/internal/query"
	"ccd/simd/internal/vec"
)

const (
	// crossingBound: the determinant of three vectors is a sum of six products. Each passes at most
	// eight roundings (three differences of points, two products, the difference in the cross
	// product, two sums), so the determinant errs by ((1+U)^8 - 1) of the sum of the exact
	// products' magnitudes. Each of these is at most 1/(1-U)^3 times the product of the largest
	// computed components of its vectors, M: the error is below 48U M (1 + 8U). The computed bound
	// has three roundings, of (64 M1 M2) M3 and of the product with 52U/64: at least 52U M (1 -
	// 3U).
	crossingBound = 52 * 0x1p-53 / 64
	// crossingScale: a determinant is at most 6 M, and a sum of four of them 24 M. So where the
	// bound, computed with the scale first, does not overflow, nothing does. The largest component
	// is below 2^502, so 64 M1 M2 is finite.
	crossingScale = 64
	// crossingSum: the determinant of the third side is (q - p) - (c - b) of the determinants of
	// the ends (p, q) and of the other sides (b, c). Their errors add up to 96U (M + N), M and N
	// their bounds without 48U, and three differences round by U (12M), U (12N) and U (12M + 12N):
	// 120U (M + N) in all, below 2.5 x 52U (M + N).
	crossingSum = 2.5
	// crossingTiny: what underflows adds at most 2^-1075 for each of the six inner products, times
	// a component below 2^502, and 2^-1075 for each outer one: less than 2^-570. The computed bound
	// loses as little.
	crossingTiny = 0x1p-560
)

// filterEFGeneric writes to out the positions of the edge-face pairs that floats cannot prove to
// have no common point at the start of the motion, in rising order, and returns how many there are:
// i for a pair that they cannot decide, and ^i for a pair that is proven to cross inside of both,
// so that no end of the edge touches the face, nor the edge a side of it. pairs are numbers of
// edges and of faces, whose vertices are numbers of records; out must hold len(pairs) entries.
//
//	for i, pair := range pairs {
//		b, c, p, q := the face's first vertex minus its second, its third and the edge's ends
//		n, m := b x c, p x q
//		// The sides of the face's plane on which the edge's ends lie.
//		ends := signs of n.p and n.q
//		// The sides of the edge's line on which the face's sides pass.
//		sides := signs of b.m, -c.m, n.q-n.p-b.m+c.m
//		switch { // a sign is certain if the value lies beyond its bound
//		case the ends certainly have one sign, or two sides certainly have different ones: // apart
//		case the ends certainly have different signs and the sides certainly have one:
//			out[n] = ^i; n++
//		default: out[n] = i; n++
//		}
//	}
//
// Why sides of different signs separate: with D = n.q - n.p the sides are w0 D, w1 D and w2 D, w
// the weights of the face's vertices at the point where the line meets the plane. If D is zero and
// the line meets the face, they lie in one plane, and the sides are all zero.
func filterEFGeneric(rec []float64, edges [][2]int32, faces [][3]int32, pairs [][2]int32, out []int32) int {
	n := 0
	for i, pair := range pairs {
		e, f := &edges[pair[0]], &faces[pair[1]]
		first := query.Line(rec, f[0])
		apart, inside := crossing(vec.Difference(first, query.Line(rec, f[1]), 0), vec.Difference(first,
			query.Line(rec, f[2]), 0),
			vec.Difference(first, query.Line(rec, e[0]), 0), vec.Difference(first, query.Line(rec, e[1]), 0))
		if apart {
			continue
		}
		out[n] = int32(i)
		if inside {
			out[n] = ^int32(i)
		}
		n++
	}
	return n
}

// crossing is FilterEF for one pair.
func crossing(b, c, p, q vec.Vec3) (apart, inside bool) {
	face, edge := max(longest(b), longest(c)), max(longest(p), longest(q))
	n, m := vec.Cross(b, c), vec.Cross(p, q)
	atP, atQ := vec.Dot(n, p), vec.Dot(n, q)
	e := float64(float64(float64(face*crossingScale*face)*edge)*crossingBound) + crossingTiny
	below, above := atP < -e && atQ < -e, atP > e && atQ > e
	if below || above {
		return true, false
	}
	through := atP < -e && atQ > e || atP > e && atQ < -e

	besideB, besideC := vec.Dot(m, b), vec.Dot(m, c)
	across := (atQ - atP) - (besideB - besideC)
	f := float64(float64(float64(face*crossingScale*edge)*edge)*crossingBound) + crossingTiny
	g := float64(crossingSum * (e + f))
	some := besideB > f || besideC < -f || across > g
	other := besideB < -f || besideC > f || across < -g
	all := besideB > f && besideC < -f && across > g || besideB < -f && besideC > f && across < -g
	return some && other, through && all
}

// longest returns the largest magnitude of a vector's components.
func longest(a vec.Vec3) float64 { return max(math.Abs(a.X), math.Abs(a.Y), math.Abs(a.Z)) }
