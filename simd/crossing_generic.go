package simd

import "math"

// filterEFGeneric writes to out the positions of the edge-face pairs that floats cannot prove to have no common point at the start of the
// motion, in rising order, and returns how many there are: i for a pair that they cannot decide, and ^i for a pair that is proven to cross
// inside of both, so that no end of the edge touches the face, nor the edge a side of it. pairs are numbers of edges and of faces, whose
// vertices are numbers of records; out must hold len(pairs) entries.
//
//	for i, pair := range pairs {
//		b, c, p, q := the face's first vertex minus its second, its third and the edge's ends
//		n, m := b x c, p x q
//		ends := signs of n.p and n.q                   // the sides of the face's plane on which the edge's ends lie
//		sides := signs of b.m, -c.m, n.q-n.p-b.m+c.m   // the sides of the edge's line on which the face's sides pass
//		switch { // a sign is certain if the value lies beyond its bound
//		case the ends certainly have one sign, or two sides certainly have different ones: // apart
//		case the ends certainly have different signs and the sides certainly have one: out[n] = ^i; n++
//		default: out[n] = i; n++
//		}
//	}
//
// Why sides of different signs separate: with D = n.q - n.p the sides are w0 D, w1 D and w2 D, w the weights of the face's vertices at
// the point where the line meets the plane. If D is zero and the line meets the face, they lie in one plane, and the sides are all zero.
func filterEFGeneric(rec []float64, edges [][2]int32, faces [][3]int32, pairs [][2]int32, out []int32) int {
	n := 0
	for i, pair := range pairs {
		e, f := &edges[pair[0]], &faces[pair[1]]
		first := line(rec, f[0])
		apart, inside := crossing(difference(first, line(rec, f[1]), 0), difference(first, line(rec, f[2]), 0),
			difference(first, line(rec, e[0]), 0), difference(first, line(rec, e[1]), 0))
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
func crossing(b, c, p, q vec3) (apart, inside bool) {
	face, edge := max(longest(b), longest(c)), max(longest(p), longest(q))
	n, m := cross(b, c), cross(p, q)
	atP, atQ := dot(n, p), dot(n, q)
	e := float64(float64(float64(face*crossingScale*face)*edge)*crossingBound) + crossingTiny
	below, above := atP < -e && atQ < -e, atP > e && atQ > e
	if below || above {
		return true, false
	}
	through := atP < -e && atQ > e || atP > e && atQ < -e

	besideB, besideC := dot(m, b), dot(m, c)
	across := (atQ - atP) - (besideB - besideC)
	f := float64(float64(float64(face*crossingScale*edge)*edge)*crossingBound) + crossingTiny
	g := float64(crossingSum * (e + f))
	some := besideB > f || besideC < -f || across > g
	other := besideB < -f || besideC > f || across < -g
	all := besideB > f && besideC < -f && across > g || besideB < -f && besideC > f && across < -g
	return some && other, through && all
}

// longest is the largest magnitude of a vector's components.
func longest(a vec3) float64 { return max(math.Abs(a.x), math.Abs(a.y), math.Abs(a.z)) }
