package simd

import "math"

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
